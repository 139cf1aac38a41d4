// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/record/arrays.hpp>
#include <coalesce/record/journal.hpp>
#include <coalesce/record/kernel.hpp>
#include <coalesce/record/prices.hpp>
#include <coalesce/record/recorder.hpp>
#include <coalesce/record/refusals.hpp>
#include <coalesce/suggest/search.hpp>
#include <coalesce/suggest/suggestion.hpp>
#include <coalesce/total/visits.hpp>

#include <cstdint>
#include <type_traits>

// The layout of a tile in shared memory with the fewest rounds, for all loads and stores that a recording finds.

namespace coalescing {

/// A layout of a tile for a recorded kernel, and its proof: the cost of all recorded loads and stores of the tile,
/// `before` as the kernel has them, `after` in `layout`.
struct recorded_suggestion {
  bank_cost<> before = {};
  bank_cost<> after = {};
  suggested_layout layout = {};
  std::uint64_t bytes = 0;  ///< that the tile occupies: rows times pitch
  std::uint64_t tried = 0;  ///< layouts counted; where is_optimal is false, the whole search space
  bool is_optimal = false;  ///< no access has a conflict left
  bool operator==(recorded_suggestion const&) const = default;
};

namespace detail {

/// A kind of access to the tile: what it costs, and the banks that it meets.
template <unsigned Lanes>
struct tile_use {
  price_function<Lanes> price = nullptr;
  std::uint64_t bytes = 0, period = 1, bank_row = 0, capacity = 0;
};
template <unsigned Lanes>
struct tile_access {
  unsigned use = 0;
  access<Lanes> asked = {};  ///< its addresses are bytes of the tile
};

/// Keeps the accesses to one array.
template <class Machine>
struct tile_taker {
  using issues = typename Machine::issues;
  static constexpr unsigned lanes = issues::lanes;

  array_facts const* tile = nullptr;
  grown<tile_use<lanes>> uses = {};
  grown<tile_access<lanes>> accesses = {};

  template <memory_space Space, touch Kind, unsigned Bytes, unsigned Alignment, class Instruction>
  constexpr unsigned meet(source_place const& at, array_facts const& array, unsigned lane) {
    if constexpr (Space != memory_space::shared || Kind == touch::atomic) {
      return no_index;
    } else if constexpr (!std::is_void<Instruction>::value) {
      return array.id == tile->id ? add_use<Instruction, Bytes>(&price_of_instruction<Instruction, lanes>) : no_index;
    } else {
      using first = decltype(detail::next_instruction<issues, Space, Kind, Bytes, Alignment>());
      if (array.id != tile->id) return no_index;
      if constexpr (!first::is_counted)
        refused::rounds_of_an_access_are_unknown(array.name, at.line, lane, Bytes);
      else
        return add_use<typename first::type, Bytes>(&price_of_element<issues, Space, Kind, Bytes, Alignment, lanes>);
      return no_index;
    }
  }
  template <class Instruction, unsigned Bytes>
  constexpr unsigned add_use(price_function<lanes> price) {
    if constexpr (has_rounds<Instruction>)
      return uses.append({price, Bytes, Instruction::period, std::uint64_t{Instruction::banks} * Instruction::unit,
                          capacity_of<Instruction>});
    else
      return no_index;
  }
  constexpr void take(unsigned use, access<lanes> asked, std::uint64_t, bool) {
    if (use == no_index) return;
    for (std::uint64_t& address : asked.address) address -= tile->base;
    accesses.append({use, asked});
  }
};
template <class Machine>
struct tile_recorder : recorder<Machine::issues::lanes, tile_taker<Machine>> {
  using base = recorder<Machine::issues::lanes, tile_taker<Machine>>;
  tile_taker<Machine> kept = {};
  constexpr tile_recorder() : base(kept) {}
  constexpr void begin_warp(place const&, unsigned) { base::begin_warp(); }
};

/// The search: the layouts of a space, each asked about the recorded accesses.
template <unsigned Lanes>
struct recorded_search {
  grown<tile_use<Lanes>> const& uses;
  grown<tile_access<Lanes>> const& accesses;
  std::uint64_t row_bytes;
  unsigned suspect = 0;  ///< the access that ruled out the last layout: it is counted first for the next
  recorded_suggestion found = {};

  /// The cost of all accesses under a layout, summed until there are `limit` conflicts.
  constexpr bank_cost<> cost_under(suggested_layout const& layout, std::uint64_t limit) {
    bank_cost<> sum, of_one;
    access<Lanes> counted;
    unsigned counted_use = no_index;
    for (unsigned turn = 0; turn != accesses.count; ++turn) {
      unsigned const which = (suspect + turn) % accesses.count;
      auto const& [use, from] = accesses[which];
      access<Lanes> asked = from;
      std::uint64_t any = 0, all = all_lanes;
      for (std::uint64_t& address : asked.address)
        address = layout.swizzle(address / row_bytes * static_cast<std::uint64_t>(layout.pitch) + address % row_bytes),
        any |= address, all &= address;
      asked.differ = any & ~all;
      if (use != counted_use || !detail::is_moved_by_multiples(asked, counted, uses[use].period)) {
        auto const cost = uses[use].price(asked, any).cost;
        of_one = {.rounds = cost.rounds, .conflicts = cost.conflicts, .phases = cost.phases, .ways = cost.ways};
        counted = asked, counted_use = use;
      }
      sum += of_one;
      if (sum.conflicts >= limit) return suspect = which, sum;
    }
    return sum;
  }
  /// Keeps a layout that has fewer than `limit` conflicts, and lowers `limit` to its number. Returns whether the search
  /// is over: a layout has no conflict.
  constexpr bool consider(suggested_layout const& layout, std::uint64_t& limit) {
    ++found.tried;
    auto const cost = cost_under(layout, limit);
    if (cost.conflicts >= limit) return false;
    found.after = cost, found.layout = layout;
    return (limit = cost.conflicts) == 0;
  }
};

/// Calls each(layout) for the swizzles of a tile, then for its paddings, until each() returns true. (The order is that
/// of suggest/search.hpp.)
template <unsigned Lanes, class Each>
constexpr void walk_layouts(array_facts const& tile, grown<tile_use<Lanes>> const& uses, Each const& each) {
  std::uint64_t const row_bytes = tile.columns * tile.element_bytes, bytes = tile.rows * row_bytes;
  std::uint64_t unit = tile.element_bytes & (~tile.element_bytes + 1), period = 1, widest = 1,
                narrowest = ~std::uint64_t{0}, capacity = ~std::uint64_t{0};
  for (unsigned k = 0; k != uses.count; ++k) {
    auto const& use = uses[k];
    unit = detail::most_of(unit, detail::next_power_of_two(static_cast<unsigned>(use.bytes)));
    period = detail::most_of(period, use.period), capacity = detail::least_of(capacity, use.capacity);
    widest = detail::most_of(widest, use.bank_row), narrowest = detail::least_of(narrowest, use.bank_row);
  }
  if (row_bytes % unit != 0) refused::rows_are_no_multiple_of_the_vector(unit);
  suggested_layout layout{.element_bytes = tile.element_bytes, .pitch = static_cast<std::int64_t>(row_bytes)};
  unsigned const lowest = detail::log2_of(unit), highest = detail::log2_of(widest), first = detail::log2_of(narrowest),
                 end = detail::log2_of(2 * bytes - 1), pitch = detail::log2_of(row_bytes),
                 preferred = pitch < first || pitch >= end ? first : pitch;
  bool const can_be_swizzled = (tile.element_bytes & (tile.element_bytes - 1)) == 0;
  for (unsigned n = 0; can_be_swizzled && first + n < end; ++n) {
    unsigned const from = n == 0 ? preferred : first + n - (first + n <= preferred);
    for (unsigned bits = highest > lowest ? highest - lowest : 0; bits != 0; --bits)
      for (unsigned base = lowest; base + bits <= highest; ++base) {
        std::uint64_t const moved = bytes >> from & ((std::uint64_t{1} << bits) - 1);
        bool const leaves = moved != 0 && bytes % (std::uint64_t{2} << (base + detail::log2_of(moved))) != 0;
        if (from + bits > end || base + bits > from || leaves) continue;
        layout.swizzle = {.bits = bits, .base = base, .shift = static_cast<int>(from - base)};
        if (each(layout)) return;
      }
  }
  layout.swizzle = {};
  for (std::uint64_t padding = unit; padding < period && row_bytes + padding <= capacity / tile.rows; padding += unit) {
    layout.pitch = static_cast<std::int64_t>(row_bytes + padding);
    if (each(layout)) return;
  }
}

}  // namespace detail

/// Finds the layout of a kernel's co::shared<T[rows][columns]> with the fewest rounds, for all its loads and stores in
/// one block, by default {0, 0, 0}, and for instructions of co::issue. It leaves out atomics. Layouts and their order
/// are those of co::suggest(tile, uses...); the tile begins at byte 0. Refused: an array that is no such tile; a row
/// that is no multiple of the widest access; an access whose rounds no source tells.
template <class Machine, class Body, class... Arrays>
[[nodiscard]] constexpr recorded_suggestion suggest(kernel<Body, Arrays...> const& what, char const* array,
                                                    place const& block = {}) {
  if (!__builtin_is_constant_evaluated()) detail::at_run_time();
  static_assert(detail::has_issues<Machine>, "suggest<Machine>(kernel, array): a machine, such as co::cuda::cc90");
  detail::check_block(what.launch, block);
  detail::tile_recorder<Machine> to;
  detail::runner<detail::tile_recorder<Machine>, kernel<Body, Arrays...>> const runs{what, to};
  for (unsigned k = 0; k != runs.arrays; ++k)
    if (detail::same_words(runs.facts[k].name, array)) to.kept.tile = runs.facts + k;
  if (to.kept.tile == nullptr) refused::recording_has_no_such_array(array);
  detail::array_facts const& tile = *to.kept.tile;
  if (tile.rows == 0) refused::array_is_no_tile_in_shared_memory(array);
  runs.run(block, 0, runs.warps());

  detail::recorded_search<Machine::issues::lanes> search{to.kept.uses, to.kept.accesses,
                                                         tile.columns * tile.element_bytes};
  std::uint64_t fewest = ~std::uint64_t{0}, free = 1;
  search.consider({.element_bytes = tile.element_bytes, .pitch = static_cast<std::int64_t>(search.row_bytes)}, fewest);
  auto& found = search.found;
  found.before = found.after;
  auto const walk = [&search, &tile, &to](std::uint64_t& limit) {
    detail::walk_layouts(tile, to.kept.uses,
                         [&search, &limit](suggested_layout const& layout) { return search.consider(layout, limit); });
  };
  if (fewest != 0) walk(free);
  if (fewest != 0 && free != 0) found.tried = 1, walk(fewest);
  found.bytes = tile.rows * static_cast<std::uint64_t>(found.layout.pitch);
  found.is_optimal = found.after.conflicts == 0;
  return found;
}

}  // namespace coalescing
