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
#include <coalesce/suggest/spaces.hpp>
#include <coalesce/suggest/suggestion.hpp>
#include <coalesce/suggest/uses.hpp>
#include <coalesce/total/visits.hpp>

#include <cstdint>
#include <type_traits>

// Finds the layout of a tile in shared memory under which the loads and stores of a recording take the fewest rounds.

namespace coalescing {

/// A layout of a tile for a recorded kernel, and its proof: what all recorded loads and stores of the tile cost.
/// `before` is the cost in the layout that the kernel gives the tile, `after` the cost in `layout`.
struct recorded_suggestion {
  bank_cost<> before = {};
  bank_cost<> after = {};
  suggested_layout layout = {};
  std::uint64_t bytes = 0;  ///< bytes that the tile occupies: rows times pitch
  std::uint64_t tried = 0;  ///< how many layouts were tried; all layouts of the search space if is_optimal is false
  bool is_optimal = false;  ///< no access has a conflict left
  bool operator==(recorded_suggestion const&) const = default;
};

namespace detail {

/// One access to the tile, and the function that gives the cost of such accesses.
template <unsigned Lanes>
struct tile_access {
  price_function<Lanes> price = nullptr;
  access<Lanes> asked = {};  ///< its addresses are offsets in the tile, in bytes
  unsigned site = 0;         ///< the number of its site (its place in the source)
};
/// Whether one function gives the cost of both accesses. (Sites are compared, since g++ 11 cannot compare two functions
/// in a constant expression.)
template <unsigned Lanes>
constexpr bool has_price_of(tile_access<Lanes> const& one, tile_access<Lanes> const& other) {
  return one.site == other.site;
}

/// Receives all accesses of a recorder (as a sink of journal.hpp), and keeps the loads and stores to one shared array.
template <class Machine>
struct tile_sink {
  using issues = typename Machine::issues;
  static constexpr unsigned lanes = issues::lanes;

  array_facts const* tile = nullptr;
  tile_limits limits = {};
  struct place_and_bytes {
    unsigned line = 0, bytes = 0;
  };
  grown<price_function<lanes>> prices = {};  ///< for each site of the tile, the function that gives its cost
  grown<place_and_bytes> places = {};        ///< for each of these sites its line, and the bytes of a lane
  grown<tile_access<lanes>> accesses = {};

  template <memory_space Space, touch Kind, unsigned Bytes, unsigned Alignment, class Instruction>
  constexpr unsigned add_site(source_place const& at, array_facts const& array, unsigned lane) {
    if constexpr (Space != memory_space::shared || Kind == touch::atomic) {
      return no_index;
    } else if constexpr (!std::is_void<Instruction>::value) {
      if (array.id != tile->id) return no_index;
      if constexpr (!has_rounds<Instruction>)
        refused::rounds_of_an_access_are_unknown(array.name, at.line, lane, Bytes);
      else if constexpr (!is_on_one_piece<Instruction>)
        refused::second_place_of_a_lane_is_at_a_fixed_distance(array.name, at.line, lane, Bytes);
      else
        return add_use<Instruction, Bytes>(at, &price_of_instruction<Instruction, lanes>);
      return no_index;
    } else {
      constexpr auto first = detail::next_instruction<issues, Space, Kind, Bytes, Alignment>();
      if (array.id != tile->id) return no_index;
      if constexpr (!first.is_counted)
        refused::rounds_of_an_access_are_unknown(array.name, at.line, lane, Bytes);
      else
        return add_use<typename decltype(first)::type, Bytes>(
            at, &price_of_element<issues, Space, Kind, Bytes, Alignment, lanes>);
      return no_index;
    }
  }
  template <class Instruction, unsigned Bytes>
  constexpr unsigned add_use(source_place const& at, price_function<lanes> price) {
    detail::tighten(limits, limits_of_use<Instruction>());
    limits.unit = detail::most_of(limits.unit, detail::next_power_of_two(Bytes));
    places.append({at.line, Bytes});
    return prices.append(price);
  }
  constexpr void add_access(unsigned use, access<lanes> asked, std::uint64_t, bool) {
    if (use == no_index) return;
    for (std::uint64_t& address : asked.address) address -= tile->base;
    place_and_bytes const& of = places[use];
    std::uint64_t const piece = detail::next_power_of_two(of.bytes);
    for (unsigned lane = 0; lane != lanes; ++lane)
      if ((asked.active >> lane & 1) != 0 && (asked.address[lane] % piece + of.bytes > piece ||
                                              asked.address[lane] % limits.row_bytes + of.bytes > limits.row_bytes))
        refused::element_crosses_what_stays_together(tile->name, of.line, lane, of.bytes);
    accesses.append({prices[use], asked, use});
  }
};
template <class Machine>
struct tile_recorder : recorder<Machine::issues::lanes, tile_sink<Machine>> {
  using base = recorder<Machine::issues::lanes, tile_sink<Machine>>;
  tile_sink<Machine> kept = {};
  constexpr tile_recorder() : base(kept) {}
  constexpr void begin_warp(place const&, unsigned) { base::begin_warp(); }
};

/// The rounds of an access to a tile.
template <unsigned Lanes>
constexpr bank_cost<> rounds_by(price_function<Lanes> price_of, access<Lanes> const& asked, std::uint64_t any) {
  auto const cost = price_of(asked, any).cost;
  return {.rounds = cost.rounds, .conflicts = cost.conflicts, .phases = cost.phases, .ways = cost.ways};
}

/// Counts what recorded accesses to a tile cost under a layout.
template <class TileAccess>
struct recorded_costs {
  grown<TileAccess> const& accesses;
  tile_limits const& of;
  /// The index of the access that ruled out the last layout. Under the next layout this access is counted first.
  unsigned suspect = 0;

  constexpr std::uint64_t operator()(suggested_layout const& layout, std::uint64_t limit, bank_cost<>& sum) {
    bank_cost<> of_one;
    decltype(TileAccess::asked) counted;
    TileAccess const* counted_as = nullptr;
    sum = {};
    for (unsigned turn = 0; turn != accesses.count && sum.conflicts < limit; ++turn) {
      unsigned const which = (suspect + turn) % accesses.count;
      TileAccess const& next = accesses[which];
      auto const asked = detail::moved_to(layout, of.row_bytes, next.asked);
      // has_price_of() and rounds_by() are called without a namespace. So argument-dependent lookup also finds those
      // that are declared for another TileAccess (host/named/suggest.hpp).
      if (counted_as == nullptr || !has_price_of(next, *counted_as) ||
          !detail::is_moved_by_multiples(asked, counted, of.period)) {
        std::uint64_t any = 0;
        for (std::uint64_t const address : asked.address) any |= address;
        of_one = rounds_by(next.price, asked, any);
        counted = asked, counted_as = &next;
      }
      sum += of_one;
      if (sum.conflicts >= limit) suspect = which;
    }
    return sum.conflicts;
  }
};

/// Finds the swizzle or padding for recorded accesses.
template <class TileAccess>
constexpr recorded_suggestion suggest_recorded(grown<TileAccess> const& accesses, tile_limits const& of) {
  recorded_costs<TileAccess> costs{accesses, of};
  using search = layout_search<swizzles_and_pitches, recorded_costs<TileAccess>, recorded_suggestion>;
  return search{.space = {}, .of = of, .count = costs}.run();
}

}  // namespace detail

/// Finds the layout of a kernel's co::shared<T[rows][columns]> with the fewest rounds. It counts all loads and stores
/// that one block, by default {0, 0, 0}, makes to this tile. Instructions of co::issue count too. Atomics do not.
/// Layouts and their order are those of co::suggest(tile, uses...). The costs hold for a tile that begins at byte 0,
/// wherever the kernel places it. Refused:
/// - an array that is not such a tile;
/// - a row whose bytes are not a multiple of the bytes of the widest access, where 12 bytes count as 16 (the next power
///   of two);
/// - an access whose rounds no published source states;
/// - an instruction of co::issue with two places in a lane, such as ds_read2;
/// - a tile that the block neither loads from nor stores to.
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
  auto& limits = to.kept.limits;
  limits.rows = tile.rows, limits.row_bytes = tile.columns * tile.element_bytes,
  limits.element_bytes = tile.element_bytes;
  runs.run(block, 0, runs.warps());
  if (limits.row_bytes % limits.unit != 0) refused::rows_are_no_multiple_of_the_vector(limits.unit);
  limits.unit = detail::most_of(limits.unit, limits.element_bytes & (~limits.element_bytes + 1));
  if (to.kept.accesses.count == 0) refused::tile_is_not_accessed(array);
  return detail::suggest_recorded(to.kept.accesses, limits);
}

}  // namespace coalescing
