// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna/caches.hpp>

#include <cstdint>

// Describes one cache of CDNA 3 and 4: the part of the GPU that shares it, its size, and its policy for stores. The
// products' caches are in cdna/product_rows.hpp.

namespace coalescing::cdna {

/// The part of the GPU whose waves share one cache.
enum class sharers { compute_unit, two_compute_units, xcd, device };

/// The policy of a cache for stores.
enum class store_policy {
  read_only,
  write_through,  ///< every store goes on to the next level, so no line is dirty
  write_back,     ///< stores stay in the cache, so lines may be dirty
  memory_side     ///< in front of memory, and in no coherence protocol: it holds what memory holds, so no line is dirty
};

/// Whether a store that misses allocates a line.
enum class allocation { yes, no, unknown };

/// Describes a kind of cache. A number that no source gives is 0. If no source tells whether a store that misses
/// allocates a line, on_store_miss is allocation::unknown.
struct cache {
  sharers shared_by = sharers::compute_unit;
  store_policy stores = store_policy::write_through;
  allocation on_store_miss = allocation::unknown;
  bool point_of_coherence = false;  ///< whether this cache is the point of coherence for all that share it
  std::uint64_t bytes = 0;          ///< bytes of one cache
  unsigned line_bytes = 0;
  unsigned ways = 0;
  unsigned channels = 0;               ///< channels that work in parallel
  unsigned read_bytes_per_clock = 0;   ///< of one cache, all channels together, towards the compute units
  unsigned write_bytes_per_clock = 0;  ///< of one cache, all channels together, from the compute units
  unsigned fill_bytes_per_clock = 0;   ///< of one cache, all channels together, from the next level
  source from = {};

  [[nodiscard]] COALESCE_API constexpr bool may_be_dirty() const { return stores == store_policy::write_back; }
};

/// Takes over `level`, a cache of another product, for a product whose own sources do not describe this cache. The
/// source of the returned cache also states the assumption.
[[nodiscard]] COALESCE_API constexpr cache taken_over(cache level, char const* assumption) {
  level.from = coalescing::taken_over(level.from, assumption);
  return level;
}

/// Whether a store updates a line of the cache and marks the line dirty (glossary of the 21verses post). That is so if
/// the store may hit and the cache is write-back.
[[nodiscard]] COALESCE_API constexpr bool marks_dirty(cache_op op, cache const& level) {
  return may_hit(op) && level.may_be_dirty();
}

}  // namespace coalescing::cdna
