// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/record.hpp>
#include <coalesce/record/compare.hpp>

#include <algorithm>
#include <string_view>

#include "unit/check.hpp"

// A kernel on several machines.

namespace co = coalescing;
using co::cdna::gfx942, co::cuda::cc13, co::cuda::cc80, co::cuda::cc90;

namespace {

/// Two warps, or one wave, read a column of 64 floats, all in bank 0, and add to one counter.
constexpr co::kernel column{co::launch{.grid = {2}, .block = {64}},
                            [](auto const& t, auto counts, auto tile) {
                              static_cast<void>(co::value(tile[t.index()][0]));
                              if (t.index() < 32) co::atomic_add(counts[0], 1);
                              if (t.warp_size() == 64) counts[t.index()] = 0;
                            },
                            co::shared<int[64]>{"counts"}, co::shared<float[64][32]>{"tile"}};

template <class Text>
bool has(Text const& text, char const* words) {
  return std::string_view(text).find(words) != std::string_view::npos;
}

}  // namespace

TEST_CASE("compared kernels: machine by machine") {
  static constexpr auto both = co::compare<cc80, gfx942>(column);
  COALESCE_CHECK(both.size() == 2);
  COALESCE_CHECK(both[0].of("tile").issued == 2);
  COALESCE_CHECK(both[1].of("tile").issued == 1);
  COALESCE_CHECK(both[0].of("tile").conflicts == 2 * 31);
  COALESCE_CHECK(both[1].of("tile").conflicts == 62);
  COALESCE_CHECK(both[0].size() == 2);
  COALESCE_CHECK(both[1].size() == 3);
  COALESCE_CHECK(co::compare<cc90>(column, co::warps{.first = 1})[0].of("tile").issued == 1);
  COALESCE_CHECK(co::compare<cc90, cc80>(column, co::every_block)[1].of("tile").issued == 2 * 2);
  CHECK_THROWS_AS(static_cast<void>(both[2]), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::compare<cc80>(column, co::place{2})), co::misuse);
}

TEST_CASE("compared kernels: the table has a line for each site and machine") {
  auto const table = co::compare<cc80, gfx942, cc13>(column, co::warps{.count = 1}).text();
  std::string_view const all(table);
  CHECK(std::count(all.begin(), all.end(), '\n') == 1 + 3 + 3 + 1);  // the last site is of the wave alone
  CHECK(
      has(table, "tile    shared load 32    cuda::cc80           1             -      32         31       1     32\n"));
  CHECK(
      has(table, "tile    shared load 32    cdna::gfx942         1             -      64         62       2     64\n"));
  CHECK(has(table, "counts  shared atomic 32  cuda::cc13           1  no source tells what it costs\n"));
  CHECK(has(table, "counts  shared store 32   cdna::gfx942         1 "));
  CHECK(!has(table, "counts  shared store 32   cuda::cc80"));
  CHECK(all.find("cuda::cc80") < all.find("cdna::gfx942"));
  CHECK(all.find("cdna::gfx942") < all.find("cuda::cc13"));
}
