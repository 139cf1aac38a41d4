// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>

#include <cstdint>

// How the wave or warp of a launch executes an instruction. The machine cuts the threads of the launch into waves. For
// most instructions each lane of the wave gives an address. The other instructions declare two numbers: `wave_lanes`,
// the lanes of the wave, and `lanes`, the lanes that give an address, which are fewer. A scalar load has `lanes` 1: it
// is one request of the wave, and all active lanes must have the same address. An instruction such as ldmatrix<1> takes
// addresses from only the first few lanes of the wave.

namespace coalescing {

namespace refused {

[[noreturn]] COALESCE_API inline void address_of_a_scalar_load_depends_on_the_lane(unsigned lane,
                                                                                   std::uint64_t address) {
  detail::refuse("a scalar load is one request of the wave, and this lane's address differs from an earlier lane's",
                 lane, address);
}

}  // namespace refused

namespace detail {

/// The number of lanes of the wave or warp that executes an instruction.
template <class Instruction>
inline constexpr unsigned wave_of = [] {
  if constexpr (requires { Instruction::wave_lanes; })
    return unsigned{Instruction::wave_lanes};
  else
    return unsigned{Instruction::lanes};
}();

template <class Instruction>
inline constexpr bool is_scalar = Instruction::lanes == 1 && wave_of<Instruction> != 1;

/// For how many lanes of the wave the pattern is called. Most instructions: each lane that gives an address, from lane
/// 0 on. A scalar load: all lanes of the wave, to check that the active ones have the same address.
template <class Instruction>
inline constexpr unsigned asked_lanes = is_scalar<Instruction> ? wave_of<Instruction> : Instruction::lanes;

/// The mask of the active lanes for which the pattern is called. Refused: a wave with too few active lanes for the
/// instruction.
template <class Instruction>
COALESCE_API constexpr std::uint64_t asked_of_wave(std::uint64_t active) {
  if constexpr (requires { Instruction::check_wave(active); })
    if (active != 0) Instruction::check_wave(active);
  return active & wave_mask<asked_lanes<Instruction>>;
}

/// `active` without the lanes of the wave that give no address. A predicate of the lane is asked about every lane of
/// the wave: a scalar load is issued if any lane is active (its address is that of lane 0), and ldmatrix<1> needs them
/// all. A mask already has one bit for each lane that gives an address.
#if defined(__CUDACC__) && defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
template <class Instruction, class Active>
COALESCE_API constexpr decltype(auto) address_lanes(Active const& active) {
  if constexpr (integer<Active> || wave_of<Instruction> == Instruction::lanes) {
    return (active);
  } else {
    std::uint64_t const wave = detail::mask_of<wave_of<Instruction>>(active);
    if constexpr (is_scalar<Instruction>)
      return std::uint64_t{wave != 0};
    else
      return detail::asked_of_wave<Instruction>(wave);
  }
}
template <class Instruction>
COALESCE_API constexpr every_lane address_lanes(every_lane) {
  return {};
}

/// The request of a scalar load, which all active lanes make together.
template <unsigned Lanes>
COALESCE_API constexpr access<1> one_of_wave(access<Lanes> const& asked) {
  for (unsigned lane = 0; lane != Lanes; ++lane)
    if ((asked.active >> lane & 1) != 0 && asked.address[lane] != asked.address[0])
      refused::address_of_a_scalar_load_depends_on_the_lane(lane, asked.address[lane]);
  return {.address = {asked.address[0]}, .active = 1, .bytes = asked.bytes};
}
/// The cost of an instruction that a wave executes.
template <class Instruction>
COALESCE_API constexpr auto cost_of_wave(access<asked_lanes<Instruction>> const& asked) {
  if constexpr (is_scalar<Instruction>)
    return Instruction::cost_of(detail::one_of_wave(asked));
  else
    return Instruction::cost_of(asked);
}

}  // namespace detail
}  // namespace coalescing
