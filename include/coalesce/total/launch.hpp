// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/core/misuse.hpp>

#include <cstdint>

// The threads that run a kernel: blocks of threads (AMD: work-groups of work-items). All vendors number the threads in
// the same way: x varies fastest, and consecutive threads of a block form a warp or wave. Sources: CUDA C++ Programming
// Guide, "Thread Hierarchy" and "SIMT Architecture"; for AMD, the post that gcn/README.md calls POST, "Compute".

namespace coalescing {

namespace refused {

[[noreturn]] COALESCE_API inline void launch_has_no_such_extent() {
  detail::refuse("an extent of a block or grid is less than 1 or more than 2^31 - 1");
}
[[noreturn]] COALESCE_API inline void launch_has_too_many_threads() {
  detail::refuse("more than 2^50 threads: their costs would not fit 64 bits");
}
[[noreturn]] COALESCE_API inline void block_has_too_many_threads(std::uint64_t) {
  detail::refuse("more than 1,024 threads: no machine has such blocks");
}
[[noreturn]] COALESCE_API inline void block_has_no_such_thread() {
  detail::refuse("the thread's x, y or z is not less than the block's");
}

}  // namespace refused

/// How many threads a block has along x, y and z, or how many blocks a grid has.
struct block {
  std::int64_t x = 1, y = 1, z = 1;

  bool operator==(block const&) const = default;
};

/// A grid of blocks: `grid` says how many blocks it has, `block` how many threads each block has.
struct launch {
  coalescing::block grid = {};
  coalescing::block block = {};

  bool operator==(launch const&) const = default;
};

/// The place of a thread in its block, or of a block in the grid. Its numbers have 32 bits, as in CUDA, so a product
/// that overflows in the kernel overflows here too.
struct place {
  unsigned x = 0, y = 0, z = 0;

  bool operator==(place const&) const = default;
};

/// One thread of a launch: blockIdx and threadIdx.
struct invocation {
  place block = {};
  place thread = {};

  bool operator==(invocation const&) const = default;
};

namespace detail {

inline constexpr std::uint64_t most_threads = std::uint64_t{1} << 50;

/// Multiplies a number of threads by an extent (not 0). Refused: more than most_threads.
COALESCE_API constexpr std::uint64_t count_threads(std::uint64_t count, std::uint64_t extent) {
  if (count > most_threads / extent) refused::launch_has_too_many_threads();
  return count * extent;
}

/// The number of threads or blocks. Refused: an extent below 1 or above 2^31 - 1; more than most_threads in all.
COALESCE_API constexpr std::uint64_t count_of(block const& extents) {
  std::uint64_t count = 1;
  std::int64_t const all[] = {extents.x, extents.y, extents.z};
  for (std::int64_t const extent : all) {
    if (extent < 1 || extent > 0x7fff'ffff) refused::launch_has_no_such_extent();
    count = detail::count_threads(count, static_cast<std::uint64_t>(extent));
  }
  return count;
}

/// The number of threads of a block. Refused: more than 1,024, the limit of every machine (CUDA C++ Programming Guide,
/// "Thread Hierarchy"; LLVM, AMDGPUUsage, amdgpu-flat-work-group-size).
COALESCE_API constexpr std::uint64_t threads_of(block const& extents) {
  std::uint64_t const count = detail::count_of(extents);
  if (count > 1024) refused::block_has_too_many_threads(count);
  return count;
}

/// The x, y and z of the thread or block that has this linear index. `extents` are those of the block or grid.
COALESCE_API constexpr place place_of(std::uint64_t index, block const& extents) {
  auto const width = static_cast<std::uint64_t>(extents.x), height = static_cast<std::uint64_t>(extents.y);
  return {.x = static_cast<unsigned>(index % width),
          .y = static_cast<unsigned>(index / width % height),
          .z = static_cast<unsigned>(index / width / height)};
}

}  // namespace detail

/// The linear index of a thread in its block. Thread k of a block is lane k % 32 of warp k / 32; with waves of 64
/// lanes, lane k % 64 of wave k / 64. Refused: a thread that the block does not have.
[[nodiscard]] COALESCE_API constexpr std::uint64_t thread_index(place const& thread, block const& extents) {
  static_cast<void>(detail::threads_of(extents));
  auto const width = static_cast<std::uint64_t>(extents.x), height = static_cast<std::uint64_t>(extents.y);
  if (thread.x >= width || thread.y >= height || thread.z >= static_cast<std::uint64_t>(extents.z))
    refused::block_has_no_such_thread();
  return thread.x + width * (thread.y + height * thread.z);
}

/// The thread with a linear index: the inverse of thread_index(). Refused: an index that the block does not have.
[[nodiscard]] COALESCE_API constexpr place thread_at(std::uint64_t index, block const& extents) {
  if (index >= detail::threads_of(extents)) refused::block_has_no_such_thread();
  return detail::place_of(index, extents);
}

}  // namespace coalescing
