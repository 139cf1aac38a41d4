// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>

#include <cstdint>

// Puts the active lanes of an access in ascending order of address. All lanes access equally many bytes. So in this
// order, the address of each lane's last byte ascends, too. One pass over the ordered lanes therefore suffices to list
// the pieces of memory that they touch.

namespace coalescing::detail {

struct lane_address {
  std::uint64_t address;
  unsigned lane;
};

template <unsigned Lanes>
struct ascending_lanes {
  lane_address at[Lanes] = {};
  unsigned count = 0;
  unsigned bytes;  ///< bytes per lane
};

template <unsigned Lanes>
COALESCE_API constexpr bool is_ascending(ascending_lanes<Lanes> const& lanes) {
  for (unsigned k = 1; k < lanes.count; ++k)
    if (lanes.at[k].address < lanes.at[k - 1].address) return false;
  return true;
}

/// A merge sort, bottom up. In a constant expression every move costs steps of the compiler, and this sort makes the
/// same number of moves for any order.
template <unsigned Lanes>
COALESCE_API constexpr void sort(ascending_lanes<Lanes>& lanes) {
  ascending_lanes<Lanes> spare = lanes;
  ascending_lanes<Lanes>*from = &lanes, *to = &spare;
  for (unsigned width = 1; width < lanes.count; width *= 2) {
    for (unsigned start = 0; start < lanes.count; start += 2 * width) {
      unsigned const middle = start + width < lanes.count ? start + width : lanes.count;
      unsigned const end = middle + width < lanes.count ? middle + width : lanes.count;
      unsigned left = start, right = middle;
      for (unsigned next = start; next != end; ++next)
        to->at[next] = right == end || (left != middle && from->at[left].address <= from->at[right].address)
                           ? from->at[left++]
                           : from->at[right++];
    }
    ascending_lanes<Lanes>* const sorted = to;
    to = from;
    from = sorted;
  }
  if (from != &lanes) lanes = spare;
}

/// The active lanes of a group (a mask), in ascending order of address.
template <unsigned Lanes>
COALESCE_API constexpr ascending_lanes<Lanes> by_address(access<Lanes> const& asked, std::uint64_t group = all_lanes) {
  ascending_lanes<Lanes> lanes;
  lanes.bytes = asked.bytes;
  std::uint64_t const members = asked.active & group;
  for (unsigned lane = 0; lane != Lanes; ++lane)
    if ((members >> lane & 1) != 0) lanes.at[lanes.count++] = {asked.address[lane], lane};
  if constexpr (Lanes > 1)
    if (!is_ascending(lanes)) sort(lanes);
  return lanes;
}

}  // namespace coalescing::detail
