// SPDX-License-Identifier: BSL-1.0
//
// Tiles of 64 x 64 halves, rows of 128 bytes, that go from memory straight to LDS. A load to LDS writes its lanes one
// after the other: it can neither swizzle nor pad what one wave writes, and M0 only moves all of it. So each lane
// fetches what belongs in its slot: the swizzle is on the memory side. The table shows what that costs there, and how
// many conflicts it spares the reads of matrix operands.

#include <coalesce/cdna.hpp>
#include <coalesce/layout.hpp>
#include <coalesce/total.hpp>

#include <cstdio>

namespace co = coalescing;
using co::cdna::gfx942, co::cdna::gfx950;

constexpr unsigned tile_bytes = 64 * 128;
constexpr std::uint64_t matrix_pitch = 8192;  // 4096 halves a row

// Which byte of the tile lies in a byte of LDS, and where a byte of the tile lies: each is its own inverse.
constexpr auto as_it_is = [](std::uint64_t byte) { return byte; };
// Chunk c, 16 bytes, of row r in slot c ^ r % 8.
constexpr co::swizzle by_row{.bits = 3, .base = 4, .shift = 3};
// Pairs of chunks, by bits 1 and 3 of the row.
constexpr co::swizzle by_bit_1{.bits = 1, .base = 5, .shift = 3}, by_bit_3{.bits = 1, .base = 6, .shift = 4};
constexpr auto by_two_bits = [](std::uint64_t byte) { return by_bit_3(by_bit_1(byte)); };

/// A tile filled by loads of a kind, with a swizzle, or with a gap in LDS after each load of a wave.
template <class Copy, class Swizzle>
struct tile {
  static constexpr unsigned wave_bytes = 64 * Copy::slot_bytes, loads = tile_bytes / wave_bytes;
  Swizzle swizzle;
  unsigned gap = 0;

  // Where in LDS 16 bytes of the tile lie.
  constexpr std::uint64_t operator()(unsigned row, unsigned chunk) const {
    std::uint64_t const byte = swizzle(128 * row + 16 * chunk);
    return byte + byte / wave_bytes * gap;
  }
  // The address that a lane fetches from: the bytes there belong where the lane writes.
  constexpr std::uint64_t fetched(unsigned lane, unsigned load) const {
    std::uint64_t const byte = swizzle(Copy::lds_address({.m0 = load * (wave_bytes + gap)}, lane) - load * gap);
    return matrix_pitch * (byte / 128) + byte % 128;
  }
};

// The memory side, all loads of a wave after the other.
template <class Copy, class Tile>
constexpr auto memory_side(Tile const& place) {
  return co::total<typename Copy::global>([=](unsigned lane, unsigned load) { return place.fetched(lane, load); },
                                          co::domain{Tile::loads});
}
// Rows of A: lane l reads chunk l / 16 of row l % 16, four blocks of rows, two of columns.
template <class Read, class Tile>
constexpr auto rows_of(Tile const& place) {
  return co::total<Read>(
      [=](unsigned lane, unsigned rows, unsigned half) { return place(16 * rows + lane % 16, 4 * half + lane / 16); },
      co::domain{4, 2});
}
// Columns of B, whose rows are k: 16 lanes read 4 rows of 16 halves and receive a column each; the first of two loads
// has k = 0 to 3, 8 to 11, ... of a block of 32, the second the others.
template <class Tile>
constexpr auto columns_of(Tile const& place) {
  return co::total<gfx950::ds_read_tr<64>>(
      [=](unsigned lane, unsigned k, unsigned second, unsigned block) {
        unsigned const row = 32 * k + 8 * (lane / 16) + 4 * second + lane % 16 / 4, piece = lane % 4;
        return place(row, 2 * block + piece / 2) + 8 * (piece % 2);
      },
      co::domain{2, 2, 4});
}

using dword = gfx942::global_load_lds<32>;
using dwordx4 = gfx950::global_load_lds<128>;

// Lane 20 writes slot 4 of row 2, and so it fetches chunk 6 of that row.
static_assert(dwordx4::lds_address({}, 20) == 2 * 128 + 4 * 16);
static_assert(tile<dwordx4, co::swizzle>{by_row}.fetched(20, 0) == 2 * matrix_pitch + 6 * 16);
// Swizzled rows are the same lines, in the same quads of lanes.
static_assert(memory_side<dwordx4>(tile<dwordx4, co::swizzle>{by_row}) ==
              memory_side<dwordx4>(tile<dwordx4, decltype(as_it_is)>{as_it_is}));
static_assert(rows_of<gfx942::ds_read<128>>(tile<dword, co::swizzle>{by_row}).ways == 1);
static_assert(rows_of<gfx950::ds_read<128>>(tile<dwordx4, co::swizzle>{by_row}).ways == 1);
static_assert(columns_of(tile<dwordx4, co::swizzle>{by_row}).ways == 2);
static_assert(columns_of(tile<dwordx4, decltype(by_two_bits)>{by_two_bits}).ways == 1);

namespace {

void line(char const* how, co::cdna::load_cost<> const& memory, unsigned loads, co::bank_cost<> const& read) {
  std::printf("  %-32s%7u%7llu%7llu%9llu%11llu\n", how, loads, static_cast<unsigned long long>(memory.transactions),
              static_cast<unsigned long long>(memory.quads), static_cast<unsigned long long>(read.rounds),
              static_cast<unsigned long long>(read.conflicts));
}
template <class Copy, class Read, class Swizzle>
void rows(char const* how, Swizzle const& swizzle, unsigned gap = 0) {
  constexpr auto loads = tile<Copy, Swizzle>::loads;
  tile<Copy, Swizzle> const place{swizzle, gap};
  line(how, memory_side<Copy>(place), loads, rows_of<Read>(place));
}
template <class Swizzle>
void columns(char const* how, Swizzle const& swizzle, unsigned gap = 0) {
  tile<dwordx4, Swizzle> const place{swizzle, gap};
  line(how, memory_side<dwordx4>(place), place.loads, columns_of(place));
}

}  // namespace

int main() {
  std::printf("%-34s%7s%7s%7s%9s%11s\n", "64 x 64 halves, to LDS and read", "loads", "lines", "quads", "rounds",
              "conflicts");
  std::printf("MI300X: global_load_lds_dword, ds_read_b128\n");
  rows<dword, gfx942::ds_read<128>>("rows as they are", as_it_is);
  rows<dword, gfx942::ds_read<128>>("16 bytes left after each load", as_it_is, 16);
  rows<dword, gfx942::ds_read<128>>("chunk c of row r in c ^ r % 8", by_row);
  std::printf("MI355X: global_load_lds_dwordx4, ds_read_b128\n");
  rows<dwordx4, gfx950::ds_read<128>>("rows as they are", as_it_is);
  rows<dwordx4, gfx950::ds_read<128>>("16 bytes left after each load", as_it_is, 16);
  rows<dwordx4, gfx950::ds_read<128>>("chunk c of row r in c ^ r % 8", by_row);
  std::printf("MI355X: global_load_lds_dwordx4, ds_read_b64_tr_b16\n");
  columns("rows as they are", as_it_is);
  columns("16 bytes left after each load", as_it_is, 16);
  columns("chunk c of row r in c ^ r % 8", by_row);
  columns("pairs of chunks by r's bits 1, 3", by_two_bits);
  std::printf("what the lanes of MI355X's first load fetch, as row.chunk, with c ^ r %% 8\n");
  constexpr tile<dwordx4, co::swizzle> swizzled{by_row};
  for (unsigned lane = 0; lane != 32; ++lane) {
    std::uint64_t const address = swizzled.fetched(lane, 0);
    std::printf("%s%llu.%llu%s", lane % 8 == 0 ? "  " : " ", static_cast<unsigned long long>(address / matrix_pitch),
                static_cast<unsigned long long>(address % matrix_pitch / 16), lane % 8 == 7 ? "\n" : "");
  }
}
