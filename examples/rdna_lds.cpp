// SPDX-License-Identifier: BSL-1.0
//
// One layout in LDS is not one cost: 16 bytes of each lane from rows of 128 bytes, on MI300X (gfx942) and on two
// generations of RDNA, which serve other lanes together. And what a stride costs the L0 of RDNA 2.

#include <coalesce/cdna.hpp>
#include <coalesce/rdna.hpp>

#include <cstdio>

namespace co = coalescing;
using co::cdna::gfx942, co::rdna::gfx1030, co::rdna::gfx1100, co::rdna::gfx1201;

/// Lane l reads a 16-byte chunk of row l % 32.
constexpr auto column = [](unsigned lane) { return lane % 32 * 128; };
constexpr auto padded = [](unsigned lane) { return lane % 32 * 144; };
constexpr auto by_row = [](unsigned lane) { return lane % 32 * 128 + lane % 8 * 16; };
constexpr auto by_quads = [](unsigned lane) { return lane % 32 * 128 + (lane % 4 + lane % 32 / 16 * 4) * 16; };
constexpr auto crossed = [](unsigned lane) { return lane % 32 * 128 + (lane % 8 ^ lane % 32 / 16 * 4) * 16; };

// gfx1100 serves lanes 0 to 3 with lanes 20 to 23, gfx1201 lanes 0 to 7: a swizzle that is free on one is not on the
// other.
static_assert(co::cost<gfx1100::ds_load<128>>(by_quads).conflicts == 0);
static_assert(co::cost<gfx1201::ds_load<128>>(by_quads).conflicts == 4);
static_assert(co::cost<gfx1100::ds_load<128>>(crossed).conflicts == 4);
static_assert(co::cost<gfx1201::ds_load<128>>(crossed).conflicts == 0);
// True on all three chips.
static_assert(co::cost<gfx942::ds_read<128>>(by_row).conflicts == 0);
static_assert(co::cost<gfx1100::ds_load<128>>(by_row).conflicts == 0);
static_assert(co::cost<gfx1201::ds_load<128>>(by_row).conflicts == 0);

namespace {

using number = unsigned long long;

void line(char const* layout, auto const& pattern) {
  std::printf("  %-38s %12llu %10llu %10llu %17llu\n", layout, number{co::cost<gfx942::ds_read<128>>(pattern).rounds},
              number{co::cost<gfx1100::ds_load<128>>(pattern).rounds},
              number{co::cost<gfx1201::ds_load<128>>(pattern).rounds},
              number{co::cost<gfx1100::wave64::ds_load<128>>(pattern).rounds});
}

}  // namespace

int main() {
  std::printf("rounds of a 16-byte load from LDS     gfx942, wave    gfx1100    gfx1201   gfx1100, wave64\n");
  line("lane after lane", co::linear{.stride = 16});
  line("a column of rows of 128 bytes", column);
  line("the same, rows padded to 144", padded);
  line("chunk row % 8", by_row);
  line("chunk row % 4, 4 more in rows 16 to 31", by_quads);
  line("chunk row % 8 ^ 4 in rows 16 to 31", crossed);

  std::printf("\ndwords on gfx1030, L0 hits     lines  clocks\n");
  int const strides[] = {0, 4, 8, 12, 28, 32, 36, 64, 68, 128, 132};
  for (int const stride : strides) {
    auto const cost = co::cost<gfx1030::global_load<32>>(co::linear{.stride = stride});
    std::printf("  every %3d bytes %18llu %7llu\n", stride, number{cost.transactions}, number{cost.clocks});
  }
}
