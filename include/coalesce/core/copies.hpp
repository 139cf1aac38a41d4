// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/source.hpp>

#include <cstdint>

// The constraints that a copy from global memory puts on its side in shared memory or LDS. A copy, or a family,
// declares them, so that co::suggest() knows no machine.

namespace coalescing {

/// A copy whose lanes write in their order: lane k writes at the wave's destination and k slots on. The copy declares
/// it as `lane_order`.
struct copy_in_lane_order {
  unsigned lanes = 0;             ///< of a wave
  unsigned bytes = 0;             ///< bytes that a lane writes
  unsigned slot_bytes = 0;        ///< from the bytes of a lane to those of the next
  std::uint64_t capacity = 0;     ///< bytes of the memory that it writes
  fact<unsigned> destination{1};  ///< bytes of which the wave's destination is a multiple
};

/// A swizzle of a machine's tensor copies: address bits `base` and up, `bits` of them, XORed with those `shift`
/// positions higher.
struct box_swizzle {
  unsigned span = 0;  ///< bytes of a row of the box
  unsigned bits = 0, base = 0, shift = 0;
  source from = {};
};
/// The boxes of a tensor that a machine's copy engine writes to shared memory: rows without gaps, swizzled by their
/// addresses. On a machine without such copies `most_elements` is 0.
struct copy_in_boxes {
  fact<unsigned> widest_element{0};  ///< bytes, a power of two; narrower powers of two are allowed too
  fact<unsigned> row_multiple{1};    ///< bytes of which a row is a multiple
  fact<unsigned> most_elements{0};   ///< in each dimension
  fact<unsigned> destination{1};     ///< bytes of which the address of a box is a multiple
  box_swizzle swizzles[6] = {};
  unsigned count = 0;  ///< how many swizzles there are
};

namespace detail {
/// The boxes of the machine with that row. A family with tensor copies defines it for its rows.
template <class Row>
inline constexpr copy_in_boxes boxes_of = {};
}  // namespace detail

}  // namespace coalescing
