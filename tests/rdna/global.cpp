// SPDX-License-Identifier: BSL-1.0
#include <coalesce/rdna.hpp>
#include <coalesce/total.hpp>

#include "machinery/check.hpp"
#include "truth/oracle/oracle.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace co = coalescing;
namespace rdna = co::rdna;
using namespace coalescing_tests;
using rdna::gfx1010, rdna::gfx1030, rdna::gfx1036, rdna::gfx1100, rdna::gfx1201;

namespace {

constexpr std::uint64_t B = 0x1000;  // a base aligned to every line and tag bank

constexpr rdna::memory_cost<> lines(std::uint64_t count, std::uint64_t used) {
  return {.transactions = count, .bytes_moved = 128 * count, .bytes_used = used};
}
constexpr std::uint64_t clocks(std::int64_t stride) {
  return co::cost<gfx1030::global_load<32>>(co::linear{.stride = stride}).clocks;
}
template <class Instruction>
concept has_clocks = requires(typename Instruction::cost_type cost) {
  cost.clocks;
};

}  // namespace

// ---- Lines ----

TEST_CASE("KFD: 32 dwords are one line of 128 bytes; a wave64's are one for each half") {
  COALESCE_CHECK(co::cost<gfx1100::global_load<32>>(co::linear{.base = B, .stride = 4}) == lines(1, 128));
  COALESCE_CHECK(co::cost<gfx1100::wave64::global_load<32>>(co::linear{.base = B, .stride = 4}) == lines(2, 256));
  COALESCE_CHECK(co::cost<gfx1201::global_store<128>>(co::linear{.base = B, .stride = 16}) == lines(4, 512));
  COALESCE_CHECK(co::cost<gfx1010::global_load<8>>(co::linear{.base = B + 100, .stride = 1}) == lines(2, 32));
}
TEST_CASE("a line that both halves of a wave64 want is asked for twice, and its bytes are used once") {
  COALESCE_CHECK(co::cost<gfx1100::wave64::global_load<32>>(co::broadcast{B}) == lines(2, 4));
  COALESCE_CHECK(co::cost<gfx1100::wave64::global_load<32>>(co::broadcast{B}, 0xffff'ffff) == lines(1, 4));
  COALESCE_CHECK(co::cost<gfx1100::wave64::global_load<16>>(co::linear{.base = B, .stride = 2}) == lines(2, 128));
}
TEST_CASE("a wide access may straddle two lines") {
  COALESCE_CHECK(co::cost<gfx1100::global_load<128>>(co::broadcast{B + 116}) == lines(2, 16));
  COALESCE_CHECK(co::cost<gfx1100::global_load<96>>(co::linear{.base = B + 120, .stride = 4096}) == lines(64, 384));
}
TEST_CASE("atomics: lines of L2, an operation for each lane") {
  COALESCE_CHECK(co::cost<gfx1100::global_atomic<32>>(co::broadcast{B}) ==
                 rdna::atomic_cost<>{.transactions = 1, .bytes_moved = 128, .bytes_used = 4, .operations = 32});
  COALESCE_CHECK(co::cost<gfx1201::wave64::global_atomic<64>>(co::linear{.base = B, .stride = 8}).operations == 64);
  COALESCE_CHECK(gfx1100::global_atomic<32>::level == co::level::l2);
}
TEST_CASE("no lane, no cost") {
  COALESCE_CHECK(co::cost<gfx1100::global_load<32>>(co::linear{.stride = 4}, 0) == rdna::memory_cost<>{});
  COALESCE_CHECK(co::cost<gfx1030::global_load<32>>(co::linear{.stride = 4}, 0) == rdna::clocked_load_cost<>{});
  COALESCE_CHECK(co::cost<gfx1030::wave64::global_atomic<32>>(co::linear{.stride = 4}, 0) == rdna::atomic_cost<>{});
}
TEST_CASE("transactions() lists the lines of each half of a wave64, with their lanes") {
  constexpr auto list = co::transactions<gfx1100::wave64::global_load<32>>(co::linear{.base = B + 64, .stride = 4});
  COALESCE_CHECK(list.size() == 4);
  COALESCE_CHECK(list[1] == co::transaction{.address = B + 128, .bytes = 128, .lanes = 0xffff'0000});
  COALESCE_CHECK(list[2] == co::transaction{.address = B + 128, .bytes = 128, .lanes = 0xffff'0000'0000});
}
TEST_CASE("a list has room for two lines of each lane where an access may straddle, and for one where none can") {
  constexpr auto list = co::transactions<gfx1100::global_load<96>>(co::linear{.base = B + 120, .stride = 4096});
  COALESCE_CHECK(list.size() == 64);
  COALESCE_CHECK(sizeof list.items == 64 * sizeof(co::transaction));
  constexpr auto all = co::transactions<gfx1100::global_load<32>>(co::linear{.base = B, .stride = 4096});
  COALESCE_CHECK(all.size() == 32);
  COALESCE_CHECK(sizeof all.items == 32 * sizeof(co::transaction));
}
TEST_CASE("what global and scalar instructions say of themselves") {
  COALESCE_CHECK(gfx1100::global_load<96>::level == co::level::l0);
  COALESCE_CHECK(gfx1100::global_load<96>::bytes == 12);
  COALESCE_CHECK(gfx1100::global_load<96>::unit == 128);
  COALESCE_CHECK(gfx1100::global_load<96>::alignment == 4);
  COALESCE_CHECK(gfx1100::global_store<16>::alignment == 2);
  COALESCE_CHECK(gfx1100::global_atomic<64>::alignment == 8);
  COALESCE_CHECK(gfx1030::global_load<64>::alignment == 8);
  COALESCE_CHECK(gfx1100::s_load<4>::level == co::level::constant_cache);
  COALESCE_CHECK(gfx1100::s_load<4>::unit == 64);
  COALESCE_CHECK(gfx1100::s_load<4>::alignment == 4);
  COALESCE_CHECK(gfx1100::s_load<1>::bytes == 4);
  COALESCE_CHECK(gfx1100::s_load<2>::bytes == 8);
  COALESCE_CHECK(gfx1201::s_load<3>::bytes == 12);
  COALESCE_CHECK(gfx1100::s_load<4>::bytes == 16);
  COALESCE_CHECK(gfx1100::s_load<8>::bytes == 32);
  COALESCE_CHECK(gfx1100::s_load<16>::bytes == 64);
}
TEST_CASE("bytes and operations are counted from the addresses, whichever instruction") {
  auto const counted = [](co::source const& from) {
    return std::string(from.document) == co::detail::counted_from_the_addresses.document;
  };
  CHECK(counted(gfx1100::global_load<32>::sources.bytes_used));
  CHECK(counted(gfx1030::global_load<32>::sources.bytes_used));
  CHECK(counted(gfx1100::s_load<4>::sources.bytes_used));
  CHECK(counted(gfx1100::global_atomic<32>::sources.bytes_used));
  CHECK(counted(gfx1100::global_atomic<32>::sources.operations));
  CHECK(!counted(gfx1100::global_atomic<32>::sources.transactions));
}
TEST_CASE("totals: on the 32 multiples of 4 bytes in a line, a load is 2 lines but once") {
  COALESCE_CHECK(
      co::total<gfx1201::global_load<32>>(co::linear{.stride = 4}, co::every_base{.alignment = 4}).transactions ==
      1 + 31 * 2);  // of 32 bases in a line
  COALESCE_CHECK(
      co::worst<gfx1030::global_load<32>>([](unsigned lane, unsigned step) { return lane * 4 * step; }, co::domain{33})
          .cost.clocks == 32);
}

// ---- Scalar loads ----

TEST_CASE("KFD: scalar loads touch lines of 64 bytes; one request for the wave") {
  COALESCE_CHECK(co::cost<gfx1030::s_load<16>>(co::broadcast{0x100}) ==
                 rdna::memory_cost<>{.transactions = 1, .bytes_moved = 64, .bytes_used = 64});
  COALESCE_CHECK(co::cost<gfx1100::s_load<16>>(co::broadcast{0x104}).transactions == 2);
  COALESCE_CHECK(co::cost<gfx1201::s_load<3>>(co::broadcast{52}).transactions == 1);
  COALESCE_CHECK(co::cost<gfx1201::s_load<3>>(co::broadcast{56}).transactions == 2);
  COALESCE_CHECK(gfx1100::s_load<4>::lanes == 1);
  COALESCE_CHECK(co::transactions<gfx1100::s_load<16>>(co::broadcast{4})[1] ==
                 co::transaction{.address = 64, .bytes = 64, .lanes = 1});
}
TEST_CASE("every dword address of 64 lines agrees with counting them dword by dword") {
  unsigned wrong = 0;
  for (std::uint64_t address = 0; address != 4096; address += 4) {
    std::set<std::uint64_t> touched;
    for (unsigned dword = 0; dword != 8; ++dword) touched.insert((address + 4 * dword) / 64);
    wrong += co::cost<gfx1030::s_load<8>>(co::broadcast{address}).transactions != touched.size();
  }
  CHECK(wrong == 0);
}

// ---- Clocks of gfx1030's L0 ----

TEST_CASE("GB: dwords by stride") {
  COALESCE_CHECK(clocks(4) == 1);
  COALESCE_CHECK(clocks(8) == 2);
  COALESCE_CHECK(clocks(12) == 2);
  COALESCE_CHECK(clocks(28) == 2);
  COALESCE_CHECK(clocks(32) == 8);
  COALESCE_CHECK(clocks(36) == 3);
  COALESCE_CHECK(clocks(64) == 16);
  COALESCE_CHECK(clocks(68) == 5);
  COALESCE_CHECK(clocks(128) == 32);
  COALESCE_CHECK(clocks(132) == 8);
  COALESCE_CHECK(clocks(0) == 1);
}
TEST_CASE("64 bits in order are two clocks: two dwords of each bank. A wave64 takes what its halves take") {
  COALESCE_CHECK(co::cost<gfx1030::global_load<64>>(co::linear{.stride = 8}).clocks == 2);
  COALESCE_CHECK(co::cost<gfx1030::wave64::global_load<32>>(co::linear{.stride = 128}).clocks == 64);
  COALESCE_CHECK(co::cost<gfx1030::wave64::global_load<32>>(co::linear{.stride = 4}, 0xffff'ffff).clocks == 1);
}
TEST_CASE("only gfx1030's loads of 32 and 64 bits have clocks, measured with their chip; a wave64's are inferred") {
  static_assert(has_clocks<gfx1030::global_load<32>> && has_clocks<gfx1030::wave64::global_load<64>>);
  static_assert(!has_clocks<gfx1030::global_load<16>> && !has_clocks<gfx1030::global_load<128>>);
  static_assert(!has_clocks<gfx1030::global_store<32>> && !has_clocks<gfx1030::global_atomic<32>>);
  static_assert(!has_clocks<gfx1036::global_load<32>> && !has_clocks<gfx1010::global_load<32>>);
  static_assert(!has_clocks<gfx1100::global_load<32>> && !has_clocks<gfx1201::global_load<32>>);
  COALESCE_CHECK(gfx1030::global_load<32>::sources.clocks.evidence == co::evidence::measured);
  COALESCE_CHECK(gfx1030::wave64::global_load<32>::sources.clocks.evidence == co::evidence::inferred);
  CHECK(std::string(gfx1030::global_load<64>::sources.clocks.claim).find("gfx1030") != std::string::npos);
  COALESCE_CHECK(gfx1100::global_load<32>::sources.transactions.evidence == co::evidence::inferred);
  COALESCE_CHECK(gfx1100::s_load<4>::sources.transactions.evidence == co::evidence::documented);
  COALESCE_CHECK(gfx1201::s_load<4>::sources.transactions.evidence == co::evidence::inferred);
}

namespace {

/// truth/measured/measured.csv: gpu-benches-<id>, bits;
/// element (l % block) + (l / block % 32) * 4098 + 4098 of lane l, or l * stride
/// where block is 0; cycles of a wave of 32 lanes.
struct measurement {
  unsigned id, bits, block, stride;
  double cycles;
};
constexpr measurement rx_6900_xt[] = {
    {1111, 32, 1, 0, 15.9},  {1112, 32, 2, 0, 11.9},  {1115, 32, 16, 0, 1.99}, {1117, 32, 64, 0, 1.04},
    {1118, 64, 1, 0, 8},     {1119, 64, 2, 0, 8},     {1120, 64, 4, 0, 6.5},   {1121, 64, 8, 0, 4.33},
    {1123, 64, 32, 0, 4.34}, {1125, 32, 0, 0, 1},     {1126, 32, 0, 1, 1},     {1128, 32, 0, 3, 1.99},
    {1131, 32, 0, 6, 1.99},  {1132, 32, 0, 7, 1.99},  {1133, 32, 0, 8, 8},     {1134, 32, 0, 9, 2.99},
    {1135, 32, 0, 10, 2.99}, {1136, 32, 0, 11, 2.99}, {1137, 32, 0, 12, 3.98}, {1138, 32, 0, 13, 4.01},
    {1139, 32, 0, 14, 4.02}, {1140, 32, 0, 15, 4.01}, {1142, 32, 0, 17, 4.98}, {1144, 32, 0, 19, 4.98},
    {1145, 32, 0, 20, 5.4},  {1146, 32, 0, 21, 6},    {1148, 32, 0, 23, 6},    {1149, 32, 0, 24, 8},
    {1151, 32, 0, 26, 7},    {1152, 32, 0, 27, 7},    {1154, 32, 0, 29, 8},    {1155, 32, 0, 30, 8},
    {1156, 32, 0, 31, 8},    {1157, 32, 0, 32, 31.9}, {1158, 32, 0, 33, 8},    {1159, 32, 0, 34, 8.5},
    {1161, 32, 0, 36, 8},    {1163, 32, 0, 38, 9},    {1164, 32, 0, 39, 9},    {1166, 32, 0, 41, 8.7},
    {1167, 32, 0, 42, 10.6}, {1172, 32, 0, 47, 9},    {1174, 32, 0, 49, 8.2},  {1175, 32, 0, 50, 8.5},
    {1179, 32, 0, 54, 9},    {1180, 32, 0, 55, 9.6},  {1181, 32, 0, 56, 8},    {1182, 32, 0, 57, 9.8},
    {1183, 32, 0, 58, 8.6},  {1184, 32, 0, 59, 9.6},  {1186, 32, 0, 61, 9.7},  {1187, 32, 0, 62, 9},
    {1188, 64, 0, 0, 4.34},  {1190, 64, 0, 2, 4.34},  {1192, 64, 0, 4, 8},     {1194, 64, 0, 6, 4.36},
    {1195, 64, 0, 7, 4.34},  {1196, 64, 0, 8, 16},    {1197, 64, 0, 9, 5},     {1198, 64, 0, 10, 5.2},
    {1199, 64, 0, 11, 6},    {1200, 64, 0, 12, 8},    {1203, 64, 0, 15, 8},    {1204, 64, 0, 16, 32},
    {1205, 64, 0, 17, 8},    {1208, 64, 0, 20, 8},    {1209, 64, 0, 21, 10.5}, {1211, 64, 0, 23, 9},
    {1212, 64, 0, 24, 16},   {1213, 64, 0, 25, 8.5},  {1214, 64, 0, 26, 8},    {1215, 64, 0, 27, 9},
    {1218, 64, 0, 30, 8},
};

/// The rule once more: lines and words collected one by one in sets.
std::uint64_t slow_clocks(random_access const& access, unsigned bytes, unsigned tag_banks = 4,
                          unsigned data_banks = 32) {
  auto const all = touched_bytes(access, bytes, 0xffff'ffff);
  if (all.empty()) return 0;
  std::map<std::uint64_t, std::set<std::uint64_t>> lines_of_bank, words_of_bank;
  std::set<std::uint64_t> lines;
  for (auto const byte : all) {
    lines.insert(byte >> 7), lines_of_bank[(byte >> 7) % tag_banks].insert(byte >> 7);
    words_of_bank[(byte >> 2) % data_banks].insert(byte >> 2);
  }
  std::size_t most = lines.size() > 2 ? 2 : 1;
  for (auto const& [bank, of_bank] : lines_of_bank) most = std::max(most, of_bank.size());
  for (auto const& [bank, of_bank] : words_of_bank) most = std::max(most, of_bank.size());
  return most;
}

/// The mean over both halves of the 64 threads and the 8 elements that the kernel reads. Doubles have a floor, the rate
/// of the FMA.
template <class Clocks>
double mean(measurement const& row, Clocks const& clocks_of) {
  std::uint64_t sum = 0;
  for (unsigned const offset : {0u, 4u, 8u, 12u, 20u, 16u, 24u, 28u})
    for (unsigned const half : {0u, 32u}) {
      random_access made;
      made.active = 0xffff'ffff;
      for (unsigned lane = 0; lane != 32; ++lane) {
        unsigned const thread = half + lane, element = row.block != 0
                                                           ? thread % row.block + thread / row.block % 32 * 4098 + 4098
                                                           : thread * row.stride;
        made.address[lane] = std::uint64_t{row.bits / 8} * (element + offset);
      }
      sum += clocks_of(made, row.bits);
    }
  return std::max(static_cast<double>(sum) / 16, row.bits == 64 ? 4.34 : 0);
}
bool agrees(measurement const& row, double clocks_of_row) {
  return std::abs(clocks_of_row - row.cycles) <= std::max(0.05, 0.01 * row.cycles);
}
std::uint64_t library_clocks(random_access const& made, unsigned bits) {
  return bits == 32 ? co::cost<gfx1030::global_load<32>>(made.address, made.active).clocks
                    : co::cost<gfx1030::global_load<64>>(made.address, made.active).clocks;
}

}  // namespace

TEST_CASE("GB on RX 6900 XT: all 73 rows, within 0.05 or 1 %") {
  unsigned rows = 0;
  for (measurement const& row : rx_6900_xt) {
    INFO("gpu-benches-", row.id, ", measured ", row.cycles);
    CHECK(agrees(row, mean(row, library_clocks)));
    ++rows;
  }
  CHECK(rows == 73);
}
TEST_CASE("control: with another number of banks many rows differ") {
  auto const agreeing = [](unsigned tag_banks, unsigned data_banks) {
    unsigned rows = 0;
    for (measurement const& row : rx_6900_xt)
      rows += agrees(row, mean(row, [=](random_access const& made, unsigned bits) {
                       return slow_clocks(made, bits / 8, tag_banks, data_banks);
                     }));
    return rows;
  };
  CHECK(agreeing(4, 32) == 73);
  CHECK(agreeing(2, 32) < 40);
  CHECK(agreeing(8, 32) < 40);
  CHECK(agreeing(4, 16) < 65);
  CHECK(agreeing(4, 64) < 70);
}

// ---- Against the oracle ----

namespace {

template <class Instruction>
unsigned disagreements(unsigned count, unsigned line = 128) {
  unsigned found = 0;
  random_accesses accesses(Instruction::bytes, Instruction::alignment, Instruction::bytes + Instruction::lanes);
  for (unsigned n = 0; n != count; ++n) {
    auto made = accesses.next();
    made.active &= ~std::uint64_t{0} >> (64 - Instruction::lanes);
    auto const cost = co::cost<Instruction>(made.address, made.active);
    std::vector<co::transaction> expected;
    for (unsigned half = 0; half != Instruction::lanes; half += 32) {
      auto part = made;
      part.active &= std::uint64_t{0xffff'ffff} << half;
      for (auto const& [address, lanes] : served_lanes(part, Instruction::bytes, line))
        expected.push_back({address, line, lanes});
    }
    auto const list = co::transactions<Instruction>(made.address, made.active);
    found += cost.transactions != expected.size() || cost.bytes_moved != line * expected.size() ||
             cost.bytes_used != touched_bytes(made, Instruction::bytes).size() ||
             !std::equal(list.begin(), list.end(), expected.begin(), expected.end());
    if constexpr (requires { cost.operations; })
      found += cost.operations != static_cast<unsigned>(__builtin_popcountll(made.active));
    if constexpr (requires { cost.clocks; }) {
      auto high = made;
      for (unsigned lane = 0; lane != 32; ++lane) high.address[lane] = made.address[lane + 32];
      high.active = made.active >> 32;
      found += cost.clocks != slow_clocks(made, Instruction::bytes) +
                                  (Instruction::lanes == 64 ? slow_clocks(high, Instruction::bytes) : 0);
    }
  }
  return found;
}
template <class Chip>
unsigned disagreements_of_all(unsigned count) {
  return disagreements<typename Chip::template global_load<8>>(count) +
         disagreements<typename Chip::template global_load<16>>(count) +
         disagreements<typename Chip::template global_load<32>>(count) +
         disagreements<typename Chip::template global_load<64>>(count) +
         disagreements<typename Chip::template global_load<96>>(count) +
         disagreements<typename Chip::template global_store<128>>(count) +
         disagreements<typename Chip::template global_atomic<32>>(count) +
         disagreements<typename Chip::template global_atomic<64>>(count);
}

}  // namespace

TEST_CASE("global memory agrees with the oracle on 32,000 random accesses, clocks of gfx1030 too") {
  CHECK(disagreements_of_all<gfx1030>(share(1'000)) == 0);
  CHECK(disagreements_of_all<gfx1030::wave64>(share(1'000)) == 0);
  CHECK(disagreements_of_all<gfx1201>(share(1'000)) == 0);
  CHECK(disagreements_of_all<gfx1100::wave64>(share(1'000)) == 0);
}
TEST_CASE("control: lines of 64 bytes are told apart") {
  CHECK(disagreements<gfx1100::global_load<32>>(1'000, 64) > 100);
}
TEST_CASE("shifting every address by the period changes nothing, across the top of the address space too") {
  random_accesses accesses(4, 4, 9);
  unsigned different = 0;
  CHECK(gfx1030::global_load<32>::period == 512);
  for (unsigned n = 0; n != share(3'000); ++n) {
    auto const made = accesses.next();
    auto shifted = made;
    for (auto& address : shifted.address) address += gfx1030::wave64::global_load<32>::period;
    different += co::cost<gfx1030::wave64::global_load<32>>(made.address, made.active) !=
                 co::cost<gfx1030::wave64::global_load<32>>(shifted.address, made.active);
  }
  CHECK(different == 0);
}

#ifdef __cpp_exceptions
TEST_CASE("misaligned accesses are refused: dwords and wider to 4 bytes, atomics and clocked loads naturally") {
  CHECK_THROWS_AS(static_cast<void>(co::cost<gfx1100::global_load<32>>(co::broadcast{B + 2})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<gfx1100::global_store<16>>(co::broadcast{B + 1})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<gfx1100::global_atomic<64>>(co::broadcast{B + 4})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<gfx1030::global_load<64>>(co::broadcast{B + 4})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<gfx1030::s_load<4>>(co::broadcast{B + 2})), co::misuse);
  CHECK_NOTHROW(static_cast<void>(co::cost<gfx1036::global_load<64>>(co::broadcast{B + 4})));
}
TEST_CASE("an access past the top of memory is refused") {
  CHECK_THROWS_AS(static_cast<void>(co::cost<gfx1100::global_load<64>>(co::broadcast{~3ull})), co::misuse);
  CHECK_NOTHROW(static_cast<void>(co::cost<gfx1030::wave64::global_load<32>>(co::broadcast{~3ull})));
}
#endif
