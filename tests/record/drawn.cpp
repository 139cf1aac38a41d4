// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cuda.hpp>
#include <coalesce/record.hpp>
#include <coalesce/record/figure.hpp>

#include <string>

#include "machinery/check.hpp"

// The picture of a site's dearest access. The oracle is the picture of the pattern, written by hand.

namespace co = coalescing;
using co::cuda::cc13, co::cuda::cc90;

namespace {

constexpr unsigned read = __LINE__ + 4;
struct column_of_a_tile {
  template <class Thread, class Out, class Tile>
  constexpr void operator()(Thread const& t, Out out, Tile tile) const {
    out[t.lane()] = tile[t.lane()][0];
    co::issue<cc90::ldmatrix<1>>(&tile[t.lane()][0]);
  }
};
constexpr co::kernel column{co::launch{.block = {32}}, column_of_a_tile{}, co::global<float>{.name = "out", .base = 0},
                            co::shared<float[32][32]>{"tile"}};

/// The picture without its <desc>, which `desc` gets.
std::string drawing(std::string all, std::string& desc) {
  auto const begin = all.find("<desc>"), end = all.find("</desc>\n");
  REQUIRE(begin < end);
  REQUIRE(end != std::string::npos);
  desc = all.substr(begin + 6, end - begin - 6);
  return all.erase(begin, end + 8 - begin);
}

}  // namespace

TEST_CASE("drawn sites: the picture of the pattern, and where it stands") {
  auto const seen = co::record<cc90>(column);
  REQUIRE(seen.size() == 3);
  std::string where;
  CHECK(drawing(co::svg<cc90>(seen[0]), where) == co::svg<cc90::shared_load<32>>(co::linear{.stride = 128}));
  CHECK(where.find("drawn.cpp:" + std::to_string(read) + ":") == 0);
  CHECK(where.find("tile, shared load 32: the dearest is of block {0, 0, 0}, warp 0") != std::string::npos);
  CHECK(drawing(co::svg<cc90>(seen[1]), where) == co::svg<cc90::store<32>>(co::linear{.stride = 4}));
  CHECK(drawing(co::svg<cc90::ldmatrix<1>>(seen[2]), where) ==
        co::svg<cc90::ldmatrix<1>>(co::linear{.stride = 128}, 0xff));
  CHECK(where.find("cuda::cc90::ldmatrix&lt;1&gt;") != std::string::npos);
  CHECK(drawing(co::svg<cc90>(seen[0], co::caption::title), where) ==
        co::svg<cc90::shared_load<32>>(co::linear{.stride = 128}, co::all_lanes, co::caption::title));
  CHECK(co::svg<cc90>(seen[0]) != co::svg<cc90>(seen[1]));  // a control
}

TEST_CASE("drawn sites: the first of several instructions") {
  struct two {
    float x, y;
  };
  co::kernel const pairs{co::launch{.block = {32}}, [](auto const& t, auto to) { to[t.lane()] = two{}; },
                         co::global<two>{.name = "to", .base = 0}};
  std::string where;
  CHECK(drawing(co::svg<cc90>(co::record<cc90>(pairs)[0]), where) == co::svg<cc90::store<32>>(co::linear{.stride = 8}));
  CHECK(where.find("Here is the first, of 32 of its 64 bits") != std::string::npos);
}

TEST_CASE("drawn sites: refused") {
  auto const seen = co::record<cc90>(column);
  CHECK_THROWS_WITH(static_cast<void>(co::svg<cc90>(seen[2])), doctest::Contains("another one"));
  co::kernel const wide{co::launch{.block = {32}}, [](auto const& t, auto s) { s[t.lane()] = 0.; },
                        co::shared<double[32]>{"s"}};
  CHECK_THROWS_WITH(static_cast<void>(co::svg<cc13>(co::record<cc13>(wide)[0])), doctest::Contains("no figure"));
  co::kernel const added{co::launch{.block = {32}}, [](auto const&, auto s) { co::atomic_add(s[0], 1u); },
                         co::shared<unsigned[1]>{"s"}};
  CHECK_THROWS_WITH(static_cast<void>(co::svg<cc13>(co::record<cc13>(added)[0])), doctest::Contains("no figure"));
}
