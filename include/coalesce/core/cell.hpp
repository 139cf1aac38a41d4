// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>

// The types for an element of a matrix: its position, the lane that holds it, and its place in memory. All families of
// machines use these types.

namespace coalescing {

/// An element of a matrix operand. Where an instruction works on several matrices, `block` is the number of the
/// element's matrix.
struct cell {
  unsigned row = 0, column = 0, block = 0;
  bool operator==(cell const&) const = default;
};

/// The lane that holds an element in a register, and the number of the value in that lane.
struct holder {
  unsigned lane = 0, value = 0;
  bool operator==(holder const&) const = default;
};

/// The element in memory from which a matrix load reads a value, or to which a matrix store writes it. It lies
/// `element` elements after the address that lane `lane` gives.
struct origin {
  unsigned lane = 0, element = 0;
  bool operator==(origin const&) const = default;
};

}  // namespace coalescing
