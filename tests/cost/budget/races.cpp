// SPDX-License-Identifier: BSL-1.0
//
// The races of 16 threads that fill a tile of 17 x 17 integers diagonal by diagonal, as Needleman and Wunsch's
// alignment of two sequences does: 34 barriers.
#include <coalesce/record.hpp>
namespace co = coalescing;
constexpr auto body = [](auto const& t, auto scores, auto items, auto temp, auto ref) {
  int const tx = static_cast<int>(t.thread.x);
  if (tx == 0) temp[0][0] = co::value(items[0]);
  for (int ty = 0; ty < 16; ++ty) ref[ty][tx] = co::value(scores[17 * (ty + 1) + tx + 1]);
  t.sync();
  temp[tx + 1][0] = co::value(items[17 * (tx + 1)]);
  t.sync();
  temp[0][tx + 1] = co::value(items[tx + 1]);
  t.sync();
  for (int m = 0; m < 16; ++m) {
    if (tx <= m) {
      int const x = tx + 1, y = m - tx + 1;
      int const a = temp[y - 1][x - 1], r = ref[y - 1][x - 1], b = temp[y][x - 1], c = temp[y - 1][x];
      int const d = a + r, e = b - 10, f = c - 10;
      temp[y][x] = d > e ? (d > f ? d : f) : e > f ? e : f;
    }
    t.sync();
  }
  for (int m = 14; m >= 0; --m) {
    if (tx <= m) {
      int const x = tx + 16 - m, y = 16 - tx;
      int const a = temp[y - 1][x - 1], r = ref[y - 1][x - 1], b = temp[y][x - 1], c = temp[y - 1][x];
      int const d = a + r, e = b - 10, f = c - 10;
      temp[y][x] = d > e ? (d > f ? d : f) : e > f ? e : f;
    }
    t.sync();
  }
  for (int ty = 0; ty < 16; ++ty) items[17 * (ty + 1) + tx + 1] = co::value(temp[ty + 1][tx + 1]);
};
constexpr co::kernel needle{co::launch{.block = {16}},
                            body,
                            co::global<int const>{.name = "scores", .elements = 289, .any_value = true},
                            co::global<int>{.name = "items", .elements = 289, .any_value = true},
                            co::shared<int[17][17]>{.name = "temp", .any_value = true},
                            co::shared<int[16][16]>{.name = "ref", .any_value = true}};
static_assert(co::races(needle).count == 0);
