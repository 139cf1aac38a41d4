// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/layout.hpp>

#include <cstdint>

// The answers of co::suggest().

namespace coalescing {

/// A tile's layout: rows `pitch` bytes apart, swizzled. Called with (row, column), it gives the element's byte offset,
/// in host and device code. The counts hold where the tile begins at a multiple of the instructions' period
/// (Instruction::period, bytes). CuTe's pointers and tensor maps swizzle whole addresses, not offsets: both agree where
/// the tile begins at a multiple of 2^swizzle.top() bytes.
struct suggested_layout {
  std::int64_t element_bytes = 0;
  std::int64_t pitch = 0;            ///< bytes from row to row, before the swizzle
  coalescing::swizzle swizzle = {};  ///< applied to the offset; 0 bits: none

  template <detail::integer Row, detail::integer Column>
  [[nodiscard]] COALESCE_API constexpr std::uint64_t operator()(Row row, Column column) const {
    return swizzle(detail::times(pitch, row) + detail::times(element_bytes, column));
  }
  bool operator==(suggested_layout const&) const = default;
};

/// A layout and its proof: the cost of each use over its domain, `before` in rows without padding, `after` in `layout`.
/// Where every layout has conflicts, `after` shows which uses have them.
template <unsigned Uses>
struct suggestion {
  bank_cost<> before[Uses] = {};
  bank_cost<> after[Uses] = {};
  suggested_layout layout = {};
  std::uint64_t bytes = 0;  ///< that the tile occupies: rows times pitch
  std::uint64_t tried = 0;  ///< layouts counted; where is_optimal is false, the whole search space
  bool is_optimal = false;  ///< no use has a conflict left, so no layout at all has fewer rounds
  bool operator==(suggestion const&) const = default;
};

}  // namespace coalescing
