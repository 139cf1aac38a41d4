// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>
#include <coalesce/claims/covers.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/gcn.hpp>

#include "machinery/check.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace co = coalescing;
using co::cdna::gfx942, co::cdna::gfx950, co::cuda::cc80, co::cuda::cc90;

namespace {

constexpr auto nowhere = co::coverage::nowhere;
constexpr co::tile floats{.rows = 32, .columns = 32, .element_bytes = 4};
constexpr co::tile padded{.rows = 32, .columns = 32, .element_bytes = 4, .pitch = 132};
constexpr auto by_rows = [](unsigned lane, unsigned row) { return 132 * row + 4 * lane; };

}  // namespace

TEST_CASE("covers: a copy that writes each byte once") {
  constexpr auto whole = co::covers<cc90::shared_store<32>>(by_rows, co::domain{32}, padded);
  COALESCE_CHECK(whole.bytes == 32 * 128);
  COALESCE_CHECK(whole.touched == 32 * 128);
  COALESCE_CHECK(whole.least == 1);
  COALESCE_CHECK(whole.most == 1);
  COALESCE_CHECK(whole.outside == 0);
  COALESCE_CHECK(whole.exactly_once);
  COALESCE_CHECK(whole.evenly);
  COALESCE_CHECK(whole.hole == nowhere);
  COALESCE_CHECK(whole.twice == nowhere);
  COALESCE_CHECK(whole.beyond == nowhere);
  COALESCE_CHECK(whole.by[0] == co::toucher{});
  COALESCE_CHECK(whole.beyond_by == co::toucher{});
}

TEST_CASE("covers: one instruction, by a function or an array") {
  constexpr co::tile four_rows{.rows = 4, .columns = 32, .element_bytes = 4};
  COALESCE_CHECK(co::covers<cc90::shared_store<128>>(co::linear{.stride = 16}, four_rows).exactly_once);
  COALESCE_CHECK(!co::covers<cc90::shared_store<128>>(co::linear{.stride = 20}, four_rows, 0).exactly_once);
  constexpr unsigned row[32] = {0,  4,  8,  12, 16, 20, 24, 28, 32, 36,  40,  44,  48,  52,  56,  60,
                                64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 120, 124};
  constexpr co::tile one_row{.rows = 1, .columns = 32, .element_bytes = 4};
  COALESCE_CHECK(co::covers<cc90::shared_store<32>>(row, one_row).exactly_once);
  std::vector<unsigned> const list(row, row + 32);
  CHECK(co::covers<cc90::shared_store<32>>(list, one_row).exactly_once);
}

TEST_CASE("covers: padding is no hole, and a byte there is outside") {
  constexpr auto late = co::covers<cc90::shared_store<32>>(
      [](unsigned lane, unsigned row) { return 132 * row + 4 * lane + 4; }, co::domain{32}, padded);
  COALESCE_CHECK(late.outside == 32);
  COALESCE_CHECK(late.beyond == 128);
  COALESCE_CHECK(late.beyond_by == co::toucher{.lane = 31});
  COALESCE_CHECK(late.hole == 0);
  COALESCE_CHECK(late.touched == 32 * 31 * 4);
  COALESCE_CHECK(!late.exactly_once);
  COALESCE_CHECK(!late.evenly);
  // Rows of 20 bytes, 24 apart: the second 16 bytes of a row end 12 bytes beyond it, in the next row; 4 of them are
  // padding. All of row 1's bytes up to the 8th are touched twice. The access begins inside, at byte 16 of row 0.
  constexpr co::tile twenty{.rows = 2, .columns = 5, .element_bytes = 4, .pitch = 24};
  constexpr auto across = co::covers<co::gcn::buffer_load<128>>(
      [](unsigned lane) { return 24 * (lane / 2) + 16 * (lane % 2); }, twenty, 0xf);
  COALESCE_CHECK(across.outside == 2);
  COALESCE_CHECK(across.beyond == 20);
  COALESCE_CHECK(across.beyond_by == co::toucher{.lane = 1});
  COALESCE_CHECK(across.twice == 24);
  COALESCE_CHECK(across.by[0] == co::toucher{.lane = 1});
  COALESCE_CHECK(across.by[1] == co::toucher{.lane = 2});
  COALESCE_CHECK(across.touched == 40);
  COALESCE_CHECK(across.most == 2);
}

TEST_CASE("covers: below the tile, and past the end of the memory") {
  constexpr co::tile row{.base = 256, .rows = 1, .columns = 32, .element_bytes = 4};
  constexpr auto below = co::covers<cc90::shared_store<32>>([](unsigned lane) { return 252 + 4 * lane; }, row);
  COALESCE_CHECK(below.outside == 1);
  COALESCE_CHECK(below.beyond == 252);
  COALESCE_CHECK(below.beyond_by.lane == 0);
  COALESCE_CHECK(below.hole == 256 + 124);
  constexpr auto negative = co::covers<cc90::shared_store<32>>([](unsigned lane) { return 4ll * lane - 8; },
                                                               co::tile{.rows = 1, .columns = 32, .element_bytes = 4});
  COALESCE_CHECK(negative.outside == 2);
  COALESCE_CHECK(negative.beyond == ~std::uint64_t{0} - 7);
  COALESCE_CHECK(negative.touched == 120);
  constexpr auto far = co::covers<cc90::shared_store<128>>([](unsigned lane) { return 1 << 20 | 16 * lane; }, row);
  COALESCE_CHECK(far.outside == 32);
  COALESCE_CHECK(far.beyond == 1 << 20);
  COALESCE_CHECK(far.touched == 0);
  COALESCE_CHECK(far.least == 0);
  COALESCE_CHECK(far.most == 0);
  COALESCE_CHECK(far.hole == 256);
  // A row at the top of the address space.
  constexpr std::uint64_t top = ~std::uint64_t{0} - 127;
  constexpr co::tile last{.base = top, .rows = 1, .columns = 32, .element_bytes = 4};
  COALESCE_CHECK(co::covers<cc90::store<32>>([](unsigned lane) { return top + 4 * lane; }, last).exactly_once);
  constexpr auto wrapped = co::covers<cc90::store<32>>([](unsigned lane) { return top + 4 + 4 * lane; }, last);
  COALESCE_CHECK(wrapped.beyond == 0);
  COALESCE_CHECK(wrapped.hole == top);
}

TEST_CASE("covers: reads touch each byte equally often") {
  // Four warps read the tile's columns, each all of them.
  constexpr co::tile narrow{.rows = 32, .columns = 8, .element_bytes = 4, .pitch = 132};
  constexpr auto four_times = co::covers<cc90::shared_load<32>>(
      [](unsigned lane, unsigned, unsigned column) { return 132 * lane + 4 * column; }, co::domain{4, 8}, narrow);
  COALESCE_CHECK(four_times.evenly);
  COALESCE_CHECK(four_times.least == 4);
  COALESCE_CHECK(four_times.most == 4);
  COALESCE_CHECK(!four_times.exactly_once);
  COALESCE_CHECK(four_times.twice == 0);
  COALESCE_CHECK(four_times.by[0] == co::toucher{});
  COALESCE_CHECK(four_times.by[1] == co::toucher{.at = {1, 0}});
  // One of them leaves out a column: the bytes of the others are read once more.
  constexpr auto uneven = co::covers<cc90::shared_load<32>>(
      [](unsigned lane, unsigned, unsigned column) { return 132 * lane + 4 * column; }, co::domain{4, 8}, narrow,
      [](unsigned, unsigned warp, unsigned column) { return warp != 3 || column != 5; });
  COALESCE_CHECK(!uneven.evenly);
  COALESCE_CHECK(uneven.least == 3);
  COALESCE_CHECK(uneven.most == 4);
  COALESCE_CHECK(uneven.touched == uneven.bytes);
  // Nothing is read: no byte more often than another, and none at all.
  constexpr auto unread = co::covers<cc90::shared_load<32>>(by_rows, co::domain{0}, padded);
  COALESCE_CHECK(!unread.evenly);
  COALESCE_CHECK(unread.hole == 0);
  COALESCE_CHECK(unread.touched == 0);
}

TEST_CASE("covers: masks and predicates") {
  constexpr co::tile left{.rows = 32, .columns = 16, .element_bytes = 4, .pitch = 132};
  COALESCE_CHECK(co::covers<cc90::shared_store<32>>(by_rows, co::domain{32}, left, 0xffff).exactly_once);
  constexpr auto half = [](unsigned lane) { return lane < 16; };
  COALESCE_CHECK(co::covers<cc90::shared_store<32>>(by_rows, co::domain{32}, left, half).exactly_once);
  constexpr auto triangle = [](unsigned lane, unsigned row) { return lane <= row; };
  constexpr auto lower = co::covers<cc90::shared_store<32>>(by_rows, co::domain{32}, padded, triangle);
  COALESCE_CHECK(lower.touched == 32 * 33 / 2 * 4);
  COALESCE_CHECK(lower.hole == 4);
  COALESCE_CHECK(lower.most == 1);
  COALESCE_CHECK(co::covers<cc90::shared_store<32>>(by_rows, co::domain{32}, padded, 0).touched == 0);
}

TEST_CASE("covers: the bytes that an instruction touches") {
  // 96 bits: 12 of 16 bytes.
  constexpr co::tile twelve{.rows = 64, .columns = 3, .element_bytes = 4, .pitch = 16};
  COALESCE_CHECK(co::covers<gfx942::ds_read<96>>(co::linear{.stride = 16}, twelve).exactly_once);
  COALESCE_CHECK(co::covers<gfx950::ds_read_tr<96, 6>>(co::linear{.stride = 16}, twelve).exactly_once);
  COALESCE_CHECK(co::covers<gfx950::ds_read_tr<64>>(co::linear{.stride = 8},
                                                    co::tile{.rows = 64, .columns = 4, .element_bytes = 2})
                     .exactly_once);
  // Two places a lane, of 4 bytes each, 64 * 4 bytes apart; and of equal offsets one place.
  constexpr co::tile two_rows{.rows = 2, .columns = 64, .element_bytes = 4};
  COALESCE_CHECK(co::covers<gfx942::ds_write2<32, 0, 64>>(co::linear{.stride = 4}, two_rows).exactly_once);
  COALESCE_CHECK(co::covers<gfx942::ds_write2st64<32, 0, 1>>(co::linear{.stride = 4}, two_rows).exactly_once);
  COALESCE_CHECK(co::covers<gfx942::ds_write2<32, 64, 64>>(co::linear{.stride = 4}, two_rows).hole == 0);
  COALESCE_CHECK(co::covers<gfx942::ds_write2<32, 64, 64>>(co::linear{.stride = 4}, two_rows).touched == 256);
  // A base below 0 that the offsets bring back, as 64 bits and as 32.
  COALESCE_CHECK(
      co::covers<gfx942::ds_write2<32, 2, 66>>([](unsigned lane) { return 4ll * lane - 8; }, two_rows).exactly_once);
  COALESCE_CHECK(
      co::covers<gfx942::ds_write2<32, 2, 66>>([](unsigned lane) { return 4 * lane - 8; }, two_rows).exactly_once);
  // Of 16 bytes that are copied, 8 are read; all are written.
  constexpr co::tile eights{.rows = 32, .columns = 8, .element_bytes = 1, .pitch = 16};
  constexpr co::tile sixteens{.rows = 32, .columns = 16, .element_bytes = 1};
  COALESCE_CHECK(co::covers<cc80::cp_async<16, 8>::global>(co::linear{.stride = 16}, eights).exactly_once);
  COALESCE_CHECK(co::covers<cc80::cp_async<16, 8>::shared>(co::linear{.stride = 16}, sixteens).exactly_once);
  COALESCE_CHECK(co::covers<cc80::cp_async<16, 0>::global>(co::linear{.stride = 16}, sixteens).touched == 0);
  // Rows of matrices: eight lanes give them, 32 lanes receive them.
  COALESCE_CHECK(
      co::covers<cc90::ldmatrix<1>>(co::linear{.stride = 16}, co::tile{.rows = 8, .columns = 8, .element_bytes = 2})
          .exactly_once);
  constexpr auto trans = co::covers<cc90::ldmatrix<4, co::cuda::matrix::m8n8_trans>>(
      [](unsigned lane) { return 80 * (lane % 16) + 16 * (lane / 16); },
      co::tile{.rows = 16, .columns = 16, .element_bytes = 2, .pitch = 80});
  COALESCE_CHECK(trans.exactly_once);
  // One lane loads for its wave.
  COALESCE_CHECK(co::covers<co::gcn::s_load<4>>([](unsigned, unsigned step) { return 16 * step; }, co::domain{4},
                                                co::tile{.rows = 1, .columns = 16, .element_bytes = 4})
                     .exactly_once);
  // A tile that is aligned less than the accesses are wide.
  COALESCE_CHECK(
      co::covers<co::gcn::buffer_load<128>>(co::linear{.base = 4, .stride = 16},
                                            co::tile{.base = 4, .rows = 64, .columns = 4, .element_bytes = 4})
          .exactly_once);
  // A tile of bytes, none of which begins where an access does.
  constexpr auto odd = co::covers<cc90::shared_load<32>>(
      co::linear{.stride = 4}, co::tile{.base = 1, .rows = 1, .columns = 127, .element_bytes = 1});
  COALESCE_CHECK(odd.outside == 1);
  COALESCE_CHECK(odd.beyond == 0);
  COALESCE_CHECK(odd.touched == 127);
}

namespace {

template <class Ask>
std::string refusal(Ask ask) {
  try {
    ask();
  } catch (co::misuse const& why) {
    return why.what();
  }
  return "no refusal";
}
std::string refusal_of(co::tile const& of) {
  return refusal([&] { static_cast<void>(co::covers<cc90::shared_store<32>>(by_rows, co::domain{32}, of)); });
}

}  // namespace

TEST_CASE("covers: refusals") {
  std::string const tile =
      "coalesce: covers: the tile has no bytes, an extent is negative, its rows overlap, or it spans 2^32 bytes or "
      "more";
  CHECK(refusal_of({}) == tile);
  CHECK(refusal_of({.rows = 0, .columns = 32, .element_bytes = 4}) == tile);
  CHECK(refusal_of({.rows = -1, .columns = 32, .element_bytes = 4}) == tile);
  CHECK(refusal_of({.rows = 1, .columns = -32, .element_bytes = -4}) == tile);
  CHECK(refusal_of({.rows = 2, .columns = 32, .element_bytes = 4, .pitch = 127}) == tile);
  CHECK(refusal_of({.rows = 2, .columns = 32, .element_bytes = 4, .pitch = -128}) == tile);
  CHECK(refusal_of({.rows = 2, .columns = 32, .element_bytes = 4, .pitch = std::int64_t{1} << 32}) == tile);
  CHECK(refusal_of({.rows = 1, .columns = std::int64_t{1} << 33, .element_bytes = 1}) == tile);
  CHECK(refusal_of({.rows = 1, .columns = 1 << 30, .element_bytes = 4}) == tile);
  // A pitch does not matter to one row.
  CHECK(refusal_of({.rows = 1, .columns = 32, .element_bytes = 4, .pitch = -4}) == "no refusal");

  auto const misaligned = [](unsigned lane) { return 4 * lane + 2; };
  CHECK(refusal([&] {
          static_cast<void>(co::covers<cc90::shared_store<32>>(misaligned, floats));
        }).find("not a multiple of this instruction's alignment") != std::string::npos);
  CHECK(refusal([&] {
          static_cast<void>(co::covers<cc90::ldmatrix<4>>(co::linear{.stride = 16}, floats, 0xff));
        }).find("all lanes of the warp") != std::string::npos);
  CHECK(refusal([&] { static_cast<void>(co::covers<gfx950::ds_read_tr<64>>(co::linear{.stride = 8}, floats, 1)); }) !=
        "no refusal");
}
