// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/copies.hpp>
#include <coalesce/suggest/search.hpp>
#include <coalesce/suggest/spaces.hpp>

#include <cstdint>

// Tiles that a copy writes lane after lane. One instruction writes one piece of memory without gaps. So a kernel can
// choose only two things: which cell each lane fetches, and where each piece begins.

namespace coalescing {

namespace refused {

[[noreturn]] COALESCE_API inline void tile_is_no_multiple_of_the_piece(std::uint64_t) {
  detail::refuse(
      "suggest: the tile is no multiple of the piece that one instruction of the copy writes (lanes times the bytes of "
      "a "
      "lane)");
}
[[noreturn]] COALESCE_API inline void lane_of_the_copy_holds_no_whole_elements_of_a_row(std::uint64_t) {
  detail::refuse(
      "suggest: a lane of the copy fetches whole elements of one row: its bytes are a multiple of an element's, and a "
      "row is a multiple of its bytes");
}
[[noreturn]] COALESCE_API inline void copy_has_no_such_lane_or_step(unsigned, unsigned) {
  detail::refuse("suggest: the copy has no such lane (0 to .lanes - 1) or no such step (0 to .steps - 1)");
}

}  // namespace refused

/// The layout of a tile that is copied in lane order. Rows are `pitch` bytes apart. The rows of the tile are taken in
/// groups of apart * together rows. In a group, rows that lie `apart` rows apart in the tile follow each other in
/// memory: with apart = 2 and together = 4 the rows lie in the order 0 2 4 6 1 3 5 7. The offsets are then swizzled,
/// and `gap` bytes follow after every `span` bytes.
struct copied_layout {
  std::uint64_t element_bytes = 0;
  std::uint64_t pitch = 0;           ///< bytes of a row
  std::uint64_t apart = 1;           ///< the distance, in rows of the tile, of rows that follow each other in memory
  std::uint64_t together = 1;        ///< how many rows follow each other in memory at this distance
  coalescing::swizzle swizzle = {};  ///< applied before the gaps are added; it has 0 bits if there is no swizzle
  std::uint64_t span = 1;            ///< bytes between two gaps, a multiple of what one instruction writes
  std::uint64_t gap = 0;             ///< bytes of each gap

  [[nodiscard]] COALESCE_API constexpr std::uint64_t byte_at(std::uint64_t row, std::uint64_t byte) const {
    return with_gaps(swizzle.bits != 0 ? swizzle(pitch * place_of(row) + byte)
                     : apart == 1      ? pitch * row + byte
                                       : pitch * place_of(row) + byte);
  }
  template <detail::integer Row, detail::integer Column>
  [[nodiscard]] COALESCE_API constexpr std::uint64_t operator()(Row row, Column column) const {
    return byte_at(static_cast<std::uint64_t>(row), element_bytes * static_cast<std::uint64_t>(column));
  }
  /// The element that holds the byte at `offset`, an offset in which the gaps do not count.
  [[nodiscard]] COALESCE_API constexpr cell cell_at(std::uint64_t offset) const {
    std::uint64_t const byte = swizzle(offset), place = byte / pitch, group = apart * together;
    return {.row = static_cast<unsigned>(place / group * group + place % together * apart + place / together % apart),
            .column = static_cast<unsigned>(byte % pitch / element_bytes)};
  }
  /// Adds the gaps to an offset in which they do not count.
  [[nodiscard]] COALESCE_API constexpr std::uint64_t with_gaps(std::uint64_t offset) const {
    return offset + gap * (offset / span);
  }
  /// The position of a row in memory, counted in rows from 0.
  [[nodiscard]] COALESCE_API constexpr std::uint64_t place_of(std::uint64_t row) const {
    return row / (apart * together) * (apart * together) + row % apart * together + row / apart % together;
  }
  bool operator==(copied_layout const&) const = default;
};

/// The answer of co::suggest(tile, co::copied<Copy>(), uses...). The copy fills the tile in `steps` instructions of one
/// wave each. In a step, lane k fetches the bytes from the cell source(k, step) on. The instruction writes them k *
/// slot_bytes bytes after destination(step), which is where `layout` puts that cell.
template <unsigned Uses>
struct copied_suggestion : suggestion<Uses, copied_layout> {
  std::uint64_t piece = 0;  ///< bytes that one instruction writes
  std::uint64_t steps = 0;  ///< how many instructions fill the tile
  unsigned lanes = 0;       ///< how many lanes the wave has
  unsigned slot_bytes = 0;  ///< bytes that a lane fetches
  /// The evidence that the destinations are legal. Without gaps they are documented. With gaps, the evidence is the one
  /// that the copy declares for the alignment of its destination: AMD's loads to LDS declare `inferred`, since it is
  /// our reading that M0 may be any multiple of 4 bytes.
  coalescing::evidence evidence = coalescing::evidence::documented;

  /// The cell from which a lane fetches in a step. Refused: a lane or a step that the copy does not have.
  [[nodiscard]] COALESCE_API constexpr cell source(unsigned lane, unsigned step) const {
    if (lane >= lanes || step >= steps) refused::copy_has_no_such_lane_or_step(lane, step);
    return this->layout.cell_at(step * piece + lane * slot_bytes);
  }
  /// The byte of the tile's memory at which a step begins to write. (For AMD's copies: the sum of M0 and the
  /// instruction's offset, less the tile's base.) Refused: a step that the copy does not have.
  [[nodiscard]] COALESCE_API constexpr std::uint64_t destination(unsigned step) const {
    if (step >= steps) refused::copy_has_no_such_lane_or_step(0, step);
    return this->layout.with_gaps(step * piece);
  }
  bool operator==(copied_suggestion const&) const = default;
};

namespace detail {

/// The layouts that a copy in lane order can write, in this order:
/// 1. the rows without padding;
/// 2. the swizzles of these rows that keep together the bytes that a lane fetches;
/// 3. if one instruction writes a piece of several rows: other orders of rows. The rows of a piece are then 2, 4, 8 ...
/// rows apart in the tile;
/// 4. gaps after every 2^n pieces, where 2^n is less than the number of pieces. A gap is a multiple of the strictest
/// alignment of the uses, of the largest power of two that divides an element's bytes, and of the alignment of a
/// destination. It is smaller than the bytes after which the banks repeat. Gaps that add the fewest bytes come first.
/// Each gap is tried with the rows in their own order, and then with each order that point 3 names.
struct copies_in_lane_order : space_of_rows<copied_layout> {
  copy_in_lane_order copy;

  COALESCE_API constexpr explicit copies_in_lane_order(copy_in_lane_order const& by) : copy(by) {}
  COALESCE_API constexpr std::uint64_t piece() const { return std::uint64_t{copy.lanes} * copy.slot_bytes; }

  template <class Each>
  COALESCE_API constexpr void walk(tile_limits const& of, Each const& each) const {
    auto layout = in_rows(of);
    if (detail::walk_swizzles(of, detail::most_of(of.unit, copy.slot_bytes),
                              each_swizzled<copied_layout, Each>{layout, each}))
      return;
    layout.swizzle = {};
    if (walk_orders(of, layout, each)) return;
    detail::walk_gaps(of.bytes() / piece(), detail::most_of(of.unit, copy.destination.value), of.period,
                      of.capacity - of.bytes(), each_parted<Each>{*this, of, layout, each});
  }
  /// Sets the gaps of a layout, and calls each() with every order of its rows.
  template <class Each>
  struct each_parted {
    copies_in_lane_order const& space;
    tile_limits const& of;
    copied_layout& layout;
    Each const& each;
    COALESCE_API constexpr bool operator()(std::uint64_t every, std::uint64_t gap) const {
      layout.span = every * space.piece(), layout.gap = gap;
      return each(layout) || space.walk_orders(of, layout, each);
    }
  };
  template <class Each>
  COALESCE_API constexpr bool walk_orders(tile_limits const& of, copied_layout layout, Each const& each) const {
    std::uint64_t const together = piece() / of.row_bytes;
    if (together < 2 || piece() % of.row_bytes != 0) return false;
    layout.together = together;
    for (std::uint64_t apart = 2; of.rows % (apart * together) == 0; apart *= 2) {
      layout.apart = apart;
      if (each(layout)) return true;
    }
    return false;
  }
  COALESCE_API static constexpr std::uint64_t bytes(tile_limits const& of, copied_layout const& found) {
    return found.with_gaps(of.bytes());
  }
};

/// The result of copied(). Its template argument is the instruction of the copy.
template <class Copy>
struct copied_by {};

template <class Copy, class... Uses>
COALESCE_API constexpr auto suggest_copied(tile const& of, Uses const&... uses) {
  constexpr copy_in_lane_order copy = Copy::lane_order;
  copies_in_lane_order const space(copy);
  auto limits = detail::limits_of_tile<typename Uses::instruction...>(of);
  limits.capacity = detail::least_of(limits.capacity, copy.capacity);
  if (limits.bytes() > limits.capacity) refused::tile_is_empty_or_larger_than_its_memory(limits.capacity);
  if (copy.slot_bytes % limits.element_bytes != 0 || limits.row_bytes % copy.slot_bytes != 0)
    refused::lane_of_the_copy_holds_no_whole_elements_of_a_row(limits.row_bytes);
  if (limits.bytes() % space.piece() != 0) refused::tile_is_no_multiple_of_the_piece(limits.bytes());

  copied_suggestion<sizeof...(Uses)> answer;
  static_cast<suggestion<sizeof...(Uses), copied_layout>&>(answer) =
      detail::search_layouts(space, limits, detail::recorded(limits, uses)...);
  answer.piece = space.piece(), answer.steps = limits.bytes() / space.piece();
  answer.lanes = copy.lanes, answer.slot_bytes = copy.slot_bytes;
  if (answer.layout.gap != 0) answer.evidence = copy.destination.from.evidence;
  return answer;
}

template <class Copy>
concept is_in_lane_order = requires {
  Copy::lane_order;
};

}  // namespace detail

/// The constraint of co::suggest(tile, co::copied<Copy>(), uses...). It says that the copy writes the tile lane after
/// lane, as gfx950::global_load_lds<128> and buffer_load_lds do. Refused: instructions that are not such a copy, and
/// copies of 8, 16 or 96 bits per lane, whose lanes lie further apart in LDS than the bytes that a lane writes.
template <class Copy>
[[nodiscard]] COALESCE_API constexpr detail::copied_by<Copy> copied() {
  constexpr bool is_a_copy = detail::is_in_lane_order<Copy>;
  static_assert(is_a_copy || detail::is_refused<Copy>(),
                "co::copied<Copy>(): a copy from global memory whose lanes write in their order, as global_load_lds "
                "and buffer_load_lds do");
  if constexpr (is_a_copy)
    static_assert(
        Copy::lane_order.bytes == Copy::lane_order.slot_bytes,
        "co::copied<Copy>(): the lanes of this copy (8, 16 or 96 bits) leave a part of their slots unwritten, "
        "so it writes no tile");
  return {};
}

}  // namespace coalescing
