// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cuda/costs.hpp>
#include <coalesce/cuda/rows.hpp>
#include <coalesce/engine/distinct.hpp>

#include <cstdint>

// The parts that the rules of global memory share, whatever the compute capability.

namespace coalescing::cuda::rules {

inline constexpr unsigned warp_lanes = every_capability::lanes.value;
/// The transactions of a warp. There are at most 32, one for each lane, because a naturally aligned word lies in one
/// piece of memory.
using warp_transactions = transaction_list<warp_lanes>;

inline constexpr source from_the_addresses = coalescing::detail::counted_from_the_addresses;

/// The size in bytes of the largest aligned piece of memory that a machine counts: a line or a sector. Moving all
/// addresses of an access by this many bytes changes no number of its cost.
template <class Row>
inline constexpr unsigned largest_piece = [] {
  if constexpr (requires { Row::line_bytes; })
    return Row::line_bytes.value;
  else
    return Row::sector_bytes.value;
}();

template <class Row, unsigned Bits>
struct global_memory {
  static constexpr unsigned lanes = Row::lanes.value;
  static constexpr unsigned bytes = Bits / 8;  ///< bytes per lane
  static constexpr fact_list rests_on =
      fact_list{}.with("lanes a warp", Row::lanes).with("bits of the widest word", Row::widest_bits);
  /// Words are naturally aligned. For other addresses the hardware gives wrong results or a fault (CUDA programming
  /// guide, device memory accesses, size and alignment requirement), so we refuse them.
  static constexpr unsigned alignment = bytes;
};

/// The number of distinct bytes that the active lanes access, with naturally aligned words.
template <unsigned Bytes>
COALESCE_API constexpr std::uint64_t bytes_used(access<warp_lanes> const& asked) {
  return Bytes * coalescing::detail::count_distinct<Bytes>(asked);
}
/// The number of distinct bytes that the active lanes access, if the warp touches `sectors` sectors. If there are as
/// many sectors as active lanes, each lane has a sector of its own. Then no two lanes have the same word, and no words
/// need to be compared.
template <unsigned Bytes>
COALESCE_API constexpr std::uint64_t bytes_used(access<warp_lanes> const& asked, std::uint64_t sectors) {
  return sectors == coalescing::detail::count_bits(asked.active) ? Bytes * sectors : bytes_used<Bytes>(asked);
}

/// The cost of a store. `cost` has the numbers of a load of the same words, and the warp touches `sectors` sectors.
/// This function adds two numbers. `partial_sectors` counts the sectors that the store writes only in part.
/// `operations` counts the writes that take effect. If the lanes access every byte of the sectors, no sector is written
/// in part. If each lane has a sector of its own and does not fill it, every sector is written in part.
template <unsigned SectorBytes, unsigned Bytes, class Store>
COALESCE_INLINE constexpr Store as_store(Store cost, std::uint64_t sectors, access<warp_lanes> const& asked) {
  cost.partial_sectors = cost.bytes_used == sectors * SectorBytes ? 0
                         : sectors == coalescing::detail::count_bits(asked.active)
                             ? sectors
                             : sectors - coalescing::detail::count_whole<SectorBytes, Bytes>(asked);
  cost.operations = cost.bytes_used / Bytes;
  return cost;
}

}  // namespace coalescing::cuda::rules
