// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/core/waves.hpp>
#include <coalesce/total/domain.hpp>
#include <coalesce/total/functions.hpp>
#include <coalesce/total/launch.hpp>
#include <coalesce/total/visits.hpp>

#include <concepts>
#include <cstdint>

// Counts the cost of one instruction in every warp of a launch, and hands each cost to a visitor (total/visits.hpp).
// The pattern is a function that gives the address of each thread.
//
// The pattern is called once for each active thread that gives an address. A warp's cost is not counted again if an
// earlier warp had the same place in its block, the same active lanes, the same distances between its addresses, and
// the same lowest address modulo the instruction's period. If the pattern is affine in the block and the thread, few
// warps differ in these.

namespace coalescing::detail {

template <unsigned... Lane>
struct lane_pack {};
template <unsigned Count, unsigned... Lane>
COALESCE_API constexpr auto lanes_of_a_pack() {
  if constexpr (Count == 0)
    return lane_pack<Lane...>{};
  else
    return detail::lanes_of_a_pack<Count - 1, Count - 1, Lane...>();
}

/// The warps that have been counted, by kind. Warps of one kind cost the same: they have the same place in the block
/// (the warp's number there), the same mask, the same distances between addresses, and the same residue (the lowest
/// address modulo the period).
template <class Instruction>
struct warp_kinds {
  static constexpr unsigned lanes = asked_lanes<Instruction>, word = Instruction::alignment,
                            residues = (Instruction::period - 1) / word + 1, most = 256;
  static constexpr std::uint64_t last_start = limits_of<Instruction>().last_start();

  /// What is known of the warps at one place in the block: the mask and the lane offsets of the first warp that was
  /// counted there, and the kinds of the warps that have this mask and these offsets.
  struct place_in_block {
    std::uint64_t active = 0;  ///< the mask of that first warp; 0 if no warp has been counted there
    /// In that first warp, how many bytes each lane's address lies above the lowest address of the warp.
    std::uint64_t offset[lanes] = {};
    std::uint64_t last = 0;  ///< the highest address of the lowest lane with which all lanes lie in the memory
    /// For each residue of the lowest address, 1 plus the index of the warp's kind in `kinds`; 0 if no such warp has
    /// been counted.
    unsigned short kind[residues] = {};
  };
  struct warp_kind {
    typename Instruction::cost_type cost{};
    std::uint64_t times = 0;  ///< how many warps of this kind came after the first one
  };
  place_in_block places[1024 / wave_of<Instruction>] = {};
  warp_kind kinds[most] = {};
  unsigned count = 0;

  /// Remembers the cost of a warp, if the warp is the first at its place in the block, or has the mask and the lane
  /// offsets of the first one.
  COALESCE_API constexpr void remember(place_in_block& like, access<lanes> const& asked,
                                       typename Instruction::cost_type const& cost) {
    if (count == most) return;
    std::uint64_t lowest = all_lanes, highest = 0;
    for (std::uint64_t const address : asked.address)
      lowest = address < lowest ? address : lowest, highest = address > highest ? address : highest;
    // An address above last_start is a negative one, which the instruction's offsets bring back into the memory. Warps
    // with such an address are not remembered.
    if (highest > last_start) return;
    if (like.active == 0) {
      like.active = asked.active, like.last = last_start - (highest - lowest);
      for (unsigned lane = 0; lane != lanes; ++lane) like.offset[lane] = asked.address[lane] - lowest;
    }
    if (asked.active != like.active) return;
    for (unsigned lane = 0; lane != lanes; ++lane)
      if (asked.address[lane] - lowest != like.offset[lane]) return;
    kinds[count].cost = cost;
    like.kind[lowest % Instruction::period / word] = static_cast<unsigned short>(++count);
  }
};

/// Visits the instruction in each warp of a launch. If the launch is too large for a constant expression, the
/// compiler's error shows the name of this function and its first argument, the number of warps.
#if defined(__CUDACC__) && defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
template <instruction Instruction, class Pattern, class Active, class Visitor, unsigned... Lane>
COALESCE_API constexpr void ask_each_warp_or_do_so_at_run_time([[maybe_unused]] std::uint64_t warps, launch const& over,
                                                               Pattern const& pattern,
                                                               [[maybe_unused]] Active const& active, Visitor& visitor,
                                                               lane_pack<Lane...>) {
  constexpr unsigned wave = wave_of<Instruction>, lanes = asked_lanes<Instruction>;
  constexpr bool all = std::same_as<Active, everyone>, narrow = is_narrow<decltype(pattern(invocation{}))>,
                 remembers = wave == Instruction::lanes && !narrow;
  constexpr std::uint64_t period = Instruction::period, word = Instruction::alignment;
  auto const threads = static_cast<unsigned>(detail::threads_of(over.block));
  std::uint64_t const blocks = detail::count_of(over.grid);
  place thread[1024] = {};
  for (unsigned k = 0; k != threads; ++k) thread[k] = detail::place_of(k, over.block);
  warp_kinds<Instruction> known;
  std::uint64_t address[lanes] = {}, at = 0;

  auto const count = [&](place const& block, unsigned first, std::uint64_t mask) {
    auto const asked =
        detail::apply<lanes>(address, detail::asked_of_wave<Instruction>(mask), limits_of<Instruction>());
    if constexpr (narrow) detail::check_signs(asked);
    if (asked.active == 0) return;
    auto const cost = detail::cost_of_wave<Instruction>(asked);
    visitor.take(cost, {{block.x, block.y, block.z, first / wave}});
    if constexpr (remembers) known.remember(known.places[first / wave], asked, cost);
  };
  for (std::uint64_t block = 0; block != blocks; ++block) {
    place const here = detail::place_of(block, over.grid);
    std::uint64_t mask = 0, low = 0, high = 0;
    auto* like = known.places;
    // One statement for a warp, since compilers limit the number of statements. It finds the active lanes, and
    // subtracts from each address the offset of that lane in the first warp that was counted at this place in a block.
    // If the warp has the same distances as that first warp, each difference is the warp's lowest address.
    for (unsigned first = 0; first < threads; first += wave)
      mask = 0, low = all_lanes, high = 0, like = known.places + first / wave,
      ((Lane < threads - first && (all || active(invocation{here, thread[first + Lane]}))
            ? void((mask |= std::uint64_t{1} << Lane,
                    Lane < lanes
                        ? void((at = static_cast<std::uint64_t>(pattern(invocation{here, thread[first + Lane]})),
                                address[Lane % lanes] = at, at -= like->offset[Lane % lanes], low &= at, high |= at))
                        : void()))
            : void()),
       ...),
      remembers && low == high && mask == like->active && low <= like->last && low % word == 0 &&
              like->kind[low % period / word] != 0
          ? void(++known.kinds[like->kind[low % period / word] - 1].times)
          : count(here, first, mask);
  }
  for (auto const& kind : known.kinds)
    if (kind.times != 0) visitor.repeat(kind.cost, kind.times);
}

#if defined(__CUDACC__) && defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
template <instruction Instruction, class Pattern, class Active, class Visitor>
COALESCE_API constexpr bool visit(Pattern const& pattern, launch const& over, Active const& active, Visitor& visitor) {
  static_assert(takes_a_thread<Pattern>,
                "over a launch a pattern is const-callable with a co::invocation, the thread: [](co::invocation const& "
                "at) { return 4ull * (at.block.x * 256 + at.thread.x); }");
  constexpr bool all = std::same_as<Active, everyone>;
  static_assert(all || tells_of_a_thread<Active>,
                "over a launch the active threads are told by a predicate: const-callable from a co::invocation to "
                "exactly bool");
  constexpr unsigned wave = wave_of<Instruction>, lanes = asked_lanes<Instruction>;
  if constexpr (takes_a_thread<Pattern> && (all || tells_of_a_thread<Active>)) {
    if constexpr (detail::well_formed<at_thread<Pattern>, std::uint64_t, lanes>) {
      std::uint64_t const warps = detail::count_of(over.grid) * ((detail::threads_of(over.block) + wave - 1) / wave);
      detail::ask_each_warp_or_do_so_at_run_time<Instruction>(warps, over, pattern, active, visitor,
                                                              detail::lanes_of_a_pack<wave>());
      return true;
    } else {
      return detail::ill_formed<bool, at_thread<Pattern>, std::uint64_t, lanes>();
    }
  } else {
    return false;
  }
}

template <>
inline constexpr bool can_be_visited<launch> = true;

}  // namespace coalescing::detail
