// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cuda.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/total/launch.hpp>

#include "machinery/check.hpp"

namespace co = coalescing;

TEST_CASE("what is not said of a block or grid is 1, of a place 0") {
  COALESCE_CHECK(co::block{} == co::block{1, 1, 1});
  COALESCE_CHECK(co::launch{} == co::launch{.grid = {1, 1, 1}, .block = {1, 1, 1}});
  COALESCE_CHECK(co::place{} == co::place{0, 0, 0});
  COALESCE_CHECK(co::invocation{} == co::invocation{.block = {0, 0, 0}, .thread = {0, 0, 0}});
}
TEST_CASE("threads are numbered x first: CUDA C++ Programming Guide, Thread Hierarchy: x + y Dx + z Dx Dy") {
  COALESCE_CHECK(co::thread_index({.x = 3, .y = 2, .z = 1}, {8, 4, 2}) == 3 + 2 * 8 + 1 * 8 * 4);
  COALESCE_CHECK(co::thread_index({.x = 70}, {256}) == 70);
  COALESCE_CHECK(co::thread_at(3 + 2 * 8 + 1 * 8 * 4, {8, 4, 2}) == co::place{3, 2, 1});
  // GCN numbers threads in the same order (the post).
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
TEST_CASE("a block has 1,024 threads at most, an extent is below 2^31, and a grid has 2^50 blocks at most") {
  using co::detail::count_of, co::detail::threads_of;
  COALESCE_CHECK(threads_of({1024}) == 1024);
  COALESCE_CHECK(threads_of({16, 8, 8}) == 1024);
  CHECK_THROWS_WITH_AS(static_cast<void>(threads_of({1025})),
                       "coalesce: more than 1,024 threads: no machine has such blocks", co::misuse);
  COALESCE_CHECK(count_of({0x7fff'ffff}) == 0x7fff'ffff);
  CHECK_THROWS_AS(static_cast<void>(count_of({0x8000'0000})), co::misuse);
  COALESCE_CHECK(count_of({1 << 30, 1 << 20}) == 1ull << 50);
  COALESCE_CHECK(count_of({1 << 20, 1 << 20, 1 << 10}) == 1ull << 50);
  char const* const words = "coalesce: more than 2^50 threads: their costs would not fit 64 bits";
  CHECK_THROWS_WITH_AS(static_cast<void>(count_of({1 << 20, 1 << 20, (1 << 10) + 1})), words, co::misuse);
  CHECK_THROWS_WITH_AS(static_cast<void>(count_of({1 << 30, (1 << 20) + 1})), words, co::misuse);
  CHECK_THROWS_WITH_AS(static_cast<void>(count_of({1 << 30, 1 << 30, 1 << 30})), words, co::misuse);
}
