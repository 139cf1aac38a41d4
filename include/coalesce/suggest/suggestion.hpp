// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/layout.hpp>

#include <cstdint>

// The answers of co::suggest().

namespace coalescing {

/// A tile's layout: rows `pitch` bytes apart, swizzled. (row, column) -> byte offset of the element, in host and device
/// code. What was counted holds where the tile begins at a multiple of the instructions' period; a swizzle of whole
/// addresses, as CuTe's pointers and tensor maps have it, is the same from a multiple of 2^swizzle.top().
struct suggested_layout {
  std::int64_t element_bytes = 0;
  std::int64_t pitch = 0;            ///< bytes from row to row, before the swizzle
  coalescing::swizzle swizzle = {};  ///< of the offset; none: 0 bits

  template <detail::integer Row, detail::integer Column>
  [[nodiscard]] COALESCE_API constexpr std::uint64_t operator()(Row row, Column column) const {
    return swizzle(detail::times(pitch, row) + detail::times(element_bytes, column));
  }
  bool operator==(suggested_layout const&) const = default;
};

/// A layout and its proof, what each use costs over its domain: `before` in rows without padding, `after` in `layout`.
/// Where nothing satisfies all, `after` tells whom it costs.
template <unsigned Uses>
struct suggestion {
  bank_cost<> before[Uses] = {};
  bank_cost<> after[Uses] = {};
  suggested_layout layout = {};
  std::uint64_t bytes = 0;  ///< of memory: rows times pitch
  std::uint64_t tried = 0;  ///< layouts that were asked; where not is_optimal, all of the space: none has fewer rounds
  bool is_optimal = false;  ///< no use has a conflict left: no layout whatsoever has fewer rounds
  bool operator==(suggestion const&) const = default;
};

}  // namespace coalescing
