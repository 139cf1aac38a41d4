// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>

#include <cstdint>

// The worst cost of an access whose index is data, as in a histogram, a gather or a paged table.

namespace coalescing {

/// The last argument of a pattern: each lane picks its own choice from 0 to choices - 1.
struct any {
  std::int64_t choices = 0;
  std::int64_t together = 1;  ///< this many neighbouring lanes pick as one: 8 lanes that fetch a row
  bool operator==(any const&) const = default;
};

}  // namespace coalescing
