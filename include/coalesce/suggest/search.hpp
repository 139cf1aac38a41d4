// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/suggest/suggestion.hpp>
#include <coalesce/suggest/uses.hpp>
#include <coalesce/total/visits.hpp>

#include <cstdint>

// The search. It tries the layouts of a space (suggest/spaces.hpp) one by one, and counts what the recorded accesses
// cost under each.

namespace coalescing::detail {

/// Moves an access to a layout. `in_rows` is the access in rows of `row_bytes` bytes without padding.
template <class Layout, unsigned Lanes>
COALESCE_API constexpr access<Lanes> moved_to(Layout const& layout, std::uint64_t row_bytes,
                                              access<Lanes> const& in_rows) {
  static_assert(Lanes % 4 == 0, "four lanes are moved in one statement, since compilers count statements");
  auto const& from = in_rows.address;
  access<Lanes> asked;
  std::uint64_t any = 0, all = all_lanes;
  for (unsigned k = 0; k != Lanes; k += 4)
    asked.address[k] = layout.byte_at(from[k] / row_bytes, from[k] % row_bytes),
    asked.address[k + 1] = layout.byte_at(from[k + 1] / row_bytes, from[k + 1] % row_bytes),
    asked.address[k + 2] = layout.byte_at(from[k + 2] / row_bytes, from[k + 2] % row_bytes),
    asked.address[k + 3] = layout.byte_at(from[k + 3] / row_bytes, from[k + 3] % row_bytes),
    any |= asked.address[k] | asked.address[k + 1] | asked.address[k + 2] | asked.address[k + 3],
    all &= asked.address[k] & asked.address[k + 1] & asked.address[k + 2] & asked.address[k + 3];
  asked.active = in_rows.active, asked.bytes = in_rows.bytes;
  asked.differ = any & ~all;
  return asked;
}

/// Counts the cost of a use under a layout. It stops at `limit` conflicts, since a layout with so many is no better
/// than the best one so far.
template <class Layout, class Instruction>
COALESCE_API constexpr bank_cost<> cost_under(Layout const& layout, std::uint64_t row_bytes, std::uint64_t limit,
                                              recorded_use<Instruction> const& use) {
  bank_cost<> sum, of_one;
  access<Instruction::lanes> counted;  // the last access whose cost was counted
  for (auto const& in_rows : use) {
    auto const asked = detail::moved_to(layout, row_bytes, in_rows);
    if (!detail::is_moved_by_multiples(asked, counted, Instruction::period)) {
      auto const cost = Instruction::cost_of(asked);
      of_one = {.rounds = cost.rounds, .conflicts = cost.conflicts, .phases = cost.phases, .ways = cost.ways};
      counted = asked;
    }
    sum += of_one;
    if (sum.conflicts >= limit) break;
  }
  return sum;
}

COALESCE_API constexpr void assign(bank_cost<>& to, bank_cost<> const& from) { to = from; }
template <unsigned Uses>
COALESCE_API constexpr void assign(bank_cost<> (&to)[Uses], bank_cost<> const (&from)[Uses]) {
  for (unsigned k = 0; k != Uses; ++k) to[k] = from[k];
}

/// Searches one space for the layout with the fewest conflicts. count(layout, limit, after) writes to `after` what each
/// use costs under a layout, and returns the conflicts of all uses. It stops at `limit` conflicts, since a layout with
/// so many is no better than the best one so far.
template <class Space, class Count, class Found>
struct layout_search {
  using layout_type = typename Space::layout_type;

  Space const& space;
  tile_limits const& of;
  Count& count;
  Found found = {};

  /// Keeps a layout if it has fewer than `limit` conflicts, and lowers `limit` to its number of conflicts. Returns true
  /// if the layout has no conflict, which ends the search.
  COALESCE_API constexpr bool consider(layout_type const& layout, std::uint64_t& limit) {
    ++found.tried;
    Found next = found;
    std::uint64_t const conflicts = count(layout, limit, next.after);
    if (conflicts >= limit) return false;
    next.layout = layout, found = next;
    return (limit = conflicts) == 0;
  }
  COALESCE_API constexpr void walk(std::uint64_t& limit) {
    // The parameter has an unlikely name: g++ warns if a user's global variable has the same name.
    space.walk(of, [this, &limit](layout_type const& layout_to_ask) { return consider(layout_to_ask, limit); });
  }

  /// Tries every layout until one has no conflict.
  COALESCE_API constexpr Found run() {
    constexpr std::uint64_t none_yet = ~std::uint64_t{0};
    bool const has_rows = space.has_rows(of);
    std::uint64_t fewest = none_yet;
    consider(space.in_rows(of), fewest);
    detail::assign(found.before, found.after);
    if (!has_rows) found.tried = 0, fewest = none_yet;
    if (fewest != 0) walk(fewest);
    found.bytes = space.bytes(of, found.layout);
    found.is_optimal = fewest == 0;
    return found;
  }
};

/// Finds the layout of a space under which the uses of a tile have the fewest conflicts.
template <class Space, class... Recorded>
COALESCE_API constexpr auto search_layouts(Space const& space, tile_limits const& of, Recorded const&... uses) {
  constexpr unsigned count_of_uses = sizeof...(Recorded);
  unsigned suspect = 0;  // the use that ruled out the last layout; under the next layout this use is counted first
  auto count = [&](auto const& layout, std::uint64_t limit, bank_cost<>* after) {
    std::uint64_t conflicts = 0;
    for (unsigned turn = 0; turn != count_of_uses && conflicts < limit; ++turn) {
      unsigned const which = (suspect + turn) % count_of_uses;
      unsigned k = 0;
      ((k++ == which ? void(after[which] = detail::cost_under(layout, of.row_bytes, limit - conflicts, uses)) : void()),
       ...);
      conflicts += after[which].conflicts;
      if (conflicts >= limit) suspect = which;
    }
    return conflicts;
  };
  using found = suggestion<count_of_uses, typename Space::layout_type>;
  return layout_search<Space, decltype(count), found>{.space = space, .of = of, .count = count}.run();
}

}  // namespace coalescing::detail
