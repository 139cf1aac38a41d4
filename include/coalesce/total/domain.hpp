// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/core/misuse.hpp>

#include <cstdint>

// Again and again: the warps, steps and bases over which total.hpp asks, and where in them a number is at its worst.

namespace coalescing {

namespace refused {

[[noreturn]] COALESCE_API inline void domain_is_too_large_or_negative() {
  detail::refuse("an extent of a domain is negative, or it has more than 2^32 - 1 points");
}
[[noreturn]] COALESCE_API inline void nothing_is_issued() {
  detail::refuse("there is no worst or best: no point of the domain has an active lane");
}
[[noreturn]] COALESCE_API inline void alignment_is_no_power_of_two() {
  detail::refuse("every_base: the alignment is no power of two");
}
[[noreturn]] COALESCE_API inline void bases_are_less_aligned_than_the_instruction() {
  detail::refuse("every_base: the alignment is less than the instruction's (Instruction::alignment)");
}

}  // namespace refused

/// The values that up to four more arguments of a pattern take, each from 0 on: domain{4, 8} is 4 warps and 8 steps of
/// a pattern of (lane, warp, step).
template <unsigned Rank>
struct domain {
  static_assert(Rank != 0 && Rank <= 4, "a domain has one to four dimensions");
  std::int64_t extent[Rank];
  bool operator==(domain const&) const = default;
};
template <detail::integer... Extents>
#if defined(__clang__) && __clang_major__ < 22  // which wants it marked, and later ones unmarked
COALESCE_API
#endif
domain(Extents...)
    ->domain<sizeof...(Extents)>;

/// Every base address that is a multiple of `alignment` bytes, a power of two: the pattern shifted by 0, alignment, ...
/// up to the instruction's period, after which all repeats. How the lanes lie to each other is all that matters, so a
/// pattern may begin anywhere and reach below its base: [](unsigned lane) { return 4ll * lane - 4; }.
///
/// In shared memory and LDS the bases begin with the first at which no lane is below byte 0, and a place is the base
/// itself. In global memory a place is the base modulo the period. Refused: a pattern that runs past the end at one of
/// these.
struct every_base {
  std::uint64_t alignment = 0;
  bool operator==(every_base const&) const = default;
};

/// A place in a domain, its dimensions in order, or a base in the first; the others are 0.
struct point {
  std::uint64_t at[4] = {};
  bool operator==(point const&) const = default;
};

/// The numbers of a cost are places: where each number is at its worst or best.
struct places {
  using sum = point;
  using most = point;
};

/// The worst or the best of each number, and under the same name where that is first found: in a domain the first
/// dimension varies slowest.
template <template <class> class Cost>
struct extreme {
  Cost<counts> cost{};
  Cost<places> at{};
  bool operator==(extreme const&) const = default;
};

}  // namespace coalescing
