// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/cost.hpp>

#include <cstdint>

// The ideal of an access: the least that its active lanes would cost if they accessed neighbouring words.

namespace coalescing::detail {

/// Replaces each number of `least` by the same number of `other`, if that is lower.
template <class Cost, auto... Members>
COALESCE_API constexpr void keep_lesser(Cost& least, Cost const& other, members<Members...>) {
  ((least.*Members = other.*Members < least.*Members ? other.*Members : least.*Members), ...);
}
template <class Cost>
COALESCE_API constexpr Cost lesser(Cost least, Cost const& other) {
  detail::keep_lesser(least, other, typename Cost::numbers{});
  return least;
}

/// Moves the active lanes to neighbouring words from byte 0 on, without gaps: the first active lane to byte 0, the next
/// one to byte `step`, and so on.
template <unsigned Lanes>
COALESCE_API constexpr access<Lanes> moved_together(access<Lanes> asked, std::uint64_t step) {
  std::uint64_t next = 0, here = 0;
  asked.differ = 0;
  for (unsigned lane = 0; lane != Lanes; ++lane) {
    if ((asked.active >> lane & 1) != 0) here = next, next += step;
    asked.address[lane] = here, asked.differ |= here;
  }
  return asked;
}

template <class Instruction>
COALESCE_API constexpr typename Instruction::cost_type cost_asked(access<Instruction::lanes> const& asked) {
  return Instruction::cost_of(asked);
}
/// The function that gives an instruction's cost: cost_of() itself if it has the usual signature, else cost_asked().
/// With cost_of() itself, instructions that inherit it from one base class share one function.
template <class Instruction>
COALESCE_API constexpr auto cost_function() {
  using function = typename Instruction::cost_type (*)(access<Instruction::lanes> const&);
  if constexpr (requires { static_cast<function>(&Instruction::cost_of); })
    return static_cast<function>(&Instruction::cost_of);
  else
    return static_cast<function>(&cost_asked<Instruction>);
}

/// The ideal of an access: the cost of the same active lanes on neighbouring words. The lanes are placed in two ways,
/// and the lower value of each number is taken:
/// - Active lanes are packed without gaps. Then they touch the fewest pieces of memory.
/// - Lane k has word k, as in a full wave. Then lanes have no bank conflict even if one phase serves lanes that are not
///   neighbours. CC 1.0 coalesces lanes only if they are placed in this way.
/// For a full wave both ways are the same, and the ideal is co::ideal. An access whose lanes share words can cost less
/// than its ideal. (This function is not inlined: with -O1, g++ 12 refuses to compile the call of an always_inline
/// function through a pointer that only inlining makes a constant.)
template <class Cost, unsigned Lanes>
COALESCE_COUNT constexpr Cost ideal_by(Cost (*cost_of)(access<Lanes> const&), linear const& next,
                                       address_limits const& limits, access<Lanes> const& asked) {
  auto const cost = cost_of(detail::apply<Lanes>(next, asked.active, limits));
  if (asked.active == wave_mask<Lanes>) return cost;
  return detail::lesser(cost, cost_of(detail::moved_together(asked, static_cast<std::uint64_t>(next.stride))));
}
/// The ideal of an access by an instruction.
template <class Instruction>
COALESCE_API constexpr auto ideal_of(access<Instruction::lanes> const& asked) {
  return detail::ideal_by(detail::cost_function<Instruction>(), neighbours<Instruction>(),
                          detail::limits_of<Instruction>(), asked);
}

/// Keeps only the lanes of a mask active. Every other lane takes the address of one of these lanes, as core/access.hpp
/// requires of inactive lanes.
template <unsigned Lanes>
COALESCE_API constexpr access<Lanes> only(access<Lanes> asked, std::uint64_t lanes) {
  asked.active &= lanes;
  unsigned first = 0;
  while (first != Lanes - 1 && (asked.active >> first & 1) == 0) ++first;
  std::uint64_t here = asked.address[first];
  for (unsigned lane = 0; lane != Lanes; ++lane)
    if ((asked.active >> lane & 1) != 0)
      here = asked.address[lane];
    else
      asked.address[lane] = here;
  return asked;
}

}  // namespace coalescing::detail
