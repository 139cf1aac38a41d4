// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/core/misuse.hpp>
#include <coalesce/total/domain.hpp>
#include <coalesce/total/functions.hpp>
#include <coalesce/total/visits.hpp>

#include <cstdint>

// Counts the cost of an instruction at every base, that is, wherever an array may begin, and hands each cost to a
// visitor (total/visits.hpp). Either one pattern is moved to each base, or all points of a domain are moved together.

namespace coalescing::detail {

#ifdef __GNUC__  // g++ would warn of a user's global variable that has the name of a parameter here
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif

template <unsigned Lanes>
COALESCE_API constexpr void move_all(access<Lanes>& asked, std::uint64_t bytes) {
  asked.differ = 0;  // computed again, since the addition may carry into a bit in which no two lanes differed
  for (std::uint64_t& address : asked.address) address += bytes, asked.differ |= address ^ asked.address[0];
}

/// The bases at which every_base asks for the cost of an instruction: first(), and the further multiples of `alignment`
/// up to first() + last.
template <instruction Instruction>
struct asked_bases {
  static constexpr address_limits limits = limits_of<Instruction>();
  using access = coalescing::access<Instruction::lanes>;

  std::uint64_t alignment, last = 0;
  std::uint64_t below = 0;  ///< how many bytes the lowest access lies below byte 0; 0 if none does

  COALESCE_API constexpr explicit asked_bases(every_base const& over) : alignment(over.alignment) {
    if (alignment == 0 || (alignment & (alignment - 1)) != 0) refused::alignment_is_no_power_of_two();
    if (alignment < Instruction::alignment)
      refused::bases_are_less_aligned_than_the_instruction(Instruction::alignment);
    last = (Instruction::period - 1) / alignment * alignment;
  }
  /// The limits on the addresses of a pattern before it is moved to a base.
  COALESCE_API static constexpr address_limits before() { return {.bytes = 1, .alignment = limits.alignment}; }

  /// Raises `below` if a lane of this access, at base 0, begins farther below byte 0 than all accesses so far. Does so
  /// in shared memory and LDS only.
  COALESCE_API constexpr void include(access const& asked) {
    if constexpr (limits.capacity != 0)
      for (std::uint64_t const address : asked.address)
        if ((address + limits.nearest) >> 63 != 0 && 0 - (address + limits.nearest) > below)
          below = 0 - (address + limits.nearest);
  }
  /// The first base is the smallest multiple of the alignment that is not less than `below`, so that the lowest lane
  /// does not access a byte below 0. This function returns how many bytes the first base is above `below`.
  COALESCE_API constexpr std::uint64_t beyond() const { return (0 - below) % alignment; }
  COALESCE_API constexpr std::uint64_t first() const { return below + beyond(); }

  /// Refuses a pattern that runs past the end of the memory at one of the bases.
  COALESCE_API constexpr void refuse_past_the_end(access const& asked) const {
    std::uint64_t const room = limits.last_start() - last + limits.nearest, more = beyond();
    for (unsigned lane = 0; lane != Instruction::lanes; ++lane)
      if ((asked.active >> lane & 1) != 0 &&
          (more > room || asked.address[lane] + limits.nearest + below > room - more))
        refused::access_runs_past_the_end_of_shared_memory(lane, asked.address[lane] + first() + last, limits.capacity);
  }
  /// Checks the pattern, and calls take(cost, bytes from the first base) for each base.
  template <class Take>
  COALESCE_API constexpr void count(access asked, Take const& take) const {
    asked.bytes = limits.bytes;
    if constexpr (limits.capacity != 0) refuse_past_the_end(asked), detail::move_all(asked, first());
    // Moving the pattern by a multiple of the period changes no cost. So move the pattern by 2^57 bytes, as often as
    // needed, until no base takes a lane past the top of the 64-bit address space. The loop ends: there are 128
    // positions, 2^57 bytes apart, and each of at most 64 lanes rules out at most one position.
    for (unsigned lane = 0; lane != Instruction::lanes;)
      if (asked.address[lane++] > 0 - last - limits.bytes) detail::move_all(asked, std::uint64_t{1} << 57), lane = 0;
    for (std::uint64_t shift = 0; shift <= last; shift += alignment) {
      take(Instruction::cost_of(asked), shift);
      detail::move_all(asked, alignment);
    }
  }
};

template <instruction Instruction, class Pattern, class Active, class Visitor>
COALESCE_API constexpr bool visit(Pattern const& pattern, every_base const& over, Active const& active,
                                  Visitor& visitor) {
  using mask = decltype(detail::mask_of_lanes(active));
  if constexpr (detail::well_formed<Pattern, mask, Instruction::lanes>) {
    asked_bases<Instruction> bases(over);
    auto const asked = detail::apply<Instruction::lanes>(
        pattern, detail::address_lanes<Instruction>(detail::mask_of_lanes(active)), bases.before());
    if (asked.active == 0) return true;
    bases.include(asked);
    std::uint64_t const first = bases.first();
    bases.count(asked, [&](auto const& cost, std::uint64_t shift) { visitor.take(cost, {{first + shift}}); });
    return true;
  } else {
    return detail::ill_formed<bool, Pattern, mask, Instruction::lanes>();
  }
}

/// A domain, and the bases at which costs are counted. All points of the domain are moved to each base together.
template <unsigned Rank>
struct based {
  coalescing::domain<Rank> domain;
  every_base bases;
};

template <instruction Instruction, class Pattern, unsigned Rank, class Active, class Visitor>
COALESCE_API constexpr bool visit(Pattern const& pattern, based<Rank> const& over, Active const& active,
                                  Visitor& visitor) {
  using asked_type = access<Instruction::lanes>;
  constexpr std::uint64_t period = Instruction::period;
  static_assert((period & (period - 1)) == 0);
  asked_bases<Instruction> bases(over.bases);
  auto const each = [&](auto const& see) {
    return detail::each_point<Instruction>(pattern, over.domain, active, bases.before(), see);
  };
  if constexpr (capacity_of<Instruction> != 0)
    if (!each([&](asked_type const& asked, point const&) { return bases.include(asked), true; })) return false;
  std::uint64_t const first = bases.first(), step = period % bases.alignment == 0 ? bases.alignment : period;
  asked_type counted;  // the last access whose cost was counted at each base
  decltype(Instruction::cost_of(counted)) costs[(period - 1) / Instruction::alignment + 1] = {};
  return each([&](asked_type const& asked, point at) {
    // If this access is `counted`, moved by a multiple of `step` bytes, then `costs` has its costs already, because
    // `counted` had the same costs at other bases. For example, an access 32 bytes higher than `counted` costs at base
    // 0 what `counted` costs at base 32.
    if (!detail::is_moved_by_multiples(asked, counted, step)) {
      counted = asked;
      bases.count(asked, [&](auto const& cost, std::uint64_t shift) { costs[shift / bases.alignment] = cost; });
    } else if constexpr (capacity_of<Instruction> != 0) {
      bases.refuse_past_the_end(asked);
    }
    std::uint64_t const moved = asked.address[0] - counted.address[0];
    for (std::uint64_t shift = 0; shift <= bases.last; shift += bases.alignment)
      at.at[Rank] = first + shift, visitor.take(costs[(shift + moved) % period / bases.alignment], at);
    return true;
  });
}

template <>
inline constexpr bool can_be_visited<every_base> = true;
template <unsigned Rank>
inline constexpr bool can_be_visited<based<Rank>> = true;

#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

}  // namespace coalescing::detail
