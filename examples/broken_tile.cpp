// SPDX-License-Identifier: BSL-1.0
//
// README.md's first question: a warp reads a column of a tile of 32 x 32 floats in shared memory. Why the assertion on
// it fails, and two layouts with which it holds. The demo (demo/demo.cmake) ends with this.

#include <coalesce/cuda.hpp>
#include <coalesce/explain.hpp>
#include <coalesce/suggest.hpp>

#include <cstdio>
#include <string_view>

namespace co = coalescing;
using co::cell, co::use, co::cuda::cc90;

constexpr auto why = co::explain<cc90::shared_load<32>>(co::linear{.stride = 32 * sizeof(float)});

// The tile is written by rows and read by columns.
constexpr co::tile floats{.rows = 32, .columns = 32, .element_bytes = sizeof(float)};
constexpr auto written = use<cc90::shared_store<32>>([](unsigned lane) { return cell{.row = 0, .column = lane}; });
constexpr auto read = use<cc90::shared_load<32>>([](unsigned lane) { return cell{.row = lane, .column = 0}; });
constexpr auto padded = co::suggest(floats, co::paddings, written, read);
constexpr auto swizzled = co::suggest(floats, written, read);
static_assert(padded.before[1].conflicts == 31 && padded.after[1].conflicts == 0 && padded.after[0].conflicts == 0);
static_assert(padded.layout.every == 1 && padded.layout.gap == sizeof(float) &&
              padded.bytes == 32 * 33 * sizeof(float));
static_assert(swizzled.after[1].conflicts == 0 && swizzled.after[0].conflicts == 0 &&
              swizzled.bytes == 32 * 32 * sizeof(float));
static_assert(swizzled.layout.swizzle == co::swizzle{.bits = 5, .base = 2, .shift = 5});

namespace {

template <class Suggestion>
void print(char const* layout, Suggestion const& found) {
  std::printf("  %-24s%2llu conflicts -> %llu, in %llu bytes\n", layout,
              static_cast<unsigned long long>(found.before[1].conflicts),
              static_cast<unsigned long long>(found.after[1].conflicts), static_cast<unsigned long long>(found.bytes));
}

}  // namespace

int main() {
  // The numbers, why, and the rule with its source; the figures that it rests on come after.
  std::string_view const text = why;
  std::printf("%.*s", static_cast<int>(text.find("Rests on:")), text.data());
  std::printf("Mended by\n");
  print("rows of 33 floats", padded);
  print("or co::swizzle{5, 2, 5}", swizzled);
}
