// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/layout.hpp>
#include <coalesce/suggest/lanes.hpp>
#include <coalesce/suggest/search.hpp>
#include <coalesce/suggest/suggestion.hpp>
#include <coalesce/suggest/uses.hpp>
#include <coalesce/total/domain.hpp>
#include <coalesce/total/visits.hpp>

// Finds layouts. co::suggest() takes a tile in shared memory or LDS with the accesses that write and read it; it
// returns the padding or swizzle with the fewest rounds in total, and the proof (suggest/search.hpp gives the order of
// the search). co::suggest_lanes() takes a matrix in global memory; it returns the width and the mapping of lanes with
// the least cost (suggest/lanes.hpp).

namespace coalescing {

/// One access to a tile: an instruction on shared memory or LDS, and a function (lane) -> co::cell that gives the cell
/// at which each lane's access begins. Over a domain the function is (lane, step, ...) -> co::cell.
template <instruction Instruction, class Cells, class Active = detail::everyone>
[[nodiscard]] COALESCE_API constexpr auto use(Cells const& cells, Active const& active = {}) {
  return detail::use_of<Instruction, Cells, detail::once, Active>{cells, {}, active};
}
/// The same use over a domain. `active` is a mask, a predicate of the lane, or a predicate of the arguments of `cells`.
template <instruction Instruction, class Cells, unsigned Rank, class Active = detail::everyone>
[[nodiscard]] COALESCE_API constexpr auto use(Cells const& cells, domain<Rank> const& over, Active const& active = {}) {
  return detail::use_of<Instruction, Cells, domain<Rank>, Active>{cells, over, active};
}

/// Finds the layout of the tile with the fewest rounds in total over all uses. The uses may be of different machines.
/// Between layouts with equally many rounds the one with the fewest bytes wins; between those, the first in the order
/// of suggest/search.hpp. The answer is the same at compile time and at run time.
///
///     constexpr auto found = co::suggest(co::tile{.rows = 32, .columns = 32, .element_bytes = 4},
///                                        co::use<cc90::shared_store<32>>(by_rows),
///                                        co::use<cc90::shared_load<32>>(by_columns));
///
/// Refused: a tile with a base or a pitch; rows that are no multiple of the widest access; cells outside the tile.
///
/// Constexpr steps of clang (tests/cost/budget holds them): a transpose of 32 x 32 floats takes under 50,000. 64 x 64
/// halves staged in LDS, 16 accesses of 64 lanes, take under 200,000. The proof that no layout is free of conflicts,
/// for three accesses of a warp in up to 64 KB, takes under a million. Ask longer questions at run time.
template <class... Uses>
[[nodiscard]] COALESCE_API constexpr auto suggest(tile const& of, Uses const&... uses) {
  constexpr bool are_uses = sizeof...(Uses) != 0 && (detail::is_a_use<Uses>::value && ...);
  static_assert(are_uses,
                "suggest(tile, uses...): each use is co::use<Instruction>(cells[, co::domain{n...}][, active])");
  if constexpr (are_uses) {
    constexpr bool are_on_pieces = (detail::is_on_one_piece<typename Uses::instruction> && ...);
    constexpr bool have_rounds = (detail::has_rounds<typename Uses::instruction> && ...);
    constexpr bool give_cells = (detail::gives_cells<Uses>::value && ...);
    static_assert(are_on_pieces,
                  "suggest: a use is of an instruction on shared memory or LDS, where each lane touches one piece (of "
                  "ds_read2 and ds_write2, use ds_read and ds_write of the same bits for each of the two)");
    static_assert(
        !are_on_pieces || have_rounds,
        "suggest: no source tells the rounds of an instruction that a use is of (ds_atomic and ds_read_tr<96, "
        "6> of CDNA), so there is nothing to be least");
    static_assert(give_cells,
                  "suggest: the cells of a use are const-callable with the lane, and with N more numbers over a domain "
                  "of N dimensions, all unsigned, and give a co::cell");
    if constexpr (are_on_pieces && have_rounds && give_cells)
      return detail::layout_search<Uses...>(of).run(uses...);
    else
      return suggestion<sizeof...(Uses)>{};
  } else {
    return suggestion<1>{};
  }
}

}  // namespace coalescing
