// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/transaction.hpp>
#include <coalesce/engine/distinct.hpp>
#include <coalesce/engine/order.hpp>

#include <cstdint>

// Engine 1 of 2, for global memory: the distinct aligned pieces of memory that at least one lane touches.

namespace coalescing::detail {

/// The number of distinct aligned pieces of Size bytes that the lanes touch. Each lane accesses Bytes bytes at a
/// multiple of Alignment. Bytes is at most Size. If Alignment is less than Bytes, the bytes of a lane may lie in two
/// pieces.
template <std::uint64_t Size, unsigned Bytes, unsigned Alignment, unsigned Lanes>
COALESCE_COUNT constexpr std::uint64_t count_touched(access<Lanes> const& asked) {
  static_assert(Bytes <= Size);
  if constexpr (Bytes <= Alignment) return detail::count_distinct<Size>(asked);
  if (asked.active == 0) return 0;
  std::uint64_t count = 0, before = 0, reached = asked.address[0] / Size - 1;  // reached: the last counted piece
  unsigned lane = 0;
  for (; lane != Lanes && (lane == 0 || asked.address[lane] >= asked.address[lane - 1]); ++lane)
    before = reached, reached = (asked.address[lane] + (Bytes - 1)) / Size,
    count += reached - (asked.address[lane] / Size > before ? asked.address[lane] / Size - 1 : before);
  if (Lanes == 1 || lane == Lanes) return count;  // all addresses ascend, so the count is complete
  first_lanes<2 * Lanes> first;
  for (lane = 0, count = 0; lane != Lanes; ++lane)
    count += first(asked.address[lane] / Size, 2 * lane) == 2 * lane,
        count += first((asked.address[lane] + (Bytes - 1)) / Size, 2 * lane + 1) == 2 * lane + 1;
  return count;
}

/// The number of distinct bytes that the lanes access. In ascending order of address, each lane adds the bytes that the
/// lane before it does not cover.
template <unsigned Lanes>
COALESCE_API constexpr std::uint64_t count_bytes(ascending_lanes<Lanes> const& lanes) {
  std::uint64_t count = lanes.count == 0 ? 0 : lanes.bytes;
  for (unsigned k = 1; k < lanes.count; ++k) {
    std::uint64_t const further = lanes.at[k].address - lanes.at[k - 1].address;
    count += further < lanes.bytes ? further : lanes.bytes;
  }
  return count;
}
/// The number of distinct bytes that the lanes access. The lanes are sorted only if the accesses of two lanes may
/// overlap in part. Otherwise two lanes access the same bytes, or have no byte in common.
template <unsigned Bytes, unsigned Alignment, unsigned Lanes>
COALESCE_COUNT constexpr std::uint64_t count_bytes(access<Lanes> const& asked) {
  if constexpr (Bytes <= Alignment) return Bytes * detail::count_distinct<Bytes>(asked);
  std::uint64_t between = 0;
  for (unsigned lane = 1; lane != Lanes; ++lane) between |= asked.address[lane] % Bytes ^ asked.address[0] % Bytes;
  if (between == 0) return Bytes * detail::count_distinct<Alignment>(asked);
  return detail::count_bytes(detail::by_address(asked));
}

/// The number of distinct aligned pieces of `size` bytes (a power of two) that the lanes touch. A lane may access any
/// number of bytes.
template <unsigned Lanes>
COALESCE_API constexpr std::uint64_t count_segments(ascending_lanes<Lanes> const& lanes, std::uint64_t size) {
  std::uint64_t count = 0, reached = 0;  // reached: the last counted piece
  for (unsigned k = 0; k != lanes.count; ++k) {
    std::uint64_t const first = lanes.at[k].address / size, last = (lanes.at[k].address + (lanes.bytes - 1)) / size;
    count += count != 0 && first <= reached ? last - reached : last - first + 1;
    reached = last;
  }
  return count;
}

/// Appends the pieces that count_segments counts to `list` in ascending order, each with the lanes that it serves.
template <unsigned Lanes, unsigned Capacity>
COALESCE_API constexpr void list_segments(ascending_lanes<Lanes> const& lanes, std::uint64_t size,
                                          transaction_list<Capacity>& list) {
  std::uint64_t const start = list.count;
  // The number of the last listed piece. If the next lane touches a piece of this number or a lower one, this piece is
  // listed already, near the end of the list.
  std::uint64_t reached = 0;
  for (unsigned k = 0; k != lanes.count; ++k) {
    std::uint64_t const lane = std::uint64_t{1} << lanes.at[k].lane,
                        last = (lanes.at[k].address + (lanes.bytes - 1)) / size;
    for (std::uint64_t piece = lanes.at[k].address / size; piece <= last; ++piece)
      if (list.count != start && piece <= reached)
        list.items[list.count - 1 - (reached - piece)].lanes |= lane;
      else
        list.append({piece * size, size, lane}), reached = piece;
  }
}

/// The list of the pieces that the lanes of a group (a mask) touch.
template <unsigned Capacity, unsigned Lanes>
COALESCE_API constexpr transaction_list<Capacity> segments_of(access<Lanes> const& asked, std::uint64_t size,
                                                              std::uint64_t group = all_lanes) {
  transaction_list<Capacity> list;
  detail::list_segments(detail::by_address(asked, group), size, list);
  return list;
}

/// The list of the pieces that count_touched counts.
template <std::uint64_t Size, unsigned Bytes, unsigned Alignment, unsigned Lanes>
COALESCE_API constexpr auto list_touched(access<Lanes> const& asked) {
  return detail::segments_of < Bytes <= Alignment ? Lanes : 2 * Lanes > (asked, Size);
}

}  // namespace coalescing::detail
