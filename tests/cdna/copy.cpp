// SPDX-License-Identifier: BSL-1.0
//
// Loads from memory straight to LDS (cdna/copy.hpp).
#include <coalesce/cdna.hpp>
#include <coalesce/layout.hpp>

#include "machinery/check.hpp"
#include "truth/oracle/oracle.hpp"

#include <set>
#include <string>

namespace co = coalescing;
namespace cdna = co::cdna;
using namespace coalescing_tests;
using cdna::gfx90a, cdna::gfx942, cdna::gfx950;

// ---- Where it lands ----

TEST_CASE("4a: M0 = 0x400, offset 64, lane 5: 1108 of dwords, 1168 of dwordx3 and dwordx4") {
  COALESCE_CHECK(gfx950::global_load_lds<32>::lds_address({.m0 = 0x400, .offset = 64}, 5) == 1108);
  COALESCE_CHECK(gfx950::global_load_lds<96>::lds_address({.m0 = 0x400, .offset = 64}, 5) == 1168);
  COALESCE_CHECK(gfx950::global_load_lds<128>::lds_address({.m0 = 0x400, .offset = 64}, 5) == 1168);
  COALESCE_CHECK(gfx942::global_load_lds<32>::lds_address({.m0 = 0x400, .offset = 64}, 5) == 1108);
  COALESCE_CHECK(gfx90a::buffer_load_lds<32>::lds_address({.m0 = 0x400, .offset = 64}, 5) == 1108);
  COALESCE_CHECK(gfx950::buffer_load_lds<96>::lds_address({.m0 = 0x400, .offset = 64}, 5) == 1168);
  COALESCE_CHECK(gfx950::global_load_lds<96>::bytes == 12);
  COALESCE_CHECK(gfx950::global_load_lds<96>::slot_bytes == 16);
}
TEST_CASE("bytes and shorts take the slot of a dword; lanes follow each other") {
  for (unsigned lane = 0; lane != 64; ++lane) {
    CHECK(gfx942::global_load_lds<8>::lds_address({}, lane) == 4 * lane);
    CHECK(gfx942::global_load_lds<16>::lds_address({}, lane) == 4 * lane);
    CHECK(gfx90a::buffer_load_lds<8>::lds_address({.m0 = 256}, lane) == 256 + 4 * lane);
    CHECK(gfx950::buffer_load_lds<128>::lds_address({.m0 = 4096}, lane) == 4096 + 16 * lane);
  }
}
TEST_CASE("what a wave writes is then read without conflict: it is linear") {
  constexpr auto written = [](unsigned lane) { return gfx950::global_load_lds<128>::lds_address({.m0 = 1024}, lane); };
  COALESCE_CHECK(co::cost<gfx950::ds_read<128>>(written).conflicts == 0);
  constexpr auto dwords = [](unsigned lane) { return gfx942::buffer_load_lds<32>::lds_address({}, lane); };
  COALESCE_CHECK(co::cost<gfx942::ds_read<32>>(dwords).conflicts == 0);
}

// ---- What it reads ----

TEST_CASE("contract: 64 lanes of 16 bytes are 8 lines") {
  COALESCE_CHECK(co::cost<gfx950::global_load_lds<128>::global>(co::linear{.stride = 16}).transactions == 8);
  COALESCE_CHECK(co::cost<gfx942::global_load_lds<32>::global>(co::linear{.stride = 4}).transactions == 2);
  COALESCE_CHECK(co::cost<gfx90a::buffer_load_lds<32>::global>(co::linear{.stride = 4}).transactions == 4);
  COALESCE_CHECK(co::transactions<gfx942::buffer_load_lds<32>::global>(co::linear{.stride = 4}).size() == 2);
}

namespace {

template <class Copy, class Load>
unsigned unlike_the_load() {
  random_accesses accesses(Load::bytes, Load::alignment, Load::bytes);
  unsigned unlike = 0;
  for (unsigned n = 0; n != share(1'000); ++n) {
    auto const made = accesses.next();
    unlike += co::cost<typename Copy::global>(made.address, made.active) != co::cost<Load>(made.address, made.active) ||
              co::transactions<typename Copy::global>(made.address, made.active) !=
                  co::transactions<Load>(made.address, made.active);
  }
  return unlike;
}

}  // namespace

TEST_CASE("the memory side is that of a load to registers, on 12,000 random accesses, and inferred to be") {
  CHECK(unlike_the_load<gfx90a::buffer_load_lds<8>, gfx90a::global_load<8>>() == 0);
  CHECK(unlike_the_load<gfx90a::buffer_load_lds<32>, gfx90a::global_load<32>>() == 0);
  CHECK(unlike_the_load<gfx942::buffer_load_lds<16>, gfx942::global_load<16>>() == 0);
  CHECK(unlike_the_load<gfx942::global_load_lds<8>, gfx942::global_load<8>>() == 0);
  CHECK(unlike_the_load<gfx942::global_load_lds<16>, gfx942::global_load<16>>() == 0);
  CHECK(unlike_the_load<gfx942::global_load_lds<32>, gfx942::global_load<32>>() == 0);
  CHECK(unlike_the_load<gfx950::global_load_lds<16>, gfx950::global_load<16>>() == 0);
  CHECK(unlike_the_load<gfx950::global_load_lds<32>, gfx950::global_load<32>>() == 0);
  CHECK(unlike_the_load<gfx950::global_load_lds<96>, gfx950::global_load<96>>() == 0);
  CHECK(unlike_the_load<gfx950::global_load_lds<128>, gfx950::global_load<128>>() == 0);
  CHECK(unlike_the_load<gfx950::buffer_load_lds<96>, gfx950::global_load<96>>() == 0);
  CHECK(unlike_the_load<gfx950::buffer_load_lds<128>, gfx950::global_load<128>>() == 0);
  COALESCE_CHECK(gfx942::global_load_lds<32>::global::sources.transactions.evidence == co::evidence::inferred);
  COALESCE_CHECK(gfx942::global_load_lds<32>::global::sources.quads.evidence == co::evidence::inferred);
}

// ---- A swizzled tile ----

namespace {

using copy = gfx950::global_load_lds<128>;

/// 64 halves a row, 128 bytes: of each row, chunk c of 16 bytes lies in slot c ^ (row % 8).
constexpr co::swizzle chunks{.bits = 3, .base = 4, .shift = 3};
constexpr std::uint64_t matrix_pitch = 8192;

/// Where in the matrix a byte of the tile is from: its own inverse takes the swizzle back.
constexpr std::uint64_t from(std::uint64_t tile_byte) {
  std::uint64_t const unswizzled = chunks(tile_byte);
  return unswizzled / 128 * matrix_pitch + unswizzled % 128;
}
constexpr auto fetched = [](unsigned lane) { return from(copy::lds_address({}, lane)); };
/// Without a swizzle.
constexpr auto row_by_row = [](unsigned lane) { return lane / 8 * matrix_pitch + lane % 8 * 16; };
/// MFMA 16x16x32 reads column l / 16 of row l % 16 of a tile of 16 rows.
constexpr auto operand = [](unsigned lane) { return 128 * (lane % 16) + 16 * (lane / 16); };
constexpr auto swizzled_operand = [](unsigned lane) { return chunks(operand(lane)); };

}  // namespace

TEST_CASE("4g: lane 20 of a dwordx4 fetches row 2, chunk 6, which lands in slot 4 of row 2") {
  COALESCE_CHECK(copy::lds_address({}, 20) == 2 * 128 + 4 * 16);
  COALESCE_CHECK(fetched(20) == 2 * matrix_pitch + 6 * 16);
}
TEST_CASE("a swizzle sits on the memory side: it costs nothing there, and the operand is read without conflict") {
  COALESCE_CHECK(co::cost<copy::global>(fetched) == co::cost<copy::global>(row_by_row));
  COALESCE_CHECK(co::cost<copy::global>(fetched).transactions == 8);
  COALESCE_CHECK(co::cost<gfx950::ds_read<128>>(operand).conflicts == 12);
  COALESCE_CHECK(co::cost<gfx950::ds_read<128>>(swizzled_operand).conflicts == 0);
  // The bytes that are read were fetched there: row l % 16, chunk l / 16.
  for (unsigned lane = 0; lane != 64; ++lane)
    CHECK(from(swizzled_operand(lane)) == lane % 16 * matrix_pitch + lane / 16 * 16);
}
TEST_CASE("it cannot sit on the LDS side: whatever M0 and the offset, lanes 1 and 0 are a slot apart") {
  std::set<unsigned> apart;
  for (unsigned m0 = 0; m0 < 32768; m0 += 64)
    for (unsigned offset = 0; offset < 4096; offset += 124)
      apart.insert(copy::lds_address({.m0 = m0, .offset = offset}, 1) -
                   copy::lds_address({.m0 = m0, .offset = offset}, 0));
  CHECK(apart == std::set<unsigned>{16});
  // Row 1 is to have its chunk 0 in slot 1: no lane but 9 reaches that.
  for (unsigned lane = 0; lane != 64; ++lane) CHECK((copy::lds_address({}, lane) == chunks(128)) == (lane == 9));
}

// ---- Misuse ----

#ifdef __cpp_exceptions
TEST_CASE("M0, offsets, lanes and ends that are out of range are refused") {
  using dword = gfx942::global_load_lds<32>;
  CHECK_NOTHROW(static_cast<void>(dword::lds_address({.m0 = 65536 - 256}, 63)));
  CHECK_THROWS_AS(static_cast<void>(dword::lds_address({.m0 = 65536 - 252}, 63)), co::misuse);
  CHECK_NOTHROW(static_cast<void>(dword::lds_address({.m0 = 65536 - 252}, 62)));
  CHECK_THROWS_AS(static_cast<void>(dword::lds_address({.m0 = 65536}, 0)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(dword::lds_address({.m0 = 2}, 0)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(dword::lds_address({.offset = 4096}, 0)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(dword::lds_address({.offset = 2}, 0)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(dword::lds_address({}, 64)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(dword::lds_address({.m0 = ~0u - 3}, 63)), co::misuse);
  CHECK_NOTHROW(static_cast<void>(copy::lds_address({.m0 = 160 * 1024 - 1024}, 63)));
  CHECK_THROWS_AS(static_cast<void>(copy::lds_address({.m0 = 160 * 1024 - 1008}, 63)), co::misuse);
  CHECK_NOTHROW(static_cast<void>(gfx950::global_load_lds<96>::lds_address({.m0 = 160 * 1024 - 1020}, 63)));
  CHECK_THROWS_AS(static_cast<void>(gfx950::global_load_lds<96>::lds_address({.m0 = 160 * 1024 - 1016}, 63)),
                  co::misuse);
  CHECK_THROWS_AS(static_cast<void>(gfx90a::buffer_load_lds<32>::lds_address({.m0 = 65536}, 0)), co::misuse);
}
TEST_CASE("the LDS of gfx90a, as far as loads to it go: 64 KiB, by AMD's table of specifications") {
  constexpr auto bytes = cdna::row<cdna::chip::gfx90a>::lds_load_bytes;
  CHECK(bytes.value == 65536);
  CHECK(std::string(bytes.from.document).find("hardware specifications") != std::string::npos);
  CHECK(bytes.from.evidence == co::evidence::documented);
}
TEST_CASE("memory addresses are those of a load: dwords and wider at multiples of 4") {
  CHECK_THROWS_AS(static_cast<void>(co::cost<copy::global>(co::broadcast{2})), co::misuse);
  CHECK_NOTHROW(static_cast<void>(co::cost<copy::global>(co::broadcast{4})));
}
#endif
