// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/copies.hpp>
#include <coalesce/suggest/search.hpp>

#include <cstdint>

// Finds layouts of tiles that a tensor copy writes in boxes. The rows of a box follow each other without gaps. A box
// may have a swizzle of the machine. Then each row of the box has as many bytes as the span of the swizzle
// (box_swizzle::span).

namespace coalescing {

namespace refused {

[[noreturn]] COALESCE_API inline void element_is_none_of_a_tensor(std::uint64_t) {
  detail::refuse("suggest: the elements of a tensor copy have 1, 2, 4 or 8 bytes");
}
[[noreturn]] COALESCE_API inline void tile_has_no_boxes(std::uint64_t) {
  detail::refuse(
      "suggest: no boxes make up the tile: a row of a box is a multiple of 16 bytes and at most 256 elements, and "
      "where "
      "boxes lie side by side each is a multiple of 128 bytes");
}

}  // namespace refused

/// The layout of a tile that is cut into boxes. Each box holds `box_bytes` bytes of every row, without gaps between the
/// rows. The boxes follow each other in memory. The swizzle applies to the whole offset, so the tile must begin at a
/// multiple of 2^swizzle.top() bytes.
struct boxed_layout {
  std::uint64_t rows = 0;
  std::uint64_t element_bytes = 0;
  std::uint64_t box_bytes = 1;       ///< bytes of a row of a box
  coalescing::swizzle swizzle = {};  ///< it has 0 bits if there is no swizzle

  [[nodiscard]] COALESCE_API constexpr std::uint64_t byte_at(std::uint64_t row, std::uint64_t byte) const {
    return swizzle((byte / box_bytes * rows + row) * box_bytes + byte % box_bytes);
  }
  template <detail::integer Row, detail::integer Column>
  [[nodiscard]] COALESCE_API constexpr std::uint64_t operator()(Row row, Column column) const {
    return byte_at(static_cast<std::uint64_t>(row), element_bytes * static_cast<std::uint64_t>(column));
  }
  bool operator==(boxed_layout const&) const = default;
};

/// The answer of co::suggest(tile, co::tensor_boxes, uses...).
template <unsigned Uses>
struct boxed_suggestion : suggestion<Uses, boxed_layout> {
  /// How many copies fill the tile. The tile is cut into strips, each `box_bytes` bytes wide. A copy writes at most 256
  /// rows, so a strip of 300 rows takes two copies: first rows 0 to 255, then the other 44 rows.
  std::uint64_t boxes = 0;
  bool operator==(boxed_suggestion const&) const = default;
};

namespace detail {

/// Lists the ways to cut the rows of a tile into boxes of equal width. Layouts with fewer boxes come first. If layouts
/// have equally many boxes, the one without a swizzle comes first. After it come the layouts with a swizzle whose span
/// is exactly the width of a box, in the order in which the machine lists its swizzles. (A swizzle with a wider span is
/// legal, too. It is left out, because no source says how far apart the rows of a box then lie.) If a tile has several
/// boxes, each box begins at a multiple of 128 bytes.
template <class Reads>
struct boxes_of_a_tensor {
  using layout_type = boxed_layout;
  copy_in_boxes const& copy;
  Reads const& reads;

  COALESCE_API static constexpr boxed_layout in_rows(tile_limits const& of) {
    return {.rows = of.rows, .element_bytes = of.element_bytes, .box_bytes = of.row_bytes};
  }
  COALESCE_API constexpr bool is_legal(tile_limits const& of, std::uint64_t box_bytes) const {
    bool const is_whole = box_bytes % copy.row_multiple.value == 0 && box_bytes % of.unit == 0;
    return is_whole && box_bytes / of.element_bytes <= copy.most_elements.value &&
           (box_bytes == of.row_bytes || of.rows * box_bytes % copy.destination.value == 0);
  }
  COALESCE_API constexpr bool has_rows(tile_limits const& of) const {
    return is_legal(of, of.row_bytes) && reads(in_rows(of));
  }

  template <class Each>
  COALESCE_API constexpr void walk(tile_limits const& of, Each const& each) const {
    auto layout = in_rows(of);
    for (std::uint64_t boxes = 1; boxes * copy.row_multiple.value <= of.row_bytes; ++boxes) {
      if (of.row_bytes % boxes != 0 || !is_legal(of, of.row_bytes / boxes)) continue;
      layout.box_bytes = of.row_bytes / boxes;
      layout.swizzle = {};
      if (boxes != 1 && reads(layout) && each(layout)) return;
      for (unsigned k = 0; k != copy.count; ++k) {
        auto const& by = copy.swizzles[k];
        if (by.span * boxes != of.row_bytes || std::uint64_t{1} << by.base < of.unit) continue;
        layout.swizzle = {.bits = by.bits, .base = by.base, .shift = static_cast<int>(by.shift)};
        if (reads(layout) && each(layout)) return;
      }
    }
  }
  COALESCE_API static constexpr std::uint64_t bytes(tile_limits const& of, boxed_layout const&) { return of.bytes(); }
};

template <class First, class...>
struct first_use {
  using instruction = typename First::instruction;
};

template <class Reads, class... Uses>
COALESCE_API constexpr auto suggest_boxed(tile const& of, Reads const& reads, Uses const&... uses) {
  constexpr copy_in_boxes copy = boxes_of<typename first_use<Uses...>::instruction::row>;
  boxes_of_a_tensor<Reads> const space{copy, reads};
  auto const limits = detail::limits_of_tile<typename Uses::instruction...>(of);
  if (!limits.elements_are_powers_of_two() || limits.element_bytes > copy.widest_element.value)
    refused::element_is_none_of_a_tensor(limits.element_bytes);
  boxed_suggestion<sizeof...(Uses)> answer;
  static_cast<suggestion<sizeof...(Uses), boxed_layout>&>(answer) =
      detail::search_layouts(space, limits, detail::recorded(limits, uses)...);
  if (answer.tried == 0) refused::tile_has_no_boxes(limits.row_bytes);
  std::uint64_t const most = copy.most_elements.value;
  answer.boxes = limits.row_bytes / answer.layout.box_bytes * ((limits.rows + most - 1) / most);
  return answer;
}

template <class Instruction>
inline constexpr bool writes_boxes = false;
template <class Instruction>
requires requires { typename Instruction::row; }
inline constexpr bool writes_boxes<Instruction> = boxes_of<typename Instruction::row>.most_elements.value != 0;

template <class Reads>
concept reads_boxes = requires(Reads const& reads, boxed_layout const& layout) {
  { reads(layout) } -> one_of<bool>;
};
struct reads_all_boxes {
  COALESCE_API constexpr bool operator()(boxed_layout const&) const { return true; }
};

/// The constraint that a reader of the tile, such as tensor cores, can read the boxes. Reads is a predicate of a
/// boxed_layout.
template <class Reads>
struct boxes_read_by {
  Reads reads = {};

  /// Allows only the boxes that `reader`, a predicate of a boxed_layout, accepts. For the boxes that wgmma and
  /// tcgen05.mma can read, `reader` is a cuda::boxed_operand of <coalesce/cuda/tma.hpp>.
  template <reads_boxes Reader>
  [[nodiscard]] COALESCE_API constexpr boxes_read_by<Reader> read_by(Reader const& reader) const {
    return {reader};
  }
};

}  // namespace detail

/// The constraint of co::suggest(tile, co::tensor_boxes, uses...): a tensor copy (TMA) writes the tile, or reads it, in
/// boxes. The layouts that are tried cut the rows into boxes of equal width. A box has no swizzle, or one of the
/// machine's swizzles. (Swizzles that take two exclusive ors on the address are left out.) If tensor cores read the
/// tile by a descriptor, name the operand that they read: tensor_boxes.read_by(cuda::boxed_operand{...}).
inline constexpr detail::boxes_read_by<detail::reads_all_boxes> tensor_boxes{};

}  // namespace coalescing
