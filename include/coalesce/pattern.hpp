// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/detail/config.hpp>

#include <cstdint>

// Patterns: who reads where. A pattern is any callable from a lane to a byte address; these are the common ones by
// name.

namespace coalescing {

/// Lane k at byte base + k * stride. The arithmetic is modulo 2^64, so a negative stride, or a base that stands for an
/// offset before some origin, means what it says.
struct linear {
  std::uint64_t base = 0;   ///< byte address of lane 0
  std::int64_t stride = 0;  ///< bytes from one lane to the next
  COALESCE_API constexpr std::uint64_t operator()(unsigned lane) const {
    return base + lane * static_cast<std::uint64_t>(stride);
  }
  bool operator==(linear const&) const = default;
};

/// Every lane at byte base.
struct broadcast {
  std::uint64_t base = 0;  ///< byte address of all lanes
  COALESCE_API constexpr std::uint64_t operator()(unsigned) const { return base; }
  bool operator==(broadcast const&) const = default;
};

}  // namespace coalescing
