// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>

// Who holds which element of a matrix, in words that all families share.

namespace coalescing {

/// An element of a matrix operand: of one of several blocks, where an instruction works on more than one.
struct cell {
  unsigned row = 0, column = 0, block = 0;
  bool operator==(cell const&) const = default;
};

/// Where an element is held: in a lane, as which of its values.
struct holder {
  unsigned lane = 0, value = 0;
  bool operator==(holder const&) const = default;
};

/// Where a value of a register is read from, or written to: which element, counted from the address that this lane
/// gives.
struct origin {
  unsigned lane = 0, element = 0;
  bool operator==(origin const&) const = default;
};

}  // namespace coalescing
