// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/total/domain.hpp>
#include <coalesce/total/functions.hpp>

#include <cstdint>
#include <type_traits>

// Visits each instruction that is issued at every point of a domain, and hands its cost to a visitor. (total/bases.hpp
// does so at every base, total/warps.hpp in every warp of a launch.) The visitors add up the costs, or keep the worst
// or best.

namespace coalescing::detail {

// ---- Adding up, and keeping the worst or the best ----

template <class Cost>
struct added_up {
  Cost sum{};
  COALESCE_API constexpr void take(Cost const& cost, point const&) { sum += cost; }
  /// Adds the cost of one access `times` more times. take() has added that cost once already.
  COALESCE_API constexpr void repeat(Cost const& cost, std::uint64_t times) { sum += cost * times; }
};

/// Keeps the highest, or the lowest, value of each number, and the point that has it.
template <bool Highest, class Cost>
struct outermost;
template <bool Highest, template <class> class Cost>
struct outermost<Highest, Cost<counts>> {
  extreme<Cost> found{};
  bool any = false;

  COALESCE_API constexpr void take(Cost<counts> const& cost, point const& at) {
    keep(cost, at, typename Cost<counts>::numbers{}, typename Cost<places>::numbers{});
    any = true;
  }
  COALESCE_API constexpr void repeat(Cost<counts> const&, std::uint64_t) {}  // the same cost changes no worst or best
  COALESCE_API constexpr extreme<Cost> result() const { return found; }

 private:
  template <auto... Members, auto... Places>
  COALESCE_API constexpr void keep(Cost<counts> const& cost, point const& at, members<Members...>, members<Places...>) {
    ((!any || (Highest ? cost.*Members > found.cost.*Members : cost.*Members < found.cost.*Members)
          ? void((found.cost.*Members = cost.*Members, found.at.*Places = at))
          : void()),
     ...);
  }
};

// ---- Domains ----

/// Whether `asked` is the access `from` with all addresses moved by one distance, which is a multiple of `bytes`.
template <unsigned Lanes>
COALESCE_API constexpr bool is_moved_by_multiples(access<Lanes> const& asked, access<Lanes> const& from,
                                                  std::uint64_t bytes) {
  if (asked.active != from.active || (asked.address[0] - from.address[0]) % bytes != 0) return false;
  std::uint64_t const moved = asked.address[0] - from.address[0];
  // One statement compares `step` lanes, since compilers limit the number of statements in a constant expression.
  constexpr unsigned step = Lanes % 4 == 0 ? 4 : 1;
  for (unsigned lane = 0; lane != Lanes; lane += step)
    if (asked.address[lane] - from.address[lane] != moved ||
        asked.address[lane + 1 % step] - from.address[lane + 1 % step] != moved ||
        asked.address[lane + 2 % step] - from.address[lane + 2 % step] != moved ||
        asked.address[lane + 3 % step] - from.address[lane + 3 % step] != moved)
      return false;
  return true;
}

// visit() calls visitor.take(cost, point) for each instruction that is issued; over a domain it stops when
// visitor.is_done(). It returns false if the pattern or the mask has the wrong type, which a static_assert then
// reports. (The requires-expressions here have the visitor as a parameter, since nvcc before CUDA 12.4 rejects members
// of `this` in a requires-expression.)

/// The access at a point of a domain. A predicate is asked about every lane of the wave (core/waves.hpp).
template <class Instruction, unsigned Rank, class Pattern, class Active>
COALESCE_API constexpr access<Instruction::lanes> asked_at_point(Pattern const& pattern, Active const& active,
                                                                 unsigned const (&at)[4],
                                                                 address_limits const& limits) {
  at_point<Rank, Pattern> const here{pattern, at};
  if constexpr (wave_of<Instruction> == Instruction::lanes)
    return detail::apply<Instruction::lanes>(here, detail::mask_at<Rank>(active, at), limits);
  else
    return detail::apply<Instruction::lanes>(
        here, detail::address_lanes<Instruction>(detail::mask_at<Rank>(active, at)), limits);
}

/// Calls see(access, point) for each point of a domain at which a lane is active, until see() returns false. The first
/// dimension varies slowest. Returns false if the pattern or the mask has the wrong type.
template <class Instruction, class Pattern, unsigned Rank, class Active, class See>
COALESCE_API constexpr bool each_point(Pattern const& pattern, domain<Rank> const& over, Active const& active,
                                       address_limits const& limits, See const& see) {
  static_assert(takes_a_point<Pattern, Rank>,
                "over a domain of N dimensions a pattern is const-callable with the lane and N more numbers, all "
                "unsigned");
  if constexpr (takes_a_point<Pattern, Rank> && detail::fits_the_domain<Rank, Active>()) {
    using mask = decltype(detail::mask_at<Rank>(active, {}));
    using asked_at = std::conditional_t<gives_elements<Pattern>, Pattern, at_point<Rank, Pattern>>;
    if constexpr (!gives_elements<Pattern> && detail::well_formed<asked_at, mask, Instruction::lanes>) {
      std::uint64_t const points = detail::points_of(over);
      if constexpr (integer<mask>)  // a mask is checked even if the domain has no point
        static_cast<void>(detail::mask_of<Instruction::lanes>(detail::mask_of_lanes(active)));
      unsigned at[4] = {};
      for (std::uint64_t k = 0; k != points; ++k) {
        auto const asked = detail::asked_at_point<Instruction, Rank>(pattern, active, at, limits);
        if (asked.active != 0 && !see(asked, point{{at[0], at[1], at[2], at[3]}})) return true;
        for (unsigned digit = Rank; digit-- != 0;) {
          if (++at[digit] != over.extent[digit]) break;
          at[digit] = 0;
        }
      }
      return true;
    } else {
      return detail::ill_formed<bool, asked_at, mask, Instruction::lanes>();
    }
  } else {
    return false;
  }
}

/// Hands the cost of each access to a visitor. (A class, not a lambda: in a template, g++ warns if a lambda's parameter
/// has the name of a user's global variable.)
template <instruction Instruction, class Visitor, class Cost>
struct costed {
  Visitor& visitor;
  access<Instruction::lanes>& counted;  // the last access whose cost was counted
  Cost& cost;

  COALESCE_API constexpr bool operator()(access<Instruction::lanes> const& asked, point const& at) const {
    if (!detail::is_moved_by_multiples(asked, counted, Instruction::period))
      cost = Instruction::cost_of(asked), counted = asked;
    visitor.take(cost, at);
    if constexpr (requires(Visitor & v) { v.is_done(); })
      return !visitor.is_done();
    else
      return true;
  }
};
template <instruction Instruction, class Pattern, unsigned Rank, class Active, class Visitor>
COALESCE_API constexpr bool visit(Pattern const& pattern, domain<Rank> const& over, Active const& active,
                                  Visitor& visitor) {
  access<Instruction::lanes> counted;
  auto cost = decltype(Instruction::cost_of(counted)){};
  costed<Instruction, Visitor, decltype(cost)> const take{visitor, counted, cost};
  return detail::each_point<Instruction>(pattern, over, active, limits_of<Instruction>(), take);
}

template <class Over>
inline constexpr bool can_be_visited = false;
template <unsigned Rank>
inline constexpr bool can_be_visited<domain<Rank>> = true;

}  // namespace coalescing::detail
