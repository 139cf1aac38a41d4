// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna/caches.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/source.hpp>

#include <cstdint>

// What a cache of CDNA 3 and 4 is: who shares it, how large it is, what it does with a store. The caches of the
// products are in cdna/products.hpp.

namespace coalescing::cdna {

/// What shares one cache.
enum class sharers { compute_unit, two_compute_units, xcd, device };

/// What a cache does with a store.
enum class store_policy {
  read_only,
  write_through,  ///< every store goes on, so no line is dirty
  write_back,     ///< stores stay, so lines may be dirty
  memory_side     ///< in front of memory and of nobody's coherence: it holds what memory holds, and no line is dirty
};

enum class allocation { yes, no, unknown };

/// A kind of cache. 0 stands for a number that no source gives.
struct cache {
  sharers shared_by = sharers::compute_unit;
  store_policy stores = store_policy::write_through;
  allocation on_store_miss = allocation::unknown;
  bool point_of_coherence = false;  ///< for all that share it
  std::uint64_t bytes = 0;          ///< of one
  unsigned line_bytes = 0;
  unsigned ways = 0;
  unsigned channels = 0;               ///< that work in parallel
  unsigned read_bytes_per_clock = 0;   ///< of one cache, all channels, towards the compute units
  unsigned write_bytes_per_clock = 0;  ///< of one cache, all channels, from them
  unsigned fill_bytes_per_clock = 0;   ///< of one cache, all channels, from the next level
  source from = {};

  [[nodiscard]] COALESCE_API constexpr bool may_be_dirty() const { return stores == store_policy::write_back; }
};

/// A cache of a product that its source does not name.
[[nodiscard]] COALESCE_API constexpr cache taken_over(cache level, char const* assumption) {
  level.from = coalescing::taken_over(level.from, assumption);
  return level;
}

/// The post's glossary, of a store: where it may hit in a write-back cache, the line is updated and marked dirty.
[[nodiscard]] COALESCE_API constexpr bool marks_dirty(cache_op op, cache const& level) {
  return may_hit(op) && level.may_be_dirty();
}

}  // namespace coalescing::cdna
