// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/core/config.hpp>

#include <cstdint>

// The picture of a warp says which lanes are active, and how far their addresses lie from the address of the first
// active lane. total/launches.hpp uses pictures for launches over a layout.

namespace coalescing::detail {

/// A digit: the index of a thread or a block in one dimension. (Contiguous dimensions may share a digit.) If the digit
/// grows by 1, the thread's number grows by `threads`, and its address by `bytes`. The digit is below `count`.
struct digit {
  std::uint64_t count = 1, threads = 0, bytes = 0;
};

/// The addresses of a warp's lanes, relative to the first active lane.
template <unsigned Lanes>
struct picture {
  /// Bytes from the address of the first active lane to the address of each lane. An inactive lane has the offset of
  /// some active one.
  std::uint64_t offset[Lanes] = {};
  std::uint64_t first = 0;   ///< bytes from the address of index (0, 0, ...) to that of the first active lane
  std::uint64_t active = 0;  ///< bit k: lane k is active

  COALESCE_API constexpr bool is_like(picture const& other) const {
    if (active != other.active) return false;
    for (unsigned lane = 0; lane != Lanes; ++lane)
      if (offset[lane] != other.offset[lane]) return false;
    return true;
  }
};

/// The picture of the warp whose first lane has the digits `at` (its index in each dimension), and whose first
/// `threads` lanes have a thread. A lane with a thread is active if each of its digits is below the digit's bound in
/// `bounds`.
template <unsigned Lanes, unsigned Rank>
COALESCE_API constexpr picture<Lanes> picture_of(digit const (&digits)[Rank], std::uint64_t const (&bounds)[Rank],
                                                 std::uint64_t (&at)[Rank], std::uint64_t threads) {
  picture<Lanes> seen;
  std::uint64_t here = 0, last = 0;
  for (unsigned k = 0; k != Rank; ++k) here += at[k] * digits[k].bytes;
  unsigned lane = 0;
  while (lane != threads) {
    // A run of lanes that differ in the first digit alone. Only the first `active` lanes of the run are active.
    std::uint64_t const left = threads - lane, row = digits[0].count - at[0], run = row < left ? row : left;
    std::uint64_t active = at[0] >= bounds[0] ? 0 : bounds[0] - at[0] < run ? bounds[0] - at[0] : run;
    for (unsigned k = 1; k != Rank; ++k) active = at[k] >= bounds[k] ? 0 : active;
    if (active != 0) {
      if (seen.active == 0) seen.first = here;
      seen.active |= all_lanes >> (64 - active) << lane;
      std::uint64_t next = here - seen.first;
      for (std::uint64_t k = 0; k != active; ++k) seen.offset[lane++] = next, next += digits[0].bytes;
      last = next - digits[0].bytes;
    }
    for (std::uint64_t k = active; k != run; ++k) seen.offset[lane++] = last;
    at[0] += run, here += run * digits[0].bytes;
    for (unsigned k = 0; k + 1 != Rank && at[k] == digits[k].count; ++k)
      here += digits[k + 1].bytes - at[k] * digits[k].bytes, at[k] = 0, ++at[k + 1];
  }
  while (lane != Lanes) seen.offset[lane++] = last;
  return seen;
}

}  // namespace coalescing::detail
