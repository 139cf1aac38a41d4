// SPDX-License-Identifier: BSL-1.0
#pragma once
#ifdef __GNUC__  // g++ 12 warns where a user's global has the name of a parameter in these headers
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/layout.hpp>
#include <coalesce/suggest/boxes.hpp>
#include <coalesce/suggest/copied.hpp>
#include <coalesce/suggest/lanes.hpp>
#include <coalesce/suggest/search.hpp>
#include <coalesce/suggest/spaces.hpp>
#include <coalesce/suggest/suggestion.hpp>
#include <coalesce/suggest/uses.hpp>
#include <coalesce/total/domain.hpp>
#include <coalesce/total/visits.hpp>
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

// Finds layouts. co::suggest() takes a tile in shared memory or LDS, and the accesses that write and read it. It
// returns the padding or swizzle with the fewest rounds in total. As a proof it also returns what each access costs
// before and after. (suggest/spaces.hpp lists the layouts in the order in which they are tried.) co::suggest_lanes()
// takes a matrix in global memory. It returns the width and the mapping of lanes with the least cost
// (suggest/lanes.hpp).

namespace coalescing {

/// One access to a tile: an instruction on shared memory or LDS, and a function (lane) -> co::cell that gives the cell
/// at which each lane's access begins. Over a domain the function is (lane, step, ...) -> co::cell.
template <instruction Instruction, class Cells, class Active = detail::everyone>
[[nodiscard]] COALESCE_API constexpr auto use(Cells const& cells, Active const& active = {}) {
  return detail::use_of<Instruction, Cells, detail::once, Active>{cells, {}, active};
}
/// Accesses to a tile, one for each point of a domain. `active` is a mask, a predicate of the lane, or a predicate of
/// the arguments of `cells`.
template <instruction Instruction, class Cells, unsigned Rank, class Active = detail::everyone>
[[nodiscard]] COALESCE_API constexpr auto use(Cells const& cells, domain<Rank> const& over, Active const& active = {}) {
  return detail::use_of<Instruction, Cells, domain<Rank>, Active>{cells, over, active};
}

namespace detail {

/// Whether suggest() can search layouts for these uses. If not, a static_assert prints one sentence.
template <class... Uses>
COALESCE_API constexpr bool can_be_asked() {
  constexpr bool are_uses = sizeof...(Uses) != 0 && (is_a_use<Uses>::value && ...);
  static_assert(are_uses,
                "suggest(tile, uses...): each use is co::use<Instruction>(cells[, co::domain{n...}][, active])");
  if constexpr (are_uses) {
    constexpr bool all_exist = !(detail::is_refused<typename Uses::instruction>() || ...);
    constexpr bool are_on_pieces = (is_on_one_piece<typename Uses::instruction> && ...);
    constexpr bool have_rounds = (has_rounds<typename Uses::instruction> && ...);
    constexpr bool give_cells = (gives_cells<Uses>::value && ...);
    static_assert(!all_exist || are_on_pieces,
                  "suggest: a use is of an instruction on shared memory or LDS, where each lane touches one piece (of "
                  "ds_read2 and ds_write2, use ds_read and ds_write of the same bits for each of the two)");
    static_assert(
        !all_exist || !are_on_pieces || have_rounds,
        "suggest: no source tells the rounds of an instruction that a use is of (ds_atomic and ds_read_tr<96, "
        "6> of CDNA), so there is nothing to be least");
    static_assert(give_cells,
                  "suggest: the cells of a use are const-callable with the lane, and with N more numbers over a domain "
                  "of N dimensions, all unsigned, and give a co::cell");
    return all_exist && are_on_pieces && have_rounds && give_cells;
  } else {
    return false;
  }
}
/// The number of uses, or 1 if there are none. An answer has arrays of this size, which may not be 0. (Without uses a
/// static_assert has failed, and the answer only avoids further errors.)
template <class... Uses>
inline constexpr unsigned uses_or_one = sizeof...(Uses) == 0 ? 1 : sizeof...(Uses);

template <class Space, class... Uses>
COALESCE_API constexpr auto suggest_in(Space const& space, tile const& of, Uses const&... uses) {
  if constexpr (detail::can_be_asked<Uses...>()) {
    auto const limits = detail::limits_of_tile<typename Uses::instruction...>(of);
    return detail::search_layouts(space, limits, detail::recorded(limits, uses)...);
  } else {
    return suggestion<uses_or_one<Uses...>, typename Space::layout_type>{};
  }
}

}  // namespace detail

/// Finds the layout of the tile with the fewest rounds in total over all uses. The uses may be of different machines.
/// Between layouts with equally many rounds the one with the fewest bytes wins; between those, the first in the order
/// of suggest/spaces.hpp: rows without padding, their swizzles, rows padded by more and more. The answer is the same at
/// compile time and at run time.
///
///     constexpr auto found = co::suggest(co::tile{.rows = 32, .columns = 32, .element_bytes = 4},
///                                        co::use<cc90::shared_store<32>>(by_rows),
///                                        co::use<cc90::shared_load<32>>(by_columns));
///
/// Refused: a tile with a base or a pitch; rows that are not a multiple of the widest access; cells outside the tile.
///
/// Constexpr steps of clang (a test in tests/cost/budget measures them): a transpose of 32 x 32 floats takes under
/// 50,000, and so do 64 x 64 halves staged in LDS, 16 accesses of 64 lanes. The proof that no layout is free of
/// conflicts, for three accesses of a warp in up to 64 KB, takes under 100,000. Run longer searches at run time.
template <class... Uses>
[[nodiscard]] COALESCE_API constexpr auto suggest(tile const& of, Uses const&... uses) {
  return detail::suggest_in(detail::swizzles_and_pitches{}, of, uses...);
}

/// Searches only the swizzles of the tile: co::suggest(tile, co::swizzles, uses...). suggest/spaces.hpp lists them.
template <class... Uses>
[[nodiscard]] COALESCE_API constexpr auto suggest(tile const& of, detail::swizzles_alone const& space,
                                                  Uses const&... uses) {
  return detail::suggest_in(space, of, uses...);
}
/// Searches only layouts with a gap after every 2^n rows: co::suggest(tile, co::paddings, uses...). suggest/spaces.hpp
/// lists them. The answer says how many bytes the gap has, and after how many rows it comes.
template <class... Uses>
[[nodiscard]] COALESCE_API constexpr auto suggest(tile const& of, detail::gaps_alone const& space,
                                                  Uses const&... uses) {
  return detail::suggest_in(space, of, uses...);
}

/// Finds the layout of a tile that `Copy` writes lane after lane. suggest/copied.hpp has the answer (copied_suggestion)
/// and lists the layouts.
///
///     co::suggest(co::tile{.rows = 64, .columns = 64, .element_bytes = 2}, co::copied<gfx950::global_load_lds<128>>(),
///                 co::use<gfx950::ds_read<128>>(row_of_lane, co::domain{8}))
///
/// If `is_optimal` is false, `tried` counts every layout of the list: all were tried, and none has fewer conflicts.
/// Refused: what suggest() refuses; a tile whose bytes are not a multiple of the bytes that one instruction of the copy
/// writes (lanes times the bytes of a lane); a lane whose bytes are not whole elements of one row. Constexpr steps of
/// clang: 64 x 64 halves, read 8 times, take under 30,000. The proof that none of 224 layouts is free of conflicts for
/// two such uses takes under 800,000.
template <class Copy, class... Uses>
[[nodiscard]] COALESCE_API constexpr auto suggest(tile const& of, detail::copied_by<Copy> const&, Uses const&... uses) {
  if constexpr (!detail::is_in_lane_order<Copy> || !detail::can_be_asked<Uses...>())
    return copied_suggestion<detail::uses_or_one<Uses...>>{};
  else
    return detail::suggest_copied<Copy>(of, uses...);
}

/// Finds the boxes and the swizzle with which a tensor copy lays out a tile. suggest/boxes.hpp has the answer
/// (boxed_suggestion) and lists the layouts. The swizzles are those of the first use's machine. Refused: what suggest()
/// refuses; machines without tensor copies; elements that do not have 1, 2, 4 or 8 bytes; a tile that cannot be cut
/// into boxes.
template <class Reads, class... Uses>
[[nodiscard]] COALESCE_API constexpr auto suggest(tile const& of, detail::boxes_read_by<Reads> const& boxes,
                                                  Uses const&... uses) {
  if constexpr (detail::can_be_asked<Uses...>()) {
    constexpr bool have_boxes = (detail::writes_boxes<typename Uses::instruction> && ...);
    static_assert(
        have_boxes,
        "suggest(tile, tensor_boxes, uses...): each use is of a machine with tensor copies: NVIDIA's since CC "
        "9.0");
    if constexpr (have_boxes)
      return detail::suggest_boxed(of, boxes.reads, uses...);
    else
      return boxed_suggestion<detail::uses_or_one<Uses...>>{};
  } else {
    return boxed_suggestion<detail::uses_or_one<Uses...>>{};
  }
}

}  // namespace coalescing
