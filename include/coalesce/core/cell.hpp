// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>

// The words that all families use for the elements of a matrix and the lanes that hold them.

namespace coalescing {

/// An element of a matrix operand. `block` is the number of its matrix, where an instruction works on several.
struct cell {
  unsigned row = 0, column = 0, block = 0;
  bool operator==(cell const&) const = default;
};

/// The place that holds an element: a lane, and the number of the value in that lane.
struct holder {
  unsigned lane = 0, value = 0;
  bool operator==(holder const&) const = default;
};

/// The memory place from which a value of a register is read, or to which it is written: the number of the element,
/// counted from the address that `lane` gives.
struct origin {
  unsigned lane = 0, element = 0;
  bool operator==(origin const&) const = default;
};

}  // namespace coalescing
