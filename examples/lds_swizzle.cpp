// SPDX-License-Identifier: BSL-1.0
//
// A tile of 64 halves a row (128 bytes) in LDS, read for a matrix instruction: lane l takes 16 bytes, column l / 16 of
// row l % 16, or column l / 32 of row l % 32. Plain rows put a column into four banks. Composable Kernel's XOR swizzle
// spreads it over the 128 bytes that are CDNA 3's 32 banks; CDNA 4 reads from 64, and there it is not always enough.

#include <coalesce/cdna.hpp>

#include <cstdio>

namespace co = coalescing;
namespace cdna = co::cdna;
using cdna::gfx942, cdna::gfx950;

// Where 16 bytes of the tile lie.
struct plain {
  constexpr unsigned operator()(unsigned row, unsigned column) const { return 128 * row + 16 * column; }
};
struct padded {
  constexpr unsigned operator()(unsigned row, unsigned column) const { return 144 * row + 16 * column; }
};
struct swizzled {
  constexpr unsigned operator()(unsigned row, unsigned column) const { return 128 * row + 16 * (column ^ (row % 8)); }
};

// The addresses that the lanes of a wave read, for a tile in this layout.
template <class Layout, unsigned Rows>
struct read_rows {
  constexpr unsigned operator()(unsigned lane) const { return Layout{}(lane % Rows, lane / Rows); }
};
// The addresses that they write when they fill it row by row.
template <class Layout>
struct fill {
  constexpr unsigned operator()(unsigned lane) const { return Layout{}(lane / 8, lane % 8); }
};

static_assert(co::cost<gfx942::ds_read<128>>(read_rows<plain, 16>{}).conflicts == 24);
static_assert(co::cost<gfx942::ds_read<128>>(read_rows<padded, 16>{}).conflicts == 8);
static_assert(co::cost<gfx942::ds_read<128>>(read_rows<swizzled, 16>{}).conflicts == 0);
static_assert(co::cost<gfx950::ds_read<128>>(read_rows<swizzled, 16>{}).conflicts == 0);
static_assert(co::cost<gfx942::ds_read<128>>(read_rows<swizzled, 32>{}).conflicts == 0);
static_assert(co::cost<gfx950::ds_read<128>>(read_rows<swizzled, 32>{}).conflicts == 4);  // 64 banks: two rows meet
static_assert(co::cost<gfx942::ds_write<128>>(fill<swizzled>{}).conflicts == 0);

namespace {

template <class Instruction42, class Instruction50, class Pattern>
void row(char const* what, Pattern const& pattern) {
  auto const cdna3 = co::cost<Instruction42>(pattern);
  auto const cdna4 = co::cost<Instruction50>(pattern);
  std::printf("  %-26s%8llu%11llu%12llu%11llu\n", what, static_cast<unsigned long long>(cdna3.rounds),
              static_cast<unsigned long long>(cdna3.conflicts), static_cast<unsigned long long>(cdna4.rounds),
              static_cast<unsigned long long>(cdna4.conflicts));
}
template <class Layout>
void rows(char const* layout) {
  std::printf("%s\n", layout);
  row<gfx942::ds_read<128>, gfx950::ds_read<128>>("ds_read_b128, 16 rows", read_rows<Layout, 16>{});
  row<gfx942::ds_read<128>, gfx950::ds_read<128>>("ds_read_b128, 32 rows", read_rows<Layout, 32>{});
  row<gfx942::ds_write<128>, gfx950::ds_write<128>>("ds_write_b128, row by row", fill<Layout>{});
}

}  // namespace

int main() {
  std::printf("%-28s%8s%11s%12s%11s\n", "tile of 64 halves a row", "gfx942", "conflicts", "gfx950", "conflicts");
  rows<plain>("plain rows of 128 bytes");
  rows<padded>("rows padded by 16 bytes");
  rows<swizzled>("XOR swizzle, 16-byte column ^ row % 8");
}
