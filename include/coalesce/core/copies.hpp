// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/source.hpp>

#include <cstdint>

// The constraints that a copy from global memory puts on its destination in shared memory or LDS. A copy
// instruction declares its own constraints (`lane_order`). A family of machines declares those of its tensor copies
// (`boxes_of`). So co::suggest() needs no list of machines.

namespace coalescing {

/// A copy whose lanes write side by side: lane k writes at the wave's destination + k * slot_bytes. Such a copy has a
/// member `lane_order` of this type.
struct copy_in_lane_order {
  unsigned lanes = 0;             ///< how many lanes the wave has
  unsigned bytes = 0;             ///< bytes that a lane writes
  unsigned slot_bytes = 0;        ///< bytes from the start of one lane's slot to the start of the next one's
  std::uint64_t capacity = 0;     ///< the size in bytes of the memory that the copy writes
  fact<unsigned> destination{1};  ///< the address of the wave's destination is a multiple of this many bytes
};

/// A swizzle of a machine's tensor copies. It XORs `bits` address bits, from bit `base` up, with the bits that lie
/// `shift` positions higher.
struct box_swizzle {
  unsigned span = 0;  ///< the most bytes that a row of the box may have
  unsigned bits = 0, base = 0, shift = 0;
  source from = {};
};
/// The constraints on a box of a tensor that a machine's copy engine (TMA) writes to shared memory. The box's rows lie
/// there one after the other without gaps, and a swizzle may be applied to the byte addresses. `most_elements` is 0 on
/// a machine that has no such engine.
struct copy_in_boxes {
  fact<unsigned> widest_element{0};  ///< in bytes, a power of two; elements of smaller powers of two are allowed too
  fact<unsigned> row_multiple{1};    ///< the bytes of a box's row are a multiple of this number
  fact<unsigned> most_elements{0};   ///< the most elements that a box may have in a dimension
  fact<unsigned> destination{1};     ///< the address of a box is a multiple of this many bytes
  box_swizzle swizzles[6] = {};
  unsigned count = 0;  ///< how many swizzles there are
};

namespace detail {
/// What the tensor copies of a machine can write. Row is the struct of the machine's facts. A family that has tensor
/// copies specializes this variable for the Row of each machine that has them.
template <class Row>
inline constexpr copy_in_boxes boxes_of = {};
}  // namespace detail

}  // namespace coalescing
