// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/layout.hpp>

#include <cstdint>

// The answers of co::suggest(). A layout gives the byte offset of the element (row, column), in host and device code.
// Its byte_at(row, byte) gives the offset of a byte of a row. The counts hold if the tile begins at a multiple of the
// instructions' period (Instruction::period, bytes). The layouts here swizzle offsets in the tile, while CuTe's
// pointers and tensor copies swizzle whole addresses. An element lies at the same place either way if the tile begins
// at a multiple of 2^swizzle.top() bytes.

namespace coalescing {

/// A tile's layout: rows `pitch` bytes apart, swizzled.
struct suggested_layout {
  std::int64_t element_bytes = 0;
  std::int64_t pitch = 0;            ///< bytes from row to row, before the swizzle
  coalescing::swizzle swizzle = {};  ///< applied to the offset; it has 0 bits if there is no swizzle

  [[nodiscard]] COALESCE_API constexpr std::uint64_t byte_at(std::uint64_t row, std::uint64_t byte) const {
    return swizzle.bits == 0 ? static_cast<std::uint64_t>(pitch) * row + byte
                             : swizzle(static_cast<std::uint64_t>(pitch) * row + byte);
  }
  template <detail::integer Row, detail::integer Column>
  [[nodiscard]] COALESCE_API constexpr std::uint64_t operator()(Row row, Column column) const {
    return byte_at(static_cast<std::uint64_t>(row), detail::times(element_bytes, column));
  }
  bool operator==(suggested_layout const&) const = default;
};

/// A tile's layout with gaps: rows `pitch` bytes apart, and `gap` bytes more after every `every` rows.
struct padded_layout {
  std::uint64_t element_bytes = 0;
  std::uint64_t pitch = 0;  ///< bytes from row to row, where there is no gap between them
  std::uint64_t every = 1;  ///< how many rows lie between two gaps, a power of two
  std::uint64_t gap = 0;    ///< bytes of each gap

  [[nodiscard]] COALESCE_API constexpr std::uint64_t byte_at(std::uint64_t row, std::uint64_t byte) const {
    return pitch * row + byte + gap * (row / every);
  }
  template <detail::integer Row, detail::integer Column>
  [[nodiscard]] COALESCE_API constexpr std::uint64_t operator()(Row row, Column column) const {
    return byte_at(static_cast<std::uint64_t>(row), element_bytes * static_cast<std::uint64_t>(column));
  }
  bool operator==(padded_layout const&) const = default;
};

/// The layout that was found, and its proof: what each use costs over its domain. `before` is the cost in rows without
/// padding, `after` the cost in `layout`. If every layout has conflicts, `after` shows which uses have them.
template <unsigned Uses, class Layout = suggested_layout>
struct suggestion {
  bank_cost<> before[Uses] = {};
  bank_cost<> after[Uses] = {};
  Layout layout = {};
  std::uint64_t bytes = 0;  ///< bytes that the tile occupies, padding and gaps included, also a gap after the last row
  std::uint64_t tried = 0;  ///< how many layouts were tried; all layouts of the search space if is_optimal is false
  bool is_optimal = false;  ///< no use has a conflict left, so no layout at all has fewer rounds
  bool operator==(suggestion const&) const = default;
};

}  // namespace coalescing
