// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>
#include <coalesce/cdna/fragments.hpp>

#include "amd/lds.hpp"
#include "machinery/check.hpp"
#include "truth/oracle/oracle.hpp"

#include <type_traits>

namespace co = coalescing;
namespace cdna = co::cdna;
using namespace coalescing_tests;
using cdna::gfx942, cdna::gfx950;

namespace {

/// A cost of so many rounds and conflicts, and as many phases as are left; `ways` has tests of its own.
struct banks {
  std::uint64_t rounds, conflicts;
  constexpr banks(std::uint64_t rounds_of_all, std::uint64_t beyond_one_a_phase)
      : rounds(rounds_of_all), conflicts(beyond_one_a_phase) {}
  friend constexpr bool operator==(co::bank_cost<> const& cost, banks const& expected) {
    return cost.rounds == expected.rounds && cost.conflicts == expected.conflicts &&
           cost.phases == expected.rounds - expected.conflicts;
  }
};
template <class Instruction>
constexpr co::bank_cost<> strided(std::int64_t stride) {
  return co::cost<Instruction>(co::linear{.stride = stride});
}
constexpr std::uint64_t lanes(unsigned first, unsigned second) {
  return std::uint64_t{1} << first | std::uint64_t{1} << second;
}
/// Two active lanes, so many bytes apart.
template <class Instruction>
constexpr std::uint64_t conflicts(unsigned first, unsigned second, unsigned apart) {
  return co::cost<Instruction>([=](unsigned lane) { return lane == first ? 0 : apart; }, lanes(first, second))
      .conflicts;
}

}  // namespace

// ---- The figures of the documents ----

TEST_CASE("ds_read_b128 on gfx942 by 16 bytes is conflict-free, by 128 bytes it takes 64 rounds") {
  COALESCE_CHECK(strided<gfx942::ds_read<128>>(16) == banks(8, 0));
  COALESCE_CHECK(strided<gfx942::ds_read<128>>(128) == banks(64, 56));
}
TEST_CASE("post: LDS has 64 KB and 32 banks of 4 bytes, 128 bytes a clock, on CDNA 3; 160 KB on CDNA 4") {
  COALESCE_CHECK(gfx942::lds_bytes == 64 * 1024);
  COALESCE_CHECK(gfx942::lds_banks == 32);
  COALESCE_CHECK(gfx942::lds_bank_bytes == 4);
  COALESCE_CHECK(gfx942::lds_read_bytes_per_clock == 128);
  COALESCE_CHECK(gfx942::lds_write_bytes_per_clock == 128);
  COALESCE_CHECK(gfx950::lds_bytes == 160 * 1024);
}
TEST_CASE("ISA4: 64 banks on CDNA 4; CD4: reads at twice the rate, writes as before") {
  COALESCE_CHECK(gfx950::lds_banks == 64);
  COALESCE_CHECK(gfx950::lds_read_bytes_per_clock == 256);
  COALESCE_CHECK(gfx950::lds_write_bytes_per_clock == 128);
}
TEST_CASE("a conflict-free wave of the widest reads and writes moves the peak in every round") {
  COALESCE_CHECK(strided<gfx942::ds_read<128>>(16).rounds * gfx942::lds_read_bytes_per_clock == 64 * 16);
  COALESCE_CHECK(strided<gfx942::ds_read<64>>(8).rounds * gfx942::lds_read_bytes_per_clock == 64 * 8);
  COALESCE_CHECK(strided<gfx942::ds_read<32>>(4).rounds * gfx942::lds_read_bytes_per_clock == 64 * 4);
  COALESCE_CHECK(strided<gfx942::ds_write<128>>(16).rounds * gfx942::lds_write_bytes_per_clock == 64 * 16);
  COALESCE_CHECK(strided<gfx950::ds_read<128>>(16).rounds * gfx950::lds_read_bytes_per_clock == 64 * 16);
  COALESCE_CHECK(strided<gfx950::ds_read<64>>(8).rounds * gfx950::lds_read_bytes_per_clock == 64 * 8);
  COALESCE_CHECK(strided<gfx950::ds_read<32>>(4).rounds * gfx950::lds_read_bytes_per_clock == 64 * 4);
  COALESCE_CHECK(strided<gfx950::ds_read_tr<64>>(8).rounds * gfx950::lds_read_bytes_per_clock == 64 * 8);
  COALESCE_CHECK(strided<gfx950::ds_write<128>>(16).rounds * gfx950::lds_write_bytes_per_clock == 64 * 16);
  COALESCE_CHECK(strided<gfx950::ds_write<64>>(8).rounds * gfx950::lds_write_bytes_per_clock == 64 * 8);
}
TEST_CASE("PROF: SQ_LDS_IDX_ACTIVE of ds_read_b32 on CDNA 2 and 3 starts at 2, a conflict adds 1") {
  COALESCE_CHECK(strided<gfx942::ds_read<32>>(4) == banks(2, 0));
  COALESCE_CHECK(co::cost<gfx942::ds_read<32>>(co::linear{.stride = 128}, 0b11) == banks(3, 1));
  COALESCE_CHECK(co::cost<gfx942::ds_read<32>>(co::linear{.stride = 128}, 0b111) == banks(4, 2));
}

namespace {

/// PROF: 3.125 * CONFLICT / (IDX_ACTIVE - CONFLICT) %, here in thousandths of a percent.
constexpr std::uint64_t prof_conflict_rate(co::bank_cost<> const& cost) {
  return 3125 * cost.conflicts / (cost.rounds - cost.conflicts);
}

}  // namespace

TEST_CASE("PROF: the bank conflict rate reaches 96.875 % on 32 banks and half waves") {
  COALESCE_CHECK(prof_conflict_rate(strided<gfx942::ds_read<32>>(4)) == 0);
  COALESCE_CHECK(prof_conflict_rate(strided<gfx942::ds_read<32>>(8)) == 3'125);
  COALESCE_CHECK(prof_conflict_rate(strided<gfx942::ds_read<32>>(128)) == 96'875);
  COALESCE_CHECK(prof_conflict_rate(strided<gfx950::ds_write<32>>(128)) == 96'875);
}
TEST_CASE("the same formula would print 196.875 % for 64 lanes on one of 64 banks") {
  COALESCE_CHECK(strided<gfx950::ds_read<32>>(256) == banks(64, 63));
  COALESCE_CHECK(prof_conflict_rate(strided<gfx950::ds_read<32>>(256)) == 196'875);
}
TEST_CASE("ds_read_b32 by strides of 1, 3, 33, 2, 32 and 64 dwords on 32 and on 64 banks") {
  COALESCE_CHECK(strided<gfx942::ds_read<32>>(4 * 3) == banks(2, 0));
  COALESCE_CHECK(strided<gfx942::ds_read<32>>(4 * 33) == banks(2, 0));
  COALESCE_CHECK(strided<gfx942::ds_read<32>>(4 * 2) == banks(4, 2));
  COALESCE_CHECK(strided<gfx942::ds_read<32>>(4 * 32) == banks(64, 62));
  COALESCE_CHECK(strided<gfx942::ds_read<32>>(4 * 64) == banks(64, 62));
  COALESCE_CHECK(strided<gfx950::ds_read<32>>(4 * 1) == banks(1, 0));
  COALESCE_CHECK(strided<gfx950::ds_read<32>>(4 * 3) == banks(1, 0));
  COALESCE_CHECK(strided<gfx950::ds_read<32>>(4 * 33) == banks(1, 0));
  COALESCE_CHECK(strided<gfx950::ds_read<32>>(4 * 2) == banks(2, 1));
  COALESCE_CHECK(strided<gfx950::ds_read<32>>(4 * 32) == banks(32, 31));
  COALESCE_CHECK(strided<gfx950::ds_read<32>>(4 * 64) == banks(64, 63));
}
TEST_CASE("ways are the rounds of the worst phase: the N of N-way") {
  COALESCE_CHECK(strided<gfx942::ds_read<128>>(16).ways == 1);
  COALESCE_CHECK(strided<gfx942::ds_read<128>>(128).ways == 8);
  COALESCE_CHECK(strided<gfx942::ds_read<32>>(128).ways == 32);
  COALESCE_CHECK(strided<gfx950::ds_read<32>>(256).ways == 64);
  // Only the last of four phases conflicts.
  COALESCE_CHECK(co::cost<gfx942::ds_read<64>>([](unsigned lane) { return lane < 48 ? 8 * lane : 128 * lane; }) ==
                 co::bank_cost<>{.rounds = 3 + 16, .conflicts = 15, .phases = 4, .ways = 16});
}
TEST_CASE("phases are listed with the lanes that collide") {
  constexpr auto list = co::phases<gfx942::ds_read<128>>(co::linear{.stride = 128});
  COALESCE_CHECK(list.size() == 8);
  COALESCE_CHECK(list[0] == co::bank_phase{.lanes = 0xf0'000f, .rounds = 8, .bank = 0, .colliding = 0xf0'000f});
  COALESCE_CHECK(co::phases<gfx942::ds_read<32>>(co::linear{.stride = 4}, 1)[1] ==
                 co::bank_phase{.lanes = 0, .rounds = 1, .bank = 0, .colliding = 0});
}
TEST_CASE("several lanes on one dword are one access") {
  COALESCE_CHECK(co::cost<gfx942::ds_read<32>>(co::broadcast{64}) == banks(2, 0));
  COALESCE_CHECK(co::cost<gfx942::ds_read<128>>(co::broadcast{64}) == banks(8, 0));
  COALESCE_CHECK(co::cost<gfx950::ds_read<32>>(co::broadcast{64}) == banks(1, 0));
  COALESCE_CHECK(co::cost<gfx950::ds_read<128>>(co::broadcast{64}) == banks(4, 0));
  COALESCE_CHECK(co::cost<gfx950::ds_read_tr<64>>(co::broadcast{64}) == banks(2, 0));
  COALESCE_CHECK(co::cost<gfx950::ds_read<32>>([](unsigned lane) { return lane % 2 * 256; }) == banks(2, 1));
}
TEST_CASE("bytes and shorts of one dword are one access too") {
  COALESCE_CHECK(strided<gfx942::ds_read<8>>(1) == banks(2, 0));
  COALESCE_CHECK(strided<gfx942::ds_read<16>>(2) == banks(2, 0));
  COALESCE_CHECK(strided<gfx942::ds_read<8>>(128) == banks(64, 62));
  COALESCE_CHECK(strided<gfx950::ds_read<8>>(1) == banks(1, 0));
  COALESCE_CHECK(strided<gfx950::ds_read<16>>(256) == banks(64, 63));
  COALESCE_CHECK(strided<gfx950::ds_write<16>>(128) == banks(64, 62));
}
TEST_CASE("a phase without an active lane takes a round all the same") {
  COALESCE_CHECK(co::cost<gfx942::ds_read<32>>(co::linear{.stride = 4}, 1) == banks(2, 0));
  COALESCE_CHECK(co::cost<gfx942::ds_read<128>>(co::linear{.stride = 128}, 1) == banks(8, 0));
  COALESCE_CHECK(co::cost<gfx950::ds_read<32>>(co::linear{.stride = 4}, 1) == banks(1, 0));
  COALESCE_CHECK(co::cost<gfx950::ds_read<128>>(co::linear{.stride = 16}, 1) == banks(4, 0));
}
TEST_CASE("CK, LDSM, HK: how many phases each instruction has") {
  COALESCE_CHECK(strided<gfx942::ds_read<32>>(0).phases == 2);
  COALESCE_CHECK(strided<gfx942::ds_read<64>>(0).phases == 4);
  COALESCE_CHECK(strided<gfx942::ds_read<96>>(0).phases == 8);
  COALESCE_CHECK(strided<gfx942::ds_read<128>>(0).phases == 8);
  COALESCE_CHECK(strided<gfx942::ds_write<32>>(0).phases == 2);
  COALESCE_CHECK(strided<gfx942::ds_write<64>>(0).phases == 4);
  COALESCE_CHECK(strided<gfx942::ds_write<128>>(0).phases == 8);
  COALESCE_CHECK(strided<gfx950::ds_read<32>>(0).phases == 1);
  COALESCE_CHECK(strided<gfx950::ds_read<64>>(0).phases == 2);
  COALESCE_CHECK(strided<gfx950::ds_read<96>>(0).phases == 8);
  COALESCE_CHECK(strided<gfx950::ds_read<128>>(0).phases == 4);
  COALESCE_CHECK(strided<gfx950::ds_read_tr<64>>(0).phases == 2);
  COALESCE_CHECK(strided<gfx950::ds_write<32>>(0).phases == 2);
  COALESCE_CHECK(strided<gfx950::ds_write<64>>(0).phases == 4);
  COALESCE_CHECK(strided<gfx950::ds_write<128>>(0).phases == 8);
}
TEST_CASE("CK, HK: which lanes ds_read_b128 serves with lane 0: 20 on CDNA 3; 12, 20 and 24 on CDNA 4") {
  COALESCE_CHECK(conflicts<gfx942::ds_read<128>>(0, 20, 128) == 1);
  COALESCE_CHECK(conflicts<gfx942::ds_read<128>>(0, 12, 128) == 0);
  COALESCE_CHECK(conflicts<gfx942::ds_read<128>>(0, 24, 128) == 0);
  COALESCE_CHECK(conflicts<gfx942::ds_read<128>>(0, 4, 128) == 0);
  COALESCE_CHECK(conflicts<gfx950::ds_read<128>>(0, 20, 256) == 1);
  COALESCE_CHECK(conflicts<gfx950::ds_read<128>>(0, 12, 256) == 1);
  COALESCE_CHECK(conflicts<gfx950::ds_read<128>>(0, 24, 256) == 1);
  COALESCE_CHECK(conflicts<gfx950::ds_read<128>>(0, 4, 256) == 0);
  COALESCE_CHECK(conflicts<gfx950::ds_read<128>>(0, 8, 256) == 0);
}
TEST_CASE("ISA4, HK: gfx950 reads from 64 banks, but b96 and the writes from 32") {
  COALESCE_CHECK(conflicts<gfx950::ds_read<32>>(0, 1, 128) == 0);
  COALESCE_CHECK(conflicts<gfx950::ds_read<64>>(0, 1, 128) == 0);
  COALESCE_CHECK(conflicts<gfx950::ds_read<128>>(0, 1, 128) == 0);
  COALESCE_CHECK(conflicts<gfx950::ds_read<32>>(0, 1, 256) == 1);
  COALESCE_CHECK(conflicts<gfx950::ds_read<64>>(0, 1, 256) == 1);
  COALESCE_CHECK(conflicts<gfx950::ds_read<128>>(0, 1, 256) == 1);
  COALESCE_CHECK(conflicts<gfx950::ds_read<96>>(0, 1, 128) == 1);
  COALESCE_CHECK(conflicts<gfx950::ds_write<32>>(0, 1, 128) == 1);
  COALESCE_CHECK(conflicts<gfx950::ds_write<64>>(0, 1, 128) == 1);
  COALESCE_CHECK(conflicts<gfx950::ds_write<128>>(0, 1, 128) == 1);
  COALESCE_CHECK(conflicts<gfx942::ds_read<32>>(0, 1, 128) == 1);
  COALESCE_CHECK(conflicts<gfx942::ds_read<64>>(0, 1, 128) == 1);
}

// ---- Transpose loads ----

namespace {

/// The addresses of ds_read_b64_tr_b16 on a tile of 2-byte elements, in the words of Primus-Turbo (PT): each group of
/// 16 lanes reads four rows with four lanes each, and begins `rows` rows after the group before.
struct transposed {
  unsigned pitch, rows, first = 0;
  constexpr unsigned operator()(unsigned lane) const {
    unsigned const group = lane / 16, c = lane % 16;
    return first + (rows * group + c / 4) * pitch + 8 * (c % 4);
  }
};
constexpr co::bank_cost<> transposing(unsigned pitch) { return co::cost<gfx950::ds_read_tr<64>>(transposed{pitch, 4}); }

}  // namespace

TEST_CASE("PT: ds_read_b64_tr_b16 of 16 rows 32, 64, 128 and 160 bytes apart") {
  COALESCE_CHECK(transposing(32) == banks(2, 0));
  COALESCE_CHECK(transposing(64) == banks(4, 2));
  COALESCE_CHECK(transposing(128) == banks(8, 6));
  COALESCE_CHECK(transposing(160) == banks(2, 0));
}
TEST_CASE("PT: ds_read_b64_tr_b16 is served as ds_read_b64") {
  for (unsigned pitch = 8; pitch != 1024; pitch += 8)
    CHECK(transposing(pitch) == co::cost<gfx950::ds_read<64>>(transposed{pitch, 4}));
}
TEST_CASE("of 8 and 4 bits they are taken to be served as of 16") {
  for (unsigned pitch = 8; pitch != 1024; pitch += 8) {
    CHECK(transposing(pitch) == co::cost<gfx950::ds_read_tr<64, 8>>(transposed{pitch, 4}));
    CHECK(transposing(pitch) == co::cost<gfx950::ds_read_tr<64, 4>>(transposed{pitch, 4}));
  }
  COALESCE_CHECK(gfx950::ds_read_tr<64, 8>::sources.rounds.evidence == co::evidence::inferred);
  COALESCE_CHECK(gfx950::ds_read_tr<64, 4>::sources.rounds.evidence == co::evidence::inferred);
}

namespace {

using tr_b16 = gfx950::ds_read_tr<64>;
using tr_b8 = gfx950::ds_read_tr<64, 8>;
using tr_b4 = gfx950::ds_read_tr<64, 4>;
using tr_b6 = gfx950::ds_read_tr<96, 6>;

/// Values whose origin is none or another's, or in another group of 16 lanes.
template <class Instruction>
constexpr unsigned lost_or_shared() {
  bool received[64][16] = {};
  unsigned wrong = 0;
  for (unsigned lane = 0; lane != 64; ++lane)
    for (unsigned value = 0; value != Instruction::values; ++value) {
      auto const from = Instruction::source_of(lane, value);
      bool const good = from.lane / 16 == lane / 16 && from.element < Instruction::values;
      wrong += !good || received[from.lane][from.element];
      if (good) received[from.lane][from.element] = true;
    }
  return wrong;
}

/// Values that are not of the column of their lane, row by row, where each group of 16 lanes reads a block of 16
/// columns, row by row.
template <class Instruction>
constexpr unsigned not_transposed() {
  constexpr unsigned n = Instruction::values;
  unsigned wrong = 0;
  for (unsigned lane = 0; lane != 64; ++lane)
    for (unsigned value = 0; value != n; ++value) {
      auto const from = Instruction::source_of(lane, value);
      unsigned const place = from.lane % 16 * n + from.element;  // in the block
      wrong += place / 16 != value || place % 16 != lane % 16;
    }
  return wrong;
}

}  // namespace

TEST_CASE("4e: who receives what of tr_b16 and tr_b8") {
  COALESCE_CHECK(tr_b16::source_of(5, 2) == co::origin{.lane = 9, .element = 1});
  COALESCE_CHECK(tr_b16::source_of(17, 3) == co::origin{.lane = 28, .element = 1});
  COALESCE_CHECK(tr_b8::source_of(5, 2) == co::origin{.lane = 4, .element = 5});
}
TEST_CASE("each transpose load hands out every element once, within groups of 16 lanes, and transposes blocks") {
  COALESCE_CHECK(tr_b16::values == 4);
  COALESCE_CHECK(tr_b8::values == 8);
  COALESCE_CHECK(tr_b4::values == 16);
  COALESCE_CHECK(tr_b6::values == 16);
  COALESCE_CHECK(lost_or_shared<tr_b16>() == 0);
  COALESCE_CHECK(lost_or_shared<tr_b8>() == 0);
  COALESCE_CHECK(lost_or_shared<tr_b4>() == 0);
  COALESCE_CHECK(lost_or_shared<tr_b6>() == 0);
  COALESCE_CHECK(not_transposed<tr_b16>() == 0);
  COALESCE_CHECK(not_transposed<tr_b8>() == 0);
  COALESCE_CHECK(not_transposed<tr_b4>() == 0);
  COALESCE_CHECK(not_transposed<tr_b6>() == 0);
}
TEST_CASE("the maps of 16 and 8 bits are documented, those of 4 and 6 bits inferred") {
  COALESCE_CHECK(tr_b16::map_from.evidence == co::evidence::documented);
  COALESCE_CHECK(tr_b8::map_from.evidence == co::evidence::documented);
  COALESCE_CHECK(tr_b4::map_from.evidence == co::evidence::inferred);
  COALESCE_CHECK(tr_b6::map_from.evidence == co::evidence::inferred);
}

namespace {

/// B of MFMA 32x32x16, halves in rows of K, `pitch` bytes apart, by two transpose loads, the first for K 0-3 and 8-11:
/// whether every lane then holds what core/fragments.hpp says.
constexpr bool feeds_mfma(unsigned pitch) {
  auto const read = [=](unsigned number, unsigned lane) {
    unsigned const group = lane / 16, c = lane % 16;
    return (8 * (group / 2) + 4 * number + c / 4) * pitch + 32 * (group % 2) + 8 * (c % 4);
  };
  using b = cdna::mfma<32, 32, 16, 16>::b;
  for (unsigned lane = 0; lane != 64; ++lane)
    for (unsigned value = 0; value != b::values; ++value) {
      auto const from = tr_b16::source_of(lane, value % 4);
      auto const wanted = b::of(lane, value);
      if (read(value / 4, from.lane) + 2 * from.element != wanted.row * pitch + 2 * wanted.column) return false;
    }
  return true;
}

}  // namespace

TEST_CASE("ISA4 11.4: two transpose loads give the operand B of MFMA 32x32x16, K 0-3 and 8-11 first") {
  COALESCE_CHECK(feeds_mfma(64));
  COALESCE_CHECK(feeds_mfma(80));
}
#ifdef __cpp_exceptions
TEST_CASE("a lane or a value that a transpose load does not have is refused") {
  CHECK_THROWS_AS(static_cast<void>(tr_b16::source_of(64, 0)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(tr_b16::source_of(0, 4)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(tr_b8::source_of(0, 8)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(tr_b6::source_of(63, 16)), co::misuse);
  CHECK_NOTHROW(static_cast<void>(tr_b6::source_of(63, 15)));
}
TEST_CASE("ISA4 11.4: transpose loads need every lane, for their cost and for their phases") {
  constexpr auto all_but_63 = ~std::uint64_t{0} >> 1;
  CHECK_THROWS_AS(static_cast<void>(co::cost<tr_b16>(co::linear{.stride = 8}, all_but_63)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::phases<tr_b16>(co::linear{.stride = 8}, all_but_63)), co::misuse);
}
#endif

// ---- Atomics ----

TEST_CASE("an LDS atomic is an operation for each active lane; those on one address follow each other (PROF)") {
  using add = gfx942::ds_atomic<32>;
  COALESCE_CHECK(co::cost<add>(co::linear{.stride = 4}) ==
                 cdna::lds_atomic_cost<>{.operations = 64, .lanes_on_one_address = 1});
  COALESCE_CHECK(co::cost<add>(co::broadcast{64}) ==
                 cdna::lds_atomic_cost<>{.operations = 64, .lanes_on_one_address = 64});
  COALESCE_CHECK(co::cost<add>([](unsigned lane) { return lane < 10 ? 400 : 4 * lane; }, 0xffff) ==
                 cdna::lds_atomic_cost<>{.operations = 16, .lanes_on_one_address = 10});
  COALESCE_CHECK(co::cost<add>(co::broadcast{}, 0) == cdna::lds_atomic_cost<>{});
  COALESCE_CHECK(co::cost<gfx950::ds_atomic<64>>([](unsigned lane) { return lane % 8 * 8; }) ==
                 cdna::lds_atomic_cost<>{.operations = 64, .lanes_on_one_address = 8});
}

// ---- What an instruction says of itself ----

TEST_CASE("what LDS instructions say of themselves") {
  COALESCE_CHECK(gfx942::ds_read<96>::bytes == 12);
  COALESCE_CHECK(gfx942::ds_read<32>::lanes == 64);
  COALESCE_CHECK(gfx942::ds_read<32>::level == co::level::lds);
  COALESCE_CHECK(gfx942::ds_atomic<32>::level == co::level::lds);
  COALESCE_CHECK(gfx942::ds_read<32>::unit == 4);
  COALESCE_CHECK(gfx942::ds_read<128>::period == 128);
  COALESCE_CHECK(gfx950::ds_read<128>::period == 256);
  COALESCE_CHECK(gfx950::ds_read_tr<64>::period == 256);
  COALESCE_CHECK(gfx950::ds_read<96>::period == 128);
  COALESCE_CHECK(gfx950::ds_write<64>::period == 128);
  COALESCE_CHECK(tr_b6::lanes == 64);
  COALESCE_CHECK(tr_b6::bytes == 12);
  COALESCE_CHECK(tr_b6::alignment == gfx950::ds_read<96>::alignment);
  COALESCE_CHECK(tr_b6::unit == 4);
  COALESCE_CHECK(tr_b6::period == 256);
  COALESCE_CHECK(tr_b6::capacity == 160 * 1024);
  COALESCE_CHECK(tr_b6::level == co::level::lds);
  // An atomic is of one element, wherever it lies.
  COALESCE_CHECK(gfx942::ds_atomic<32>::lanes == 64);
  COALESCE_CHECK(gfx942::ds_atomic<32>::bytes == 4);
  COALESCE_CHECK(gfx942::ds_atomic<32>::alignment == 4);
  COALESCE_CHECK(gfx942::ds_atomic<32>::unit == 4);
  COALESCE_CHECK(gfx942::ds_atomic<32>::period == 4);
  COALESCE_CHECK(gfx942::ds_atomic<32>::capacity == 64 * 1024);
  COALESCE_CHECK(gfx950::ds_atomic<64>::bytes == 8);
  COALESCE_CHECK(gfx950::ds_atomic<64>::alignment == 8);
  COALESCE_CHECK(gfx950::ds_atomic<64>::period == 8);
  COALESCE_CHECK(gfx950::ds_atomic<64>::capacity == 160 * 1024);
}

namespace {

template <class Instruction>
constexpr co::evidence evidence() {
  constexpr auto sources = Instruction::sources;
  static_assert(sources.rounds.evidence == sources.conflicts.evidence &&
                sources.rounds.evidence == sources.phases.evidence);
  return sources.rounds.evidence;
}

}  // namespace

TEST_CASE("which rows are documented, measured, inferred") {
  using enum co::evidence;
  COALESCE_CHECK(evidence<gfx942::ds_read<8>>() == inferred);
  COALESCE_CHECK(evidence<gfx942::ds_read<16>>() == measured);
  COALESCE_CHECK(evidence<gfx942::ds_write<16>>() == measured);
  COALESCE_CHECK(evidence<gfx942::ds_read<8>>() == inferred);
  COALESCE_CHECK(evidence<gfx942::ds_write<8>>() == inferred);
  COALESCE_CHECK(evidence<gfx942::ds_read<32>>() == measured);
  COALESCE_CHECK(evidence<gfx942::ds_read<64>>() == measured);
  COALESCE_CHECK(evidence<gfx942::ds_read<96>>() == inferred);
  COALESCE_CHECK(evidence<gfx942::ds_read<128>>() == documented);
  COALESCE_CHECK(evidence<gfx942::ds_write<8>>() == inferred);
  COALESCE_CHECK(evidence<gfx942::ds_write<32>>() == inferred);
  COALESCE_CHECK(evidence<gfx942::ds_write<64>>() == inferred);
  COALESCE_CHECK(evidence<gfx942::ds_write<128>>() == documented);
  COALESCE_CHECK(evidence<gfx950::ds_read<8>>() == inferred);
  COALESCE_CHECK(evidence<gfx950::ds_read<16>>() == inferred);
  COALESCE_CHECK(evidence<gfx950::ds_read<32>>() == inferred);  // by latency only, and AMD's rocRoller disagrees
  COALESCE_CHECK(evidence<gfx950::ds_read<64>>() == measured);
  COALESCE_CHECK(evidence<gfx950::ds_read<96>>() == measured);
  COALESCE_CHECK(evidence<gfx950::ds_read<128>>() == measured);
  COALESCE_CHECK(evidence<gfx950::ds_read_tr<64>>() == measured);
  COALESCE_CHECK(evidence<gfx950::ds_write<16>>() == inferred);
  COALESCE_CHECK(evidence<gfx950::ds_write<32>>() == inferred);
  COALESCE_CHECK(evidence<gfx950::ds_write<64>>() == measured);
  COALESCE_CHECK(evidence<gfx950::ds_write<128>>() == inferred);
  COALESCE_CHECK(gfx942::ds_atomic<32>::sources.lanes_on_one_address.evidence == documented);
}
static_assert(cdna::access_width<8> && cdna::access_width<16> && cdna::access_width<32> && cdna::access_width<64> &&
              cdna::access_width<96> && cdna::access_width<128>);
static_assert(!cdna::access_width<0> && !cdna::access_width<24> && !cdna::access_width<48> && !cdna::access_width<256>);
static_assert(cdna::ds_read_tr_form<64, 16> && cdna::ds_read_tr_form<96, 6> && !cdna::ds_read_tr_form<96, 16> &&
              !cdna::ds_read_tr_form<64, 6> && !cdna::ds_read_tr_form<64, 32> && !cdna::ds_read_tr_form<128, 16>);
static_assert(cdna::ds_write_width<64> && !cdna::ds_write_width<96> && !cdna::ds_write_width<24>);

#ifdef __cpp_exceptions
TEST_CASE("addresses that are not a multiple of the data's size are refused") {
  CHECK_THROWS_AS(static_cast<void>(co::cost<gfx942::ds_read<16>>(co::broadcast{1})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<gfx942::ds_read<32>>(co::broadcast{2})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<gfx942::ds_write<64>>(co::broadcast{4})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<gfx942::ds_read<128>>(co::broadcast{8})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<gfx950::ds_read<128>>(co::broadcast{8})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<gfx950::ds_read_tr<64>>(co::broadcast{4})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<gfx950::ds_atomic<64>>(co::broadcast{4})), co::misuse);
  CHECK_NOTHROW(static_cast<void>(co::cost<gfx942::ds_read<8>>(co::broadcast{1})));
  CHECK_NOTHROW(static_cast<void>(co::cost<gfx950::ds_read_tr<64>>(co::broadcast{8})));
  CHECK_NOTHROW(static_cast<void>(co::cost<gfx950::ds_read<96>>(co::broadcast{16})));
}
TEST_CASE("llc 22 makes ds_read_b96 only where the address is a multiple of 16, on both chips; others are refused") {
  CHECK_THROWS_AS(static_cast<void>(co::cost<gfx942::ds_read<96>>(co::linear{.stride = 12})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<gfx950::ds_read<96>>(co::broadcast{8})), co::misuse);
}
TEST_CASE("ISA4 11.4: a transpose load with an active lane and an inactive one is refused") {
  using tr = gfx950::ds_read_tr<64>;
  for (unsigned lane = 0; lane != 64; ++lane)
    CHECK_THROWS_AS(static_cast<void>(co::cost<tr>(co::linear{.stride = 8}, ~(std::uint64_t{1} << lane))), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<tr>(co::linear{.stride = 8}, 1)), co::misuse);
  CHECK_NOTHROW(static_cast<void>(co::cost<tr>(co::linear{.stride = 8}, 0)));  // not issued
  CHECK_NOTHROW(static_cast<void>(co::cost<tr>(co::linear{.stride = 8}, ~std::uint64_t{0})));
  CHECK_NOTHROW(static_cast<void>(co::cost<tr>(co::linear{.stride = 8}, [](unsigned) { return true; })));
}
#endif

// ---- Against the oracle: phases and banks as the documents print them ----

namespace {

using namespace lds_phases;

std::string const whole = "0-63";
std::string const crossed_by_16 =
    "0-3,12-15,20-23,24-27 4-7,8-11,16-19,28-31 32-35,44-47,52-55,56-59 36-39,40-43,48-51,60-63";

/// Row by row: check(instruction, its name, its phases, its banks).
template <class Check>
void every_row(Check check) {
  using std::type_identity;
  check(type_identity<gfx942::ds_read<8>>{}, "gfx942 ds_read_u8", halves, 32u);
  check(type_identity<gfx942::ds_read<16>>{}, "gfx942 ds_read_u16", halves, 32u);
  check(type_identity<gfx942::ds_read<32>>{}, "gfx942 ds_read_b32", halves, 32u);
  check(type_identity<gfx942::ds_read<64>>{}, "gfx942 ds_read_b64", quarters, 32u);
  check(type_identity<gfx942::ds_read<96>>{}, "gfx942 ds_read_b96", crossed, 32u);
  check(type_identity<gfx942::ds_read<128>>{}, "gfx942 ds_read_b128", crossed, 32u);
  check(type_identity<gfx942::ds_write<8>>{}, "gfx942 ds_write_b8", halves, 32u);
  check(type_identity<gfx942::ds_write<16>>{}, "gfx942 ds_write_b16", halves, 32u);
  check(type_identity<gfx942::ds_write<32>>{}, "gfx942 ds_write_b32", halves, 32u);
  check(type_identity<gfx942::ds_write<64>>{}, "gfx942 ds_write_b64", quarters, 32u);
  check(type_identity<gfx942::ds_write<128>>{}, "gfx942 ds_write_b128", eighths, 32u);
  check(type_identity<gfx950::ds_read<8>>{}, "gfx950 ds_read_u8", whole, 64u);
  check(type_identity<gfx950::ds_read<16>>{}, "gfx950 ds_read_u16", whole, 64u);
  check(type_identity<gfx950::ds_read<32>>{}, "gfx950 ds_read_b32", whole, 64u);
  check(type_identity<gfx950::ds_read<64>>{}, "gfx950 ds_read_b64", halves, 64u);
  check(type_identity<gfx950::ds_read<96>>{}, "gfx950 ds_read_b96", crossed, 32u);
  check(type_identity<gfx950::ds_read<128>>{}, "gfx950 ds_read_b128", crossed_by_16, 64u);
  check(type_identity<gfx950::ds_read_tr<64>>{}, "gfx950 ds_read_b64_tr_b16", halves, 64u);
  check(type_identity<gfx950::ds_write<8>>{}, "gfx950 ds_write_b8", halves, 32u);
  check(type_identity<gfx950::ds_write<16>>{}, "gfx950 ds_write_b16", halves, 32u);
  check(type_identity<gfx950::ds_write<32>>{}, "gfx950 ds_write_b32", halves, 32u);
  check(type_identity<gfx950::ds_write<64>>{}, "gfx950 ds_write_b64", quarters, 32u);
  check(type_identity<gfx950::ds_write<128>>{}, "gfx950 ds_write_b128", eighths, 32u);
}

template <class Instruction>
constexpr bool needs_every_lane = std::is_same_v<Instruction, gfx950::ds_read_tr<64>>;

/// Counts the random accesses for which the oracle has another answer. Stops after `enough`.
template <class Instruction>
unsigned disagreements(std::string const& phases, unsigned banks, unsigned count, unsigned enough = ~0u) {
  auto const lists = lane_lists(phases);
  unsigned found = 0;
  random_accesses accesses(Instruction::bytes, Instruction::alignment, Instruction::bytes, Instruction::capacity);
  for (unsigned n = 0; n != count && found != enough; ++n) {
    auto made = accesses.next();
    if (needs_every_lane<Instruction> && made.active != 0) made.active = ~std::uint64_t{0};
    found += !lds_agrees<Instruction>(made, lists, banks);
  }
  return found;
}

/// Pairs of lanes that want different dwords of one bank and conflict though no phase has both, or do not though one
/// has. Lanes that must be active read other banks.
template <class Instruction>
unsigned wrong_pairs(std::string const& phases, unsigned banks) {
  auto const lists = lane_lists(phases);
  std::size_t phase_of[64] = {};
  for (std::size_t phase = 0; phase != lists.size(); ++phase)
    for (unsigned const lane : lists[phase]) phase_of[lane] = phase;
  unsigned wrong = 0;
  for (unsigned first = 0; first != 64; ++first)
    for (unsigned second = first + 1; second != 64; ++second) {
      auto const cost =
          co::cost<Instruction>([=](unsigned lane) { return lane == first    ? 0
                                                            : lane == second ? 4 * banks
                                                                             : 16; },
                                needs_every_lane<Instruction> ? ~std::uint64_t{0} : lanes(first, second));
      wrong += cost.conflicts != (phase_of[first] == phase_of[second] ? 1u : 0u) ||
               cost.rounds != lists.size() + cost.conflicts;
    }
  return wrong;
}

}  // namespace

TEST_CASE("two lanes on different dwords of one bank conflict exactly when one phase serves both: all pairs") {
  every_row([](auto instruction, char const* name, std::string const& phases, unsigned banks) {
    INFO(name);
    CHECK(wrong_pairs<typename decltype(instruction)::type>(phases, banks) == 0);
  });
}
TEST_CASE("LDS instructions agree with the oracle on 69,000 random accesses") {
  every_row([](auto instruction, char const* name, std::string const& phases, unsigned banks) {
    INFO(name);
    CHECK(disagreements<typename decltype(instruction)::type>(phases, banks, share(3'000)) == 0);
  });
}
TEST_CASE("control: each row is told from every other set of phases and the other number of banks") {
  every_row([](auto instruction, char const* name, std::string const& phases, unsigned banks) {
    using asked = typename decltype(instruction)::type;
    INFO(name);
    for (auto const& other : {whole, halves, quarters, eighths, crossed, crossed_by_16})
      for (unsigned const number : {32u, 64u})
        if (other != phases || number != banks) CHECK(disagreements<asked>(other, number, 1'000, 1) == 1);
  });
}
TEST_CASE("control: all pairs tell the phases of one chip from those of the other") {
  CHECK(wrong_pairs<gfx942::ds_read<32>>(whole, 64) > 0);
  CHECK(wrong_pairs<gfx950::ds_read<32>>(halves, 32) > 0);
  CHECK(wrong_pairs<gfx942::ds_read<64>>(halves, 64) > 0);
  CHECK(wrong_pairs<gfx950::ds_read<64>>(quarters, 32) > 0);
  CHECK(wrong_pairs<gfx942::ds_read<128>>(crossed_by_16, 64) > 0);
  CHECK(wrong_pairs<gfx942::ds_read<128>>(eighths, 32) > 0);
  CHECK(wrong_pairs<gfx942::ds_write<128>>(crossed, 32) > 0);
  CHECK(wrong_pairs<gfx950::ds_read<128>>(crossed, 32) > 0);
  CHECK(wrong_pairs<gfx950::ds_read<128>>(quarters, 64) > 0);
  CHECK(wrong_pairs<gfx950::ds_read_tr<64>>(quarters, 64) > 0);
  CHECK(wrong_pairs<gfx950::ds_read_tr<64>>(halves, 32) > 0);
  CHECK(wrong_pairs<gfx950::ds_write<64>>(quarters, 64) == 0);  // 256 bytes apart is one of 32 banks as well
  CHECK(disagreements<gfx950::ds_write<64>>(quarters, 64, 1'000) > 0);
}
TEST_CASE("shifting every address by the period changes nothing") {
  every_row([](auto instruction, char const* name, std::string const&, unsigned banks) {
    using asked = typename decltype(instruction)::type;
    INFO(name);
    CHECK(asked::period == 4 * banks);
    random_accesses accesses(asked::bytes, asked::alignment, 11, asked::capacity - asked::period);
    unsigned different = 0;
    for (unsigned n = 0; n != share(300); ++n) {
      auto made = accesses.next();
      if (needs_every_lane<asked> && made.active != 0) made.active = ~std::uint64_t{0};
      auto shifted = made;
      for (auto& address : shifted.address) address += asked::period;
      different += co::cost<asked>(made.address, made.active) != co::cost<asked>(shifted.address, made.active);
    }
    CHECK(different == 0);
  });
}

namespace {

template <class Instruction>
unsigned wrong_atomics() {
  unsigned wrong = 0;
  random_accesses accesses(Instruction::bytes, Instruction::alignment, 5, Instruction::capacity);
  for (unsigned n = 0; n != share(4'000); ++n) {
    auto const made = accesses.next();
    std::map<std::uint64_t, std::uint64_t> on_address;
    std::uint64_t active = 0, most = 0;
    for (unsigned lane = 0; lane != max_lanes; ++lane)
      if (is_active(made, lane)) ++active, most = std::max(most, ++on_address[made.address[lane]]);
    wrong += co::cost<Instruction>(made.address, made.active) !=
             cdna::lds_atomic_cost<>{.operations = active, .lanes_on_one_address = most};
  }
  return wrong;
}

}  // namespace

TEST_CASE("LDS atomics agree with a count by address on 16,000 random accesses") {
  CHECK(wrong_atomics<gfx942::ds_atomic<32>>() == 0);
  CHECK(wrong_atomics<gfx942::ds_atomic<64>>() == 0);
  CHECK(wrong_atomics<gfx950::ds_atomic<32>>() == 0);
  CHECK(wrong_atomics<gfx950::ds_atomic<64>>() == 0);
}

// ---- XOR swizzles of CK and HK, on the reads that fill MFMA operands ----

namespace {

/// An operand of a matrix instruction (MFMA): lane l reads of row l % rows the l / rows-th piece of so many
/// bytes, from byte `first` on.
struct operand {
  unsigned rows, pitch, bytes, first = 0;
  constexpr unsigned operator()(unsigned lane) const { return first + lane % rows * pitch + lane / rows * bytes; }
};

using swizzle = unsigned(unsigned);
constexpr unsigned none(unsigned o) { return o; }
/// CK: rows of 64 halves in columns of 8: column' = (row % (64 / 8)) ^ column.
constexpr unsigned ck(unsigned o) {
  unsigned const row = o / 128, column = o % 128 / 16;
  return row * 128 + ((row % 8) ^ column) * 16 + o % 16;
}
// HK, 2-byte elements (the last: 1 byte), named by rows x columns.
constexpr unsigned hk_16x32(unsigned o) { return o ^ (((o % 1024) >> 9) << 5); }
constexpr unsigned hk_32x16(unsigned o) { return o ^ (((o % 1024) >> 9) << 4); }
constexpr unsigned hk_32x32(unsigned o) { return o ^ (((o % 1024) >> 9) << 5) ^ (((o % 2048) >> 10) << 4); }
constexpr unsigned hk_16x16(unsigned o) { return o ^ (((o % 512) >> 7) << 3); }
constexpr unsigned hk_16x128(unsigned o) { return o ^ (((o % 2048) >> 8) << 4); }

template <class Instruction, class Pattern>
constexpr co::bank_cost<> through(swizzle* map, Pattern const& pattern) {
  return co::cost<Instruction>([=](unsigned lane) { return map(static_cast<unsigned>(pattern(lane))); });
}

/// Twice is once not at all, nothing leaves the tile, nothing is written twice, and pieces move as a whole.
constexpr bool is_an_involution_of_the_tile(swizzle* map, unsigned tile, unsigned piece) {
  bool reached[4096] = {};
  for (unsigned o = 0; o != tile; ++o) {
    unsigned const to = map(o);
    if (map(to) != o || to >= tile || reached[to] || to != map(o - o % piece) + o % piece) return false;
    reached[to] = true;
  }
  return true;
}

}  // namespace

TEST_CASE("every swizzle is an involution that permutes the pieces of its tile") {
  CHECK(is_an_involution_of_the_tile(ck, 32 * 64 * 2, 16));
  CHECK(is_an_involution_of_the_tile(hk_16x32, 16 * 32 * 2, 16));
  CHECK(is_an_involution_of_the_tile(hk_32x16, 32 * 16 * 2, 16));
  CHECK(is_an_involution_of_the_tile(hk_32x32, 32 * 32 * 2, 16));
  CHECK(is_an_involution_of_the_tile(hk_16x16, 16 * 16 * 2, 8));
  CHECK(is_an_involution_of_the_tile(hk_16x128, 16 * 128, 16));
  // Controls: a shift is no swizzle; 16x16 takes 16-byte pieces apart; 32x32 does not fit half its tile.
  CHECK_FALSE(is_an_involution_of_the_tile([](unsigned o) { return (o + 16) % 1024; }, 1024, 16));
  CHECK_FALSE(is_an_involution_of_the_tile(hk_16x16, 512, 16));
  CHECK_FALSE(is_an_involution_of_the_tile([](unsigned o) { return o ^ o >> 9 << 10; }, 1024, 16));
}
TEST_CASE("CK: under CK's swizzle row 2, column 6 lies in slot 4 of its row") {
  COALESCE_CHECK(ck(2 * 128 + 6 * 16) == 2 * 128 + 4 * 16);
}
TEST_CASE("CK, fp16, K = 64, KPack = 8: its swizzle takes every conflict from gfx942's operand reads") {
  using read = gfx942::ds_read<128>;
  // 32 rows, 2 columns at a time; 16 rows, 4 columns at a time ("4-way bank conflicts in every phase", says CK)
  COALESCE_CHECK(through<read>(none, operand{32, 128, 16}) == banks(64, 56));
  COALESCE_CHECK(through<read>(none, operand{16, 128, 16}) == banks(8 * 4, 24));
  for (unsigned first = 0; first != 128; first += 32)
    CHECK(through<read>(ck, operand{32, 128, 16, first}).conflicts == 0);
  for (unsigned first = 0; first != 128; first += 64)
    CHECK(through<read>(ck, operand{16, 128, 16, first}).conflicts == 0);
  COALESCE_CHECK(through<read>(ck, operand{32, 128, 16}) == banks(8, 0));
  COALESCE_CHECK(through<read>(ck, operand{16, 128, 16}) == banks(8, 0));
}
TEST_CASE("CK's swizzle on gfx950: free for 16 rows at a time; for 32, each phase takes 2 rounds") {
  using read = gfx950::ds_read<128>;
  COALESCE_CHECK(through<read>(none, operand{32, 128, 16}) == banks(32, 28));
  COALESCE_CHECK(through<read>(none, operand{16, 128, 16}) == banks(16, 12));
  COALESCE_CHECK(through<read>(ck, operand{16, 128, 16}) == banks(4, 0));
  COALESCE_CHECK(through<read>(ck, operand{16, 128, 16, 64}) == banks(4, 0));
  // Lanes 0-3, 12-15, 20-23 and 24-27 are rows 0-3, 4-7, 4-7 and 0-3 modulo 8, of one column: 8 of the 16 slots that 64
  // banks have for 16 bytes, twice each.
  for (unsigned first = 0; first != 128; first += 32)
    CHECK(through<read>(ck, operand{32, 128, 16, first}) == banks(8, 4));
}
TEST_CASE("CK: writing whole rows through the swizzle is free, since a phase of ds_write_b128 is a row") {
  COALESCE_CHECK(through<gfx942::ds_write<128>>(ck, co::linear{.stride = 16}) == banks(8, 0));
  COALESCE_CHECK(through<gfx950::ds_write<128>>(ck, co::linear{.stride = 16}) == banks(8, 0));
}
TEST_CASE("HK 16x32: 16 rows of 64 bytes, ds_read_b128, as MFMA 16x16x32 wants them: free on gfx950") {
  COALESCE_CHECK(through<gfx950::ds_read<128>>(none, operand{16, 64, 16}) == banks(8, 4));
  COALESCE_CHECK(through<gfx950::ds_read<128>>(hk_16x32, operand{16, 64, 16}) == banks(4, 0));
  COALESCE_CHECK(through<gfx942::ds_read<128>>(hk_16x32, operand{16, 64, 16}) == banks(16, 8));  // not its machine
}
TEST_CASE("HK 32x16: 32 rows of 32 bytes, ds_read_b128, as MFMA 32x32x16 wants them: free on gfx950") {
  COALESCE_CHECK(through<gfx950::ds_read<128>>(none, operand{32, 32, 16}) == banks(8, 4));
  COALESCE_CHECK(through<gfx950::ds_read<128>>(hk_32x16, operand{32, 32, 16}) == banks(4, 0));
}
TEST_CASE("HK 32x32: rows of 64 bytes, ds_read_b128, 32 or 16 rows at a time, either half of each: free on gfx950") {
  using read = gfx950::ds_read<128>;
  COALESCE_CHECK(through<read>(none, operand{32, 64, 16}) == banks(16, 12));
  COALESCE_CHECK(through<read>(none, operand{16, 64, 16}) == banks(8, 4));
  COALESCE_CHECK(through<read>(hk_32x32, operand{32, 64, 16}) == banks(4, 0));
  COALESCE_CHECK(through<read>(hk_32x32, operand{32, 64, 16, 32}) == banks(4, 0));
  COALESCE_CHECK(through<read>(hk_32x32, operand{16, 64, 16}) == banks(4, 0));
  COALESCE_CHECK(through<read>(hk_32x32, operand{16, 64, 16, 16 * 64}) == banks(4, 0));
  // 16x32's swizzle would not do for 32 rows.
  COALESCE_CHECK(through<read>(hk_16x32, operand{32, 64, 16}).conflicts > 0);
}
TEST_CASE("HK 16x16: 16 rows of 32 bytes, ds_read_b64, as MFMA 16x16x16 wants them: free on both chips") {
  COALESCE_CHECK(through<gfx950::ds_read<64>>(none, operand{16, 32, 8}) == banks(4, 2));
  COALESCE_CHECK(through<gfx950::ds_read<64>>(hk_16x16, operand{16, 32, 8}) == banks(2, 0));
  COALESCE_CHECK(through<gfx942::ds_read<64>>(none, operand{16, 32, 8}) == banks(16, 12));
  COALESCE_CHECK(through<gfx942::ds_read<64>>(hk_16x16, operand{16, 32, 8}) == banks(4, 0));
}
TEST_CASE("HK 16x128 of bytes: 16 rows of 128 bytes, ds_read_b128, either half of K: free on gfx950") {
  COALESCE_CHECK(through<gfx950::ds_read<128>>(none, operand{16, 128, 16}) == banks(16, 12));
  COALESCE_CHECK(through<gfx950::ds_read<128>>(hk_16x128, operand{16, 128, 16}) == banks(4, 0));
  COALESCE_CHECK(through<gfx950::ds_read<128>>(hk_16x128, operand{16, 128, 16, 64}) == banks(4, 0));
}
TEST_CASE("writing consecutive 16 bytes through HK's swizzles is free") {
  for (swizzle* const map : {hk_16x32, hk_32x16, hk_32x32, hk_16x128})
    CHECK(through<gfx950::ds_write<128>>(map, co::linear{.stride = 16}) == banks(8, 0));
  CHECK(through<gfx950::ds_write<64>>(hk_16x16, co::linear{.stride = 8}) == banks(4, 0));
}
TEST_CASE("HK's transpose loads, 8 rows from one group of 16 lanes to the next: free on 32x32, not on 32x16") {
  using read = gfx950::ds_read_tr<64>;
  for (unsigned const first : {0u, 4 * 64u, 32u, 4 * 64 + 32u}) {
    CHECK(through<read>(none, transposed{64, 8, first}) == banks(4, 2));
    CHECK(through<read>(hk_32x32, transposed{64, 8, first}) == banks(2, 0));
  }
  CHECK(through<read>(hk_32x16, transposed{32, 8}) == banks(4, 2));
}
TEST_CASE("PT's profile on MI355X, counters by LDS instruction: tiles of 16x32 read by b128, of 32x16 transposed") {
  // SQ_LDS_IDX_ACTIVE and SQ_LDS_BANK_CONFLICT over SQ_INSTS_LDS: 3.99 and 0.00; both operands in 32x16 4.00 and 2.00.
  // That the latter are read transposed is inferred from HK's source.
  COALESCE_CHECK(through<gfx950::ds_read<128>>(hk_16x32, operand{16, 64, 16}) == banks(4, 0));
  COALESCE_CHECK(through<gfx950::ds_read_tr<64>>(hk_32x16, transposed{32, 8}) == banks(4, 2));
  COALESCE_CHECK(through<gfx950::ds_read_tr<64>>(hk_32x16, transposed{32, 8, 4 * 32}) == banks(4, 2));
}
