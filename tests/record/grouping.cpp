// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/record.hpp>

#include <string_view>

#include "machinery/check.hpp"

// Which lanes' accesses are one instruction.

namespace co = coalescing;
using co::cdna::gfx942, co::cuda::cc90;

namespace {

constexpr co::launch warp{.block = {32}};
constexpr co::global<float> floats{"a", 1024};
constexpr co::global<float> others{"b", 1024};

template <class Body>
constexpr auto seen_of(Body const& body) {
  return co::record<cc90, 8>(co::kernel{warp, body, floats, others});
}

}  // namespace

TEST_CASE("record: lanes of both branches meet behind them") {
  constexpr auto branches = seen_of([](auto const& t, auto a, auto b) {
    if (t.lane() < 8)
      a[t.lane()] = 0.f;
    else
      b[t.lane()] = 0.f;
    a[t.lane() + 32] = 1.f;
  });
  COALESCE_CHECK(branches.size() == 3);
  COALESCE_CHECK(branches[0].cost.transactions == 1);
  COALESCE_CHECK(branches[1].cost.issued == 1);  // sites stand in the order of thread 0, then of those behind it
  COALESCE_CHECK(branches[1].cost.transactions == 4);
  COALESCE_CHECK(!branches[1].uneven);
  COALESCE_CHECK(branches[2].cost.transactions == 3);
  // Some lanes run the first part alone, some the second alone, and some both.
  constexpr auto parts = seen_of([](auto const& t, auto a, auto b) {
    if (t.lane() % 3 != 1) a[t.lane()] = 0.f;
    if (t.lane() % 3 != 0) b[t.lane()] = 0.f;
    if (t.lane() % 3 != 2) a[t.lane() + 32] = 0.f;
  });
  COALESCE_CHECK(parts.size() == 3);
  COALESCE_CHECK(parts.total().issued == 3);
  COALESCE_CHECK(parts[0].cost.bytes_used == 4 * 21);
  COALESCE_CHECK(parts[2].cost.bytes_used == 4 * 21);
  COALESCE_CHECK(parts[1].cost.bytes_used == 4 * 22);
}

TEST_CASE("record: n-th visits are one instruction") {
  constexpr auto alike = seen_of([](auto const& t, auto a, auto) {
    for (unsigned k = 0; k != 3; ++k) a[t.lane() + 32 * k] = 0.f;
  });
  COALESCE_CHECK(alike.size() == 1);
  COALESCE_CHECK(alike[0].cost.issued == 3);
  COALESCE_CHECK(alike[0].cost.transactions == 12);
  COALESCE_CHECK(!alike[0].uneven);
  // Lane k visits k % 4 times: nothing tells that these are not the first iterations of all lanes.
  constexpr auto uneven = seen_of([](auto const& t, auto a, auto) {
    for (unsigned k = 0; k != t.lane() % 4; ++k) a[t.lane() + 32 * k] = 0.f;
  });
  COALESCE_CHECK(uneven[0].cost.issued == 3);
  COALESCE_CHECK(uneven[0].uneven);
  COALESCE_CHECK(uneven[0].cost.bytes_used == 4 * (24 + 16 + 8));
  // One place in a helper that the body calls twice is visited twice.
  constexpr auto helper = seen_of([](auto const& t, auto a, auto b) {
    auto const store = [&](auto p) { p[t.lane()] = 0.f; };
    store(a), store(b), store(a + 1);
  });
  COALESCE_CHECK(helper.size() == 2);
  COALESCE_CHECK(helper.of("a").issued == 2);
  COALESCE_CHECK(helper.of("a").transactions == 4 + 5);
}

TEST_CASE("record: marked loops") {
  // Lane k comes in iterations k, k + 1, ... 31: one instruction for each iteration.
  constexpr auto late = seen_of([](auto const& t, auto a, auto) {
    for (auto again = t.loop(); again(false);) static_cast<void>(again);
    unsigned k = 0;
    for (auto again = t.loop(); again(k < 4); ++k)
      if (k >= t.lane()) a[k] = 0.f;
  });
  COALESCE_CHECK(late.size() == 1);
  COALESCE_CHECK(late[0].cost.issued == 4);
  COALESCE_CHECK(late[0].cost.transactions == 4);
  COALESCE_CHECK(!late[0].uneven);
  // A loop in a branch, and one in another: lanes meet behind them.
  constexpr auto branches = seen_of([](auto const& t, auto a, auto b) {
    unsigned k = 0;
    if (t.lane() % 2 == 0)
      for (auto again = t.loop(); again(k < t.lane() / 4); ++k) a[k] = 0.f;
    else if (t.lane() < 16)
      for (auto again = t.loop(); again(k < 2); ++k) a[k + 32] = 0.f;
    b[t.lane()] = 0.f;
  });
  COALESCE_CHECK(branches.size() == 3);
  COALESCE_CHECK(branches[0].cost.issued == 1);
  COALESCE_CHECK(branches[0].cost.transactions == 4);
  COALESCE_CHECK(branches[1].cost.issued == 2);
  COALESCE_CHECK(branches[2].cost.issued == 7);
  // Four loops in one another, with breaks.
  constexpr auto deep = seen_of([](auto const& t, auto a, auto) {
    unsigned i = 0;
    for (auto one = t.loop(); one(i < 2); ++i) {
      unsigned j = 0;
      for (auto two = t.loop(); two(j < 1 + t.lane() % 2); ++j) {
        unsigned k = 0;
        for (auto three = t.loop(); three(k < 2); ++k) {
          unsigned m = 0;
          for (auto four = t.loop(); four(true); ++m) {
            if (m == t.lane() / 16) break;
            a[t.lane()] = 0.f;
          }
        }
      }
    }
  });
  // i: 2; j: 0 of all, 1 of odd lanes; k: 2; m: 0 of the upper lanes.
  COALESCE_CHECK(deep.size() == 1);
  COALESCE_CHECK(deep[0].cost.issued == 2 * 2 * 2);
  COALESCE_CHECK(deep[0].cost.bytes_used == 2 * 2 * 4 * (16 + 8));
}

TEST_CASE("record: converge() and sync() say that lanes are together") {
  constexpr auto together = seen_of([](auto const& t, auto a, auto) {
    for (unsigned k = 0; k != 4; ++k) {
      if (k % 2 == t.lane() % 2) a[t.lane()] = 0.f;
      t.converge();
    }
  });
  COALESCE_CHECK(together[0].cost.issued == 4);
  COALESCE_CHECK(together[0].cost.bytes_used == 4 * 4 * 16);
  constexpr auto apart = seen_of([](auto const& t, auto a, auto) {
    for (unsigned k = 0; k != 4; ++k)
      if (k % 2 == t.lane() % 2) a[t.lane()] = 0.f;
  });
  COALESCE_CHECK(apart[0].cost.issued == 2);  // the first visits of even and odd lanes: what the manual warns of
  constexpr auto barrier = seen_of([](auto const& t, auto a, auto) {
    if (t.lane() < 16) a[t.lane()] = 0.f;
    t.sync();
    for (unsigned k = 0; k != 1 + t.lane() / 16; ++k) a[t.lane()] = 0.f;
  });
  COALESCE_CHECK(barrier.size() == 2);
  COALESCE_CHECK(barrier[0].cost.issued == 1);
  COALESCE_CHECK(barrier[1].cost.issued == 2);
  COALESCE_CHECK(barrier[1].uneven);
  COALESCE_CHECK(!barrier[0].uneven);
}

TEST_CASE("record: threads that return, and warps that are not full") {
  constexpr auto early = co::record<cc90, 4>(co::kernel{co::launch{.block = {40}},
                                                        [](auto const& t, auto a, auto) {
                                                          if (t.index() == 3) return;
                                                          a[t.index()] = 0.f;
                                                          t.sync();
                                                          a[t.index() + 64] = 0.f;
                                                        },
                                                        floats, others});
  COALESCE_CHECK(early[0].cost.issued == 2);
  COALESCE_CHECK(early[0].cost.transactions == 5);
  COALESCE_CHECK(early[0].cost.bytes_used == 4 * 39);
  COALESCE_CHECK(early[0].ideal.transactions == 5);
  COALESCE_CHECK(early[1].cost.issued == 2);
  constexpr auto wave = co::record<gfx942, 4>(
      co::kernel{co::launch{.block = {40}}, [](auto const& t, auto a) { a[t.index()] = 0.f; }, floats});
  COALESCE_CHECK(wave[0].cost.issued == 1);
  COALESCE_CHECK(wave[0].cost.bytes_used == 160);
}

TEST_CASE("record: blocks") {
  co::kernel const rows{co::launch{.grid = {4, 3}, .block = {32}},
                        [](auto const& t, auto a) { a[32 * (t.block.x + 4 * t.block.y) + t.lane()] = 0.f; }, floats};
  std::uint64_t calls = 0, last = 0;
  auto const all = co::record<cc90>(rows, co::each_block{[&](std::uint64_t done, std::uint64_t of) {
                                      ++calls, last = done;
                                      CHECK(of == 12);
                                    }});
  CHECK(calls == 12);
  CHECK(last == 12);
  CHECK(all.blocks == 12);
  CHECK(all.blocks_alike);
  CHECK(all.of("a").transactions == 12 * 4);
  CHECK(all.of("a").bytes_used == 12 * 128);
  // The blocks of the last column store half as much.
  co::kernel const ragged{rows.launch,
                          [](auto const& t, auto a) {
                            if (t.block.x != 3 || t.lane() < 16) a[t.lane()] = 0.f;
                          },
                          floats};
  auto const some = co::record<cc90>(ragged, co::every_block);
  CHECK(!some.blocks_alike);
  CHECK(some.of("a").transactions == 9 * 4 + 3 * 2);
  // A place that only a later block reaches.
  co::kernel const last_block{rows.launch,
                              [](auto const& t, auto a) {
                                if (t.block.x == 3) a[t.lane()] = 0.f;
                              },
                              floats};
  auto const late = co::record<cc90>(last_block, co::every_block);
  CHECK(!late.blocks_alike);
  CHECK(late[0].worst_block == co::place{3, 0, 0});
  CHECK(late.of("a").issued == 3);
}

TEST_CASE("record: worst accesses") {
  constexpr auto worst = co::record<cc90, 4>(
      co::kernel{co::launch{.block = {96}}, [](auto const& t, auto s) { s[(t.index() / 32 + 1) % 3 * t.lane()] = 0.f; },
                 co::shared<float[64]>{"s"}});
  COALESCE_CHECK(worst[0].worst == 2);
  COALESCE_CHECK(worst[0].worst_warp == 1);
  COALESCE_CHECK(worst[0].cost.rounds == 1 + 2 + 1);
  COALESCE_CHECK(worst[0].cost.conflicts == 1);
  COALESCE_CHECK(worst[0].cost.ways == 2);
  COALESCE_CHECK(worst[0].ideal.rounds == 3);
}
