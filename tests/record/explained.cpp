// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/record.hpp>
#include <coalesce/record/explain.hpp>

#include <string>
#include <string_view>

#include "machinery/check.hpp"

// The dearest access of a site, and its explanation. The oracle is co::explain of the pattern, written by hand.

namespace co = coalescing;
using co::cdna::gfx942, co::cuda::cc13, co::cuda::cc90;

namespace {

constexpr unsigned written = __LINE__ + 4, read = __LINE__ + 6;
struct column_of_a_tile {
  template <class Thread, class Out, class Tile>
  constexpr void operator()(Thread const& t, Out out, Tile tile) const {
    tile[t.warp()][t.lane()] = 0.f;
    t.sync();
    out[t.index()] = tile[t.lane()][t.warp()];
  }
};
constexpr co::kernel column{co::launch{.block = {64}}, column_of_a_tile{}, co::global<float>{"out", 64},
                            co::shared<float[32][32]>{"tile"}};

/// Warp 2 reads every 32nd float, the other warps read neighbours.
constexpr co::kernel one_warp_strides{co::launch{.grid = {2}, .block = {128}},
                                      [](auto const& t, auto in, auto out) {
                                        out[t.index()] = in[t.lane() * (t.warp() == 2 && t.block.x == 1 ? 32 : 1)];
                                      },
                                      co::global<float const>{.name = "in", .base = 4096}, co::global<float>{"out"}};

template <class Text>
bool has(Text const& text, std::string const& words) {
  return std::string_view(text).find(words) != std::string_view::npos;
}

}  // namespace

TEST_CASE("explained sites: where, and what explain says of the pattern") {
  constexpr auto seen = co::record<cc90>(column);
  REQUIRE(seen.size() == 3);
  CHECK(seen[0].at.line == written);
  CHECK(seen[1].at.line == read);
  auto const why = co::explain<cc90>(seen[1]);
  CHECK(has(why, "explained.cpp:" + std::to_string(read) + ":"));
  CHECK(has(why, "tile, shared load 32: the dearest is of block {0, 0, 0}, warp 0\n"));
  auto const by_hand = co::explain<cc90::shared_load<32>>(co::linear{.stride = 128});
  CHECK(has(why, std::string(by_hand.c_str())));
  CHECK(has(why, "conflicts 31"));
  CHECK(!has(co::explain<cc90>(seen[0]), std::string(by_hand.c_str())));  // a control: another site
  auto const named = co::explain<cc90::shared_load<32>>(seen[1]);
  CHECK(std::string_view(named) == std::string_view(why));
}

TEST_CASE("explained sites: the dearest access keeps its addresses") {
  auto const seen = co::record<cc90>(one_warp_strides, co::every_block);
  auto const& s = seen[0];
  CHECK(s.worst == 32);
  CHECK(s.worst_block.x == 1);
  CHECK(s.worst_warp == 2);
  CHECK(s.worst_access.active == 0xffff'ffff);
  for (unsigned lane = 0; lane != 32; ++lane) CHECK(s.worst_access(lane) == 4096 + 128 * lane);
  auto const why = co::explain<cc90>(s);
  CHECK(has(why, "block {1, 0, 0}, warp 2\n"));
  CHECK(has(why, "transactions 32, ideal 4: 8 times that"));
  CHECK(has(why, "lanes 0 and 1 are 128 bytes apart"));
}

TEST_CASE("explained sites: atomics, several instructions, and instructions of one's own") {
  struct three {
    float x, y, z;
  };
  constexpr co::kernel various{co::launch{.block = {32}},
                               [](auto const& t, auto bins, auto threes, auto tile) {
                                 co::atomic_add(bins[0], 1u);
                                 threes[t.lane()] = three{};
                                 co::issue<cc90::ldmatrix<1>>(&tile[t.lane() % 8][0]);
                               },
                               co::global<unsigned>{"bins", 1}, co::global<three>{"threes", 32},
                               co::shared<float[8][32]>{"tile"}};
  auto const seen = co::record<cc90>(various);
  REQUIRE(seen.size() == 3);
  CHECK(has(co::explain<cc90>(seen[0]), "name byte"));
  CHECK(has(co::explain<cc90>(seen[1]), "threes, global store 96"));
  CHECK(has(co::explain<cc90>(seen[1]), "store<32>"));
  // Eight rows of 16 bytes in one group of four banks.
  auto const matrix = co::explain<cc90::ldmatrix<1>>(seen[2]);
  CHECK(has(matrix, "conflicts 7"));
  CHECK_THROWS_WITH(static_cast<void>(co::explain<cc90>(seen[2])), doctest::Contains("another one"));
  CHECK_THROWS_WITH(static_cast<void>(co::explain<gfx942>(seen[0])), doctest::Contains("another one"));

  co::kernel const added{co::launch{.block = {32}}, [](auto const&, auto s) { co::atomic_add(s[0], 1u); },
                         co::shared<unsigned[1]>{"s"}};
  CHECK(has(co::explain<cc13>(co::record<cc13>(added)[0]), "no source tells what it costs"));
  CHECK(has(co::explain<gfx942>(co::record<gfx942>(added)[0]), "ds_atomic<32>"));
}

// In a constant expression.
constexpr auto why_column = co::explain<cc90>(co::record<cc90>(column)[1]);
static_assert(std::string_view(why_column).find("conflicts 31") != std::string_view::npos);

namespace {

struct three {
  float x, y, z;
};
constexpr co::kernel threes{co::launch{.block = {64}}, [](auto const& t, auto to) { to[t.index()] = three{}; },
                            co::global<three>{"to", 64}};

}  // namespace

TEST_CASE("explained sites: the first of several instructions") {
  CHECK(has(co::explain<cc90>(co::record<cc90>(threes)[0]),
            "several instructions move the element. Here is the first, of 32 of its 96 bits\ncuda::cc90::store<32>"));
  CHECK(!has(co::explain<gfx942>(co::record<gfx942>(threes)[0]), "several instructions"));  // one of 96 bits
}
