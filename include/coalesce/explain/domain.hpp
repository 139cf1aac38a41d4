// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/explain/words.hpp>
#include <coalesce/total/visits.hpp>

#include <cstddef>
#include <cstdint>

// Finds the worst point of a domain, which is the point that an explanation is about.

namespace coalescing::detail {

/// The maximum length, in characters, of the sentence that names the worst point.
inline constexpr std::size_t where_capacity = 160;

/// A number of a cost, and the point where it is highest.
struct highest {
  char const* name = "";
  std::uint64_t number = 0;
  point at = {};
};
/// The number by which points are compared. It is the first of these that the cost has: rounds, clocks, transactions,
/// lanes_on_one_address, requests.
template <template <class> class Cost>
COALESCE_API constexpr highest highest_of(extreme<Cost> const& found) {
  if constexpr (requires { found.at.rounds; })
    return {"rounds", found.cost.rounds, found.at.rounds};
  else if constexpr (requires { found.at.clocks; })
    return {"clocks", found.cost.clocks, found.at.clocks};
  else if constexpr (requires { found.at.transactions; })
    return {"transactions", found.cost.transactions, found.at.transactions};
  else if constexpr (requires { found.at.lanes_on_one_address; })
    return {"lanes_on_one_address", found.cost.lanes_on_one_address, found.at.lanes_on_one_address};
  else
    return {"requests", found.cost.requests, found.at.requests};
}

/// The point of a domain with the highest cost. If several points have it, this is the first of them.
template <instruction Instruction>
struct worst_point {
  highest found = {};
  unsigned at[4] = {};

  template <class Pattern, unsigned Rank, class Active>
  COALESCE_API constexpr void find(Pattern const& pattern, domain<Rank> const& over, Active const& active) {
    outermost<true, typename Instruction::cost_type> kept;
    if (!detail::visit<Instruction>(pattern, over, active, kept)) return;
    if (!kept.any) refused::nothing_is_issued();
    found = detail::highest_of(kept.result());
    for (unsigned k = 0; k != Rank; ++k) at[k] = static_cast<unsigned>(found.at.at[k]);
  }
  /// Writes "The worst of 32 points is (0, 7), the first with the most rounds, 8".
  template <std::size_t Capacity, unsigned Rank>
  COALESCE_API constexpr void say_where(text<Capacity>& out, domain<Rank> const& over) const {
    detail::say(out, "The worst of ", detail::points_of(over), " points is (");
    for (unsigned k = 0; k != Rank; ++k) detail::say(out, k == 0 ? "" : ", "), out.append(at[k]);
    detail::say(out, "), the first with the most ", found.name, ", ", found.number, "\n");
  }
};

}  // namespace coalescing::detail
