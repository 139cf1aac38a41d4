// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cuda.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/launch.hpp>

#include "unit/check.hpp"

namespace co = coalescing;

TEST_CASE("threads are numbered x first: CUDA C++ Programming Guide, Thread Hierarchy: x + y Dx + z Dx Dy") {
  COALESCE_CHECK(co::thread_index({.x = 3, .y = 2, .z = 1}, {8, 4, 2}) == 3 + 2 * 8 + 1 * 8 * 4);
  COALESCE_CHECK(co::thread_index({.x = 70}, {256}) == 70);
  COALESCE_CHECK(co::thread_at(3 + 2 * 8 + 1 * 8 * 4, {8, 4, 2}) == co::place{3, 2, 1});
  // As on GCN (the post): the same numbers.
  COALESCE_CHECK(co::thread_index({1, 2, 3}, {8, 4, 4}) == co::gcn::invocation_index({1, 2, 3}, {8, 4}));
}
TEST_CASE("warps are 32 consecutive threads: in blocks of 16 x 16 a warp is two rows") {
  constexpr auto index = co::thread_index({.x = 5, .y = 3}, {16, 16});
  COALESCE_CHECK(co::cuda::warp_of(index) == 1);
  COALESCE_CHECK(co::cuda::lane_of(index) == 21);
}
TEST_CASE("each thread of a block has one index, and is found by it") {
  co::block const blocks[] = {{32, 8}, {7, 5, 3}, {1, 1, 64}, {1024}};
  for (co::block const& extents : blocks) {
    std::uint64_t next = 0;
    bool same = true;
    for (unsigned z = 0; z != extents.z; ++z)
      for (unsigned y = 0; y != extents.y; ++y)
        for (unsigned x = 0; x != extents.x; ++x, ++next)
          same = same && co::thread_index({x, y, z}, extents) == next &&
                 co::thread_at(next, extents) == co::place{x, y, z};
    CHECK(same);
    CHECK_THROWS_AS(static_cast<void>(co::thread_at(next, extents)), co::misuse);
  }
}
TEST_CASE("blocks that no machine has are refused, and threads that a block has not") {
  constexpr co::block none[] = {{0}, {8, -1}, {1ll << 31}};
  for (co::block const& extents : none)  // by its own sentence, not because a thread is outside
    CHECK_THROWS_WITH_AS(static_cast<void>(co::thread_index({}, extents)),
                         "coalesce: an extent of a block or grid is less than 1 or more than 2^31 - 1", co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::thread_index({}, {33, 32})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::thread_index({.x = 8}, {8, 4})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::thread_index({.y = 4}, {8, 4})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::thread_index({.z = 1}, {8, 4})), co::misuse);
}
