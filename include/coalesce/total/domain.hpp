// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/core/misuse.hpp>

#include <cstdint>

// A domain is the set of the values that a pattern's arguments take, such as warps and steps; total.hpp counts over all
// of them. This header also has every_base, which stands for every base address, and the points at which a number of a
// cost is worst or best.

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
[[noreturn]] COALESCE_API inline void bases_are_less_aligned_than_the_instruction(std::uint64_t alignment) {
  detail::refuse_number("every_base: the alignment is less than the instruction's, ", alignment, " bytes");
}

}  // namespace refused

/// A domain: the values of one to four arguments that a pattern takes after the lane. Each counts from 0 up to its
/// extent, exclusive: domain{4, 8} is 4 warps and 8 steps of a pattern of (lane, warp, step).
template <unsigned Rank>
struct domain {
  static_assert(Rank != 0 && Rank <= 4, "a domain has one to four dimensions");
  std::int64_t extent[Rank];
  bool operator==(domain const&) const = default;
};
template <detail::integer... Extents>
#if defined(__clang__) && __clang_major__ < 22  // clang before 22 needs COALESCE_API here; later ones reject it
COALESCE_API
#endif
domain(Extents...)
    ->domain<sizeof...(Extents)>;

/// Every place where an array may begin: each multiple of `alignment` bytes, a power of two. The pattern is moved by 0,
/// alignment, 2 * alignment ... bytes. These moves stay below the instruction's period, since the costs repeat after so
/// many bytes. A pattern may reach below its base, since only the distances between the lanes' addresses matter:
/// [](unsigned lane) { return 4ll * lane - 4; }.
///
/// In shared memory and LDS the first base is the lowest at which no lane is below byte 0, and a co::point gives the
/// base itself. In global memory a co::point gives the base modulo the period. Refused: a pattern that runs past the
/// end of the memory at one of the bases. If a domain is given too, all of its points share one base: in shared memory
/// and LDS the lowest lane of all points sets the first base.
struct every_base {
  std::uint64_t alignment = 0;
  bool operator==(every_base const&) const = default;
};

/// The place of one access. Over a domain, it has one number for each dimension, then the base if every_base is given
/// too. Over every_base alone, it has the base first. Over a launch, it has the x, y and z of the block and the number
/// of the warp in the block. The remaining numbers are 0.
struct point {
  std::uint64_t at[5] = {};
  bool operator==(point const&) const = default;
};

namespace detail {

/// The number of points of a domain.
template <unsigned Rank>
COALESCE_API constexpr std::uint64_t points_of(domain<Rank> const& over) {
  std::uint64_t points = 1;
  for (std::int64_t const extent : over.extent) {
    if (extent < 0 || extent >> 32 != 0 || (extent != 0 && points > 0xffff'ffff / static_cast<std::uint64_t>(extent)))
      refused::domain_is_too_large_or_negative();
    points *= static_cast<std::uint64_t>(extent);
  }
  return points;
}

}  // namespace detail

/// Cost<places> has a point in place of each number of the cost: the point at which the number of the same name is
/// worst or best.
struct places {
  using sum = point;
  using most = point;
};

/// The worst or the best value of each number, in `cost`, and the first point that has it, under the same name in `at`.
/// (Points of a domain are ordered so that the first dimension varies slowest.)
template <template <class> class Cost>
struct extreme {
  Cost<counts> cost{};
  Cost<places> at{};
  bool operator==(extreme const&) const = default;
};

}  // namespace coalescing
