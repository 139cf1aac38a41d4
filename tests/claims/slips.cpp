// SPDX-License-Identifier: BSL-1.0
//
// Slips of a transcriber in two correct kernels, and which question catches each. Conflicts catch 1 or 2 of 7, coverage
// catches most, and the comparison with a layout all.
#include <coalesce/cdna.hpp>
#include <coalesce/claims.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/total.hpp>

#include "machinery/check.hpp"

namespace co = coalescing;
using co::cdna::gfx942, co::cuda::cc80;

/// The questions that catch a slip.
struct caught_by {
  bool conflicts = false, coverage = false, comparison = true;
  bool operator==(caught_by const&) const = default;
};

// ---- 256 threads copy 64 x 128 halves in, 16 bytes a lane, swizzled by the row; ldmatrix reads them ----

namespace swizzled_copy {

/// Slips of the write: 1 steps by 15 rows instead of 16; 2 gives a row half its bytes; 3 takes the remainder of the
/// whole sum; 4 forgets the swizzle, as the read does.
template <int Slip>
constexpr auto write = [](unsigned lane, unsigned warp, unsigned i) {
  unsigned const t = 32 * warp + lane, row = t / 16 + (Slip == 1 ? 15 : 16) * i, column = t % 16;
  unsigned const vector = Slip == 3 ? (column ^ row) % 8 : Slip == 4 ? column : column ^ row % 8;
  return 16 * ((Slip == 2 ? 8 : 16) * row + vector);
};
/// Slips of the read: 5 forgets the warp; 6 takes 8 lanes for a column of matrices, not 16; 7 swizzles by the next row.
template <int Slip>
constexpr auto read = [](unsigned lane, unsigned warp, unsigned k) {
  unsigned const row = (Slip == 5 ? 0 : 16 * (warp % 4)) + lane % 16;
  unsigned const column = 8 * (warp / 4) + 2 * k + lane / (Slip == 6 ? 8 : 16);
  return 16 * (16 * row + (Slip == 4 ? column : column ^ (Slip == 7 ? row + 1 : row) % 8));
};

constexpr co::domain steps{8, 4};
constexpr co::domain points{32, 8, 4};
constexpr co::tile halves{.rows = 64, .columns = 128, .element_bytes = 2};
constexpr auto layout = co::swizzle{.bits = 3, .base = 4, .shift = 4}.over(halves);
constexpr auto written_cell = [](unsigned lane, unsigned warp, unsigned i) {
  return layout(2 * warp + lane / 16 + 16 * i, 8 * (lane % 16));
};
constexpr auto read_cell = [](unsigned lane, unsigned warp, unsigned k) {
  return layout(16 * (warp % 4) + lane % 16, 64 * (warp / 4) + 16 * k + 8 * (lane / 16));
};

using to_shared = cc80::cp_async<16>::shared;
using from_shared = cc80::ldmatrix<4>;
template <int Slip>
constexpr auto writes = co::total<to_shared>(write<Slip>, steps);
template <int Slip>
constexpr auto reads = co::total<from_shared>(read<Slip>, steps);
template <int Slip>
constexpr auto written = co::covers<to_shared>(write<Slip>, steps, halves);
template <int Slip>
constexpr auto loaded = co::covers<from_shared>(read<Slip>, steps, halves);
template <int Slip>
constexpr auto write_is_right = co::same(write<Slip>, written_cell, points);
template <int Slip>
constexpr auto read_is_right = co::same(read<Slip>, read_cell, points);

template <int Slip>
constexpr caught_by caught = {.conflicts = writes<Slip>.conflicts + reads<Slip>.conflicts != 0,
                              .coverage = !written<Slip>.exactly_once || !loaded<Slip>.evenly,
                              .comparison = !write_is_right<Slip> || !read_is_right<Slip>};

}  // namespace swizzled_copy

TEST_CASE("claims: seven slips in a swizzled copy, and what catches each") {
  using namespace swizzled_copy;
  COALESCE_CHECK(caught<0> == caught_by{.comparison = false});
  COALESCE_CHECK(loaded<0>.exactly_once);
  COALESCE_CHECK(caught<1> == caught_by{.coverage = true});
  COALESCE_CHECK(caught<2> == caught_by{.coverage = true});
  COALESCE_CHECK(caught<3> == caught_by{.coverage = true});
  COALESCE_CHECK(caught<4> == caught_by{.conflicts = true});
  COALESCE_CHECK(caught<5> == caught_by{.coverage = true});
  COALESCE_CHECK(caught<6> == caught_by{.coverage = true});
  COALESCE_CHECK(caught<7> == caught_by{});

  // Steps of 15 rows end with row 60; they write rows 15, 30 and 45 twice. Warp 0 has row 15 at step 1, in lanes 0 to
  // 15, and warp 7 at step 0, in lanes 16 to 31; in the order of the domain warp 0 comes first. The swizzle puts column
  // 7 of this row into its first bytes.
  COALESCE_CHECK(written<1>.touched == 61 * 256);
  COALESCE_CHECK(written<1>.hole == 61 * 256);
  COALESCE_CHECK(written<1>.twice == 15 * 256);
  COALESCE_CHECK(written<1>.by[0] == co::toucher{.lane = 7, .at = {0, 1}});
  COALESCE_CHECK(written<1>.by[1] == co::toucher{.lane = 23, .at = {7, 0}});
  // Rows of half their bytes fill half the tile; rows 8k to 8k + 7 begin at byte 1024k, and row 1 lies on row 0's end.
  COALESCE_CHECK(written<2>.touched == 64 * 128 + 128);
  COALESCE_CHECK(written<2>.twice == 128);
  COALESCE_CHECK(written<2>.outside == 0);
  // Eight of 16 columns, each twice.
  COALESCE_CHECK(written<3>.touched == 64 * 128);
  COALESCE_CHECK(written<3>.least == 0);
  COALESCE_CHECK(written<3>.most == 2);
  COALESCE_CHECK(written<3>.hole == 128);
  COALESCE_CHECK(written<3>.twice == 0);
  // All warps read the first 16 rows: four of the eight read each half of a row.
  COALESCE_CHECK(loaded<5>.touched == 16 * 256);
  COALESCE_CHECK(loaded<5>.most == 4);
  COALESCE_CHECK(loaded<5>.hole == 16 * 256);
  // Row 0 holds column 0 in its first vector; the next row's swizzle looks for it in the second.
  COALESCE_CHECK(read_is_right<7>.at == co::point{0, 0, 0});
  COALESCE_CHECK(read_is_right<7>.first == 16);
  COALESCE_CHECK(read_is_right<7>.second == 0);
}

// ---- 4 waves of gfx942 transpose 32 x 32 floats through LDS, whose rows are padded by a float ----

namespace padded_transpose {

/// Slips of the write: 1 steps by 7 rows instead of 8; 2 forgets the padding; 3 takes 16 lanes for a row; 4 forgets the
/// padding, as the read does.
template <int Slip>
constexpr auto write = [](unsigned lane, unsigned wave, unsigned i) {
  unsigned const t = 64 * wave + lane, row = t / 32 + (Slip == 1 ? 7 : 8) * i;
  return 4 * ((Slip == 2 || Slip == 4 ? 32 : 33) * row + t % (Slip == 3 ? 16 : 32));
};
/// Slips of the read: 5 forgets the wave; 6 takes 16 lanes for a column; 7 does not transpose.
template <int Slip>
constexpr auto read = [](unsigned lane, unsigned wave, unsigned k) {
  unsigned const t = Slip == 5 ? lane : 64 * wave + lane;
  unsigned const row = lane % 32, column = t / (Slip == 6 ? 16 : 32) + 8 * k;
  return 4 * (Slip == 7 ? 33 * column + row : (Slip == 4 ? 32 : 33) * row + column);
};

constexpr co::domain steps{4, 4};
constexpr co::domain points{64, 4, 4};
constexpr co::tile padded{.rows = 32, .columns = 32, .element_bytes = 4, .pitch = 132};
constexpr auto written_cell = [](unsigned lane, unsigned wave, unsigned i) {
  return padded(2 * wave + lane / 32 + 8 * i, lane % 32);
};
constexpr auto read_cell = [](unsigned lane, unsigned wave, unsigned k) {
  return padded(lane % 32, 2 * wave + lane / 32 + 8 * k);
};

template <int Slip>
constexpr auto writes = co::total<gfx942::ds_write<32>>(write<Slip>, steps);
template <int Slip>
constexpr auto reads = co::total<gfx942::ds_read<32>>(read<Slip>, steps);
template <int Slip>
constexpr auto written = co::covers<gfx942::ds_write<32>>(write<Slip>, steps, padded);
template <int Slip>
constexpr auto loaded = co::covers<gfx942::ds_read<32>>(read<Slip>, steps, padded);
template <int Slip>
constexpr auto write_is_right = co::same(write<Slip>, written_cell, points);
template <int Slip>
constexpr auto read_is_right = co::same(read<Slip>, read_cell, points);

template <int Slip>
constexpr caught_by caught = {.conflicts = writes<Slip>.conflicts + reads<Slip>.conflicts != 0,
                              .coverage = !written<Slip>.exactly_once || !loaded<Slip>.evenly,
                              .comparison = !write_is_right<Slip> || !read_is_right<Slip>};

}  // namespace padded_transpose

TEST_CASE("claims: seven slips in a padded transpose, and what catches each") {
  using namespace padded_transpose;
  COALESCE_CHECK(caught<0> == caught_by{.comparison = false});
  COALESCE_CHECK(loaded<0>.exactly_once);
  COALESCE_CHECK(caught<1> == caught_by{.coverage = true});
  COALESCE_CHECK(caught<2> == caught_by{.coverage = true});
  COALESCE_CHECK(caught<3> == caught_by{.coverage = true});
  COALESCE_CHECK(caught<4> == caught_by{.conflicts = true, .coverage = true});
  COALESCE_CHECK(caught<5> == caught_by{.coverage = true});
  COALESCE_CHECK(caught<6> == caught_by{.conflicts = true, .coverage = true});
  COALESCE_CHECK(caught<7> == caught_by{});

  // Steps of 7 rows end with row 28. They write rows 7, 14 and 21 twice.
  COALESCE_CHECK(written<1>.touched == 29 * 128);
  COALESCE_CHECK(written<1>.hole == 29 * 132);
  COALESCE_CHECK(written<1>.twice == 7 * 132);
  // Row 1, 128 bytes on, begins in the padding of row 0. The last row ends at byte 32 * 128.
  COALESCE_CHECK(written<2>.beyond == 128);
  COALESCE_CHECK(written<2>.beyond_by == co::toucher{.lane = 32});
  COALESCE_CHECK(written<2>.hole == 32 * 128);
  // Two lanes write each float of the left half.
  COALESCE_CHECK(written<3>.touched == 32 * 64);
  COALESCE_CHECK(written<3>.most == 2);
  COALESCE_CHECK(written<3>.hole == 64);
  // Columns 0, 1, 8, 9 and so on, by each of the four waves.
  COALESCE_CHECK(loaded<5>.touched == 32 * 4 * 8);
  COALESCE_CHECK(loaded<5>.most == 4);
  COALESCE_CHECK(loaded<5>.hole == 8);
  // A row is read instead of a column: lane 0 of the first access has its float, lane 1 has not.
  COALESCE_CHECK(read_is_right<7>.at == co::point{0, 0, 1});
  COALESCE_CHECK(read_is_right<7>.first == 8 * 132);
  COALESCE_CHECK(read_is_right<7>.second == 32);
}
