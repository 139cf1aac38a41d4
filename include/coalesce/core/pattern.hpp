// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>

#include <cstdint>

// Patterns: the byte address of each lane. Any callable from a lane to a byte address is a pattern; this header names
// the common ones.

namespace coalescing {

namespace detail {
/// The first member of `linear`. Nothing converts to it, so co::linear{128} does not compile: some readers would take
/// 128 for a stride, others for a base.
struct say_base_or_stride_by_name {
  COALESCE_API constexpr say_base_or_stride_by_name() {}
  bool operator==(say_base_or_stride_by_name const&) const = default;
};
}  // namespace detail

/// Lane k accesses byte base + k * stride. The members are given by name: co::linear{.base = 128, .stride = 4}. The
/// arithmetic is modulo 2^64, so a negative stride works, and so does a base that stands for a negative offset.
struct linear {
#ifdef _MSC_VER  // it ignores the standard attribute
  [[msvc::no_unique_address]]
#else
  [[no_unique_address]]
#endif
  detail::say_base_or_stride_by_name by_name = {};
  std::uint64_t base = 0;   ///< byte address of lane 0
  std::int64_t stride = 0;  ///< bytes from one lane to the next
  COALESCE_API constexpr std::uint64_t operator()(unsigned lane) const {
    return base + lane * static_cast<std::uint64_t>(stride);
  }
  bool operator==(linear const&) const = default;
};

/// Every lane accesses byte `base`.
struct broadcast {
  std::uint64_t base = 0;  ///< byte address of all lanes
  COALESCE_API constexpr std::uint64_t operator()(unsigned) const { return base; }
  bool operator==(broadcast const&) const = default;
};

}  // namespace coalescing
