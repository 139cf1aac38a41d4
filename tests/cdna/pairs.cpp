// SPDX-License-Identifier: BSL-1.0
//
// DS_READ2, DS_WRITE2 and their ST64 forms (amd/lds_pairs.hpp).
#include <coalesce/cdna.hpp>
#include <coalesce/compare.hpp>
#include <coalesce/total.hpp>

#include "machinery/check.hpp"
#include "truth/oracle/oracle.hpp"
#include "truth/oracle/refused.hpp"

#include <algorithm>
#include <string>
#include <type_traits>

namespace co = coalescing;
namespace cdna = co::cdna;
using namespace coalescing_tests;
using cdna::gfx90a, cdna::gfx942, cdna::gfx950;

namespace {

constexpr std::uint64_t lane_bits(unsigned first, unsigned second) {
  return std::uint64_t{1} << first | std::uint64_t{1} << second;
}
template <class Instruction>
constexpr co::bank_cost<> strided(std::int64_t stride) {
  return co::cost<Instruction>(co::linear{.stride = stride});
}

}  // namespace

// ---- The figures of the sheet ----

TEST_CASE("4c: gfx942, lane * 16: ds_read2_b64 of offsets 0 and 1 takes 16 rounds, ds_read_b128 takes 8") {
  COALESCE_CHECK(strided<gfx942::ds_read2<64, 0, 1>>(16) ==
                 co::bank_cost<>{.rounds = 16, .conflicts = 8, .phases = 8, .ways = 2});
  COALESCE_CHECK(strided<gfx942::ds_read<128>>(16) ==
                 co::bank_cost<>{.rounds = 8, .conflicts = 0, .phases = 8, .ways = 1});
}
TEST_CASE("4d: gfx942, lane * 8: ds_read2_b32 of offsets 0 and 1 takes 8 rounds, ds_read_b64 takes 4") {
  COALESCE_CHECK(strided<gfx942::ds_read2<32, 0, 1>>(8) ==
                 co::bank_cost<>{.rounds = 8, .conflicts = 4, .phases = 4, .ways = 2});
  COALESCE_CHECK(strided<gfx942::ds_read<64>>(8) ==
                 co::bank_cost<>{.rounds = 4, .conflicts = 0, .phases = 4, .ways = 1});
}
TEST_CASE("contract: 64 elements apart, neighbours read neighbours: free, in 8 rounds") {
  COALESCE_CHECK(strided<gfx942::ds_read2st64<64, 0, 1>>(8) ==
                 co::bank_cost<>{.rounds = 8, .conflicts = 0, .phases = 8, .ways = 1});
  COALESCE_CHECK(co::ideal<gfx942::ds_read2<64, 0, 64>> == strided<gfx942::ds_read2st64<64, 0, 1>>(8));
}
TEST_CASE("SHARK: eight phases, the quarters of the first address and then of the second") {
  constexpr auto list = co::phases<gfx942::ds_read2<64, 0, 3>>(co::linear{.stride = 16});
  COALESCE_CHECK(list.size() == 8);
  COALESCE_CHECK(list[0] == co::bank_phase{.lanes = 0xffff, .rounds = 2, .bank = 0, .colliding = 0x0101});
  COALESCE_CHECK(list[3].lanes == 0xffff'0000'0000'0000);
  // 24 bytes on: lanes 7 and 15 are the the ones that want the lowest banks, 2 and 3.
  COALESCE_CHECK(list[4] == co::bank_phase{.lanes = 0xffff, .rounds = 2, .bank = 2, .colliding = 0x8080});
}
TEST_CASE("ISA4 11.3.1: equal offsets are one access") {
  COALESCE_CHECK(strided<gfx942::ds_read2<64, 7, 7>>(16) == strided<gfx942::ds_read<64>>(16));
  COALESCE_CHECK(strided<gfx942::ds_write2<32, 0, 0>>(8) == strided<gfx942::ds_write<32>>(8));
  COALESCE_CHECK(co::phases<gfx942::ds_read2<64, 7, 7>>(co::linear{.stride = 16}).size() == 4);
  COALESCE_CHECK(co::phases<gfx942::ds_read2<64, 1, 1>>(co::linear{.stride = 128}) ==
                 co::phases<gfx942::ds_read<64>>(co::linear{.base = 8, .stride = 128}));
}
TEST_CASE("the two addresses of a lane, or of two, never meet in a phase") {
  COALESCE_CHECK(strided<gfx942::ds_read2<64, 0, 16>>(8).conflicts == 0);  // 128 bytes apart: the same banks
  COALESCE_CHECK(strided<gfx942::ds_write2st64<32, 0, 1>>(4).conflicts == 0);
}
TEST_CASE("a phase without an active lane takes a round all the same") {
  COALESCE_CHECK(co::cost<gfx942::ds_read2<64, 0, 1>>(co::linear{.stride = 16}, 1) ==
                 co::bank_cost<>{.rounds = 8, .conflicts = 0, .phases = 8, .ways = 1});
}

// ---- What they say of themselves ----

TEST_CASE("what two-address instructions say of themselves") {
  using read = gfx942::ds_read2<64, 2, 5>;
  COALESCE_CHECK(read::lanes == 64);
  COALESCE_CHECK(read::bytes == 8);
  COALESCE_CHECK(read::alignment == 8);
  COALESCE_CHECK(read::period == 128);
  COALESCE_CHECK(read::capacity == 65536);
  COALESCE_CHECK(gfx942::ds_write2<32, 255, 0>::capacity == 65536);
  COALESCE_CHECK(gfx942::ds_read2st64<32, 255, 254>::capacity == 65536);
  COALESCE_CHECK(gfx942::ds_read2st64<64, 0, 127>::capacity == 65536);
  COALESCE_CHECK(read::reach == 5 * 8);
  COALESCE_CHECK(gfx942::ds_write2<32, 255, 0>::reach == 255 * 4);
  COALESCE_CHECK(gfx942::ds_read2st64<32, 255, 254>::reach == 255 * 64 * 4);
  COALESCE_CHECK(gfx942::ds_read2st64<64, 0, 127>::reach == 127 * 512);
}
#ifdef __cpp_exceptions
TEST_CASE("both accesses of a lane end in LDS, which has 65,536 bytes whatever the offsets") {
  using write = gfx942::ds_write2<32, 255, 0>;
  constexpr co::broadcast last{65536 - 4 - 255 * 4}, next{65536 - 255 * 4};
  CHECK_NOTHROW(static_cast<void>(co::cost<write>(last)));
  CHECK(coalescing_tests::refusal([&] { return co::cost<write>(next); }) ==
        "coalesce: lane 0, address 0xfc04: the access runs past the end of this machine's shared memory or LDS, "
        "65536 bytes, offsets of the instruction included");
  constexpr auto row = co::compare(next, co::on<write>())[0];
  COALESCE_CHECK(row.refused == co::refusal::access_runs_past_the_end);
  COALESCE_CHECK(row.refused_by == 65536);
  COALESCE_CHECK(co::compare(last, co::on<write>())[0].refused == co::refusal::none);
  // Over every base: the last of 32 dwords fits at 124 bytes less.
  CHECK_NOTHROW(static_cast<void>(co::worst<write>(co::broadcast{65536 - 4 - 255 * 4 - 124}, co::every_base{4})));
  CHECK_THROWS_AS(static_cast<void>(co::worst<write>(co::broadcast{65536 - 255 * 4 - 124}, co::every_base{4})),
                  co::misuse);
  // Whole launches: the last dword that all threads of a layout touch at their offset.
  constexpr co::layout<1> fits{.base = 65536 - 255 * 4 - 256, .shape = {64}, .stride = {4}};
  constexpr co::layout<1> leaves{.base = 65536 - 255 * 4 - 252, .shape = {64}, .stride = {4}};
  CHECK_NOTHROW(static_cast<void>(co::total<write>(fits)));
  CHECK_THROWS_AS(static_cast<void>(co::total<write>(leaves)), co::misuse);
}
#endif

// ---- Negative addresses, which the offsets bring back into LDS ----

TEST_CASE("LLVM, hasUsableDSOffset: a sum of address and offset wraps, so an address may be negative") {
  using read = gfx942::ds_read2<64, 4, 5>;
  COALESCE_CHECK(read::nearest == 32);
  COALESCE_CHECK(gfx942::ds_write2st64<32, 3, 2>::nearest == 2 * 64 * 4);
  // From byte -32 on, 16 bytes apart: bytes 0 and 8 on. The addresses and offsets of lane * 16 and 0, 1: 16 rounds.
  constexpr co::bank_cost<> known{.rounds = 16, .conflicts = 8, .phases = 8, .ways = 2};
  COALESCE_CHECK(co::cost<read>([](unsigned lane) { return 16 * static_cast<int>(lane) - 32; }) == known);
  COALESCE_CHECK(co::cost<read>([](unsigned lane) { return 16ll * lane - 32; }) == known);
  COALESCE_CHECK(co::cost<read>([](unsigned lane) { return 16 * lane - 32; }) == known);  // 2^32 - 32, in 32 bits
  // Some lanes give the signed number, others the unsigned one: one word, so no lane waits for another.
  COALESCE_CHECK(co::cost<gfx942::ds_write2<32, 8, 9>>([](unsigned lane) {
                   return lane % 2 == 0 ? std::int64_t{-32} : std::int64_t{0xffff'ffe0};
                 }).conflicts == 0);
  constexpr auto list = co::phases<gfx942::ds_read2<64, 4, 7>>([](unsigned lane) { return 16 * lane - 32; }, 0xffff);
  COALESCE_CHECK(list[0] == co::bank_phase{.lanes = 0xffff, .rounds = 2, .bank = 0, .colliding = 0x0101});
  // The lanes before the first active one add nothing.
  COALESCE_CHECK(co::cost<read>([](unsigned lane) { return 16 * lane - 32; }, 0xfffe) ==
                 co::cost<gfx942::ds_read2<64, 0, 1>>(co::linear{.stride = 16}, 0xfffe));
}
TEST_CASE("over every base, the first is the lowest at which no access is below byte 0") {
  constexpr auto moved = [](unsigned lane) { return 8ll * lane - 64; };
  constexpr auto first = co::worst<gfx942::ds_read2<64, 4, 5>>(moved, co::every_base{8});
  COALESCE_CHECK(first.at.rounds == co::point{32});
  COALESCE_CHECK(co::worst<gfx942::ds_read2<64, 8, 9>>(moved, co::every_base{8}).at.rounds == co::point{0});
  COALESCE_CHECK(co::worst<gfx942::ds_read2<64, 0, 9>>(moved, co::every_base{8}).at.rounds == co::point{64});
}
#ifdef __cpp_exceptions
TEST_CASE("an address so low that an access stays below byte 0 is refused, and one past the end") {
  using write = gfx942::ds_write2<32, 255, 8>;  // nearest: 32 bytes
  CHECK_NOTHROW(static_cast<void>(co::cost<write>(co::broadcast{0 - std::uint64_t{32}})));
  CHECK_NOTHROW(static_cast<void>(co::cost<write>(co::broadcast{0xffff'ffe0})));
  std::uint64_t const low = 0 - std::uint64_t{36},
                      others[] = {low,           0xffff'ffdc,           0xffff'fffe, 0 - std::uint64_t{2},
                                  0x1'0000'0000, 0x7fff'ffff'ffff'ffe0, 65536 - 1020};
  for (std::uint64_t const address : others) {
    INFO(address);
    CHECK_THROWS_AS(static_cast<void>(co::cost<write>(co::broadcast{address})), co::misuse);
    CHECK(co::compare(co::broadcast{address}, co::on<write>())[0].refused != co::refusal::none);
  }
  CHECK(co::compare(co::broadcast{low}, co::on<write>())[0].refused == co::refusal::access_runs_past_the_end);
  constexpr auto row = co::compare([](unsigned lane) { return 4 * lane - 32; }, co::on<write>())[0];
  COALESCE_CHECK(row.refused == co::refusal::none);
  COALESCE_CHECK(row.rounds == 4);
  // One address of a lane has no offset to bring it back.
  CHECK_THROWS_AS(static_cast<void>(co::cost<gfx942::ds_write2<32, 255, 0>>(co::broadcast{0 - std::uint64_t{4}})),
                  co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<gfx942::ds_write<32>>(co::broadcast{0 - std::uint64_t{4}})), co::misuse);
}
#endif

TEST_CASE(
    "Triton 9544: 16 rows that are padded by 8 bytes are free of conflicts for gfx950's ds_read2_b64, on 32 banks") {
  // Lane l reads 8 bytes of row l % 16, and the 8 bytes that lie 32 bytes on; four lanes share a row, 8 bytes apart.
  // A row of 128 bytes and its padding; without padding all rows of a quarter wave begin in one bank.
  constexpr auto rows = [](unsigned lane) { return lane % 16 * 136 + lane / 16 * 8; };
  constexpr auto unpadded = [](unsigned lane) { return lane % 16 * 128 + lane / 16 * 8; };
  COALESCE_CHECK(co::cost<gfx950::ds_read2<64, 0, 4>>(rows) ==
                 co::bank_cost<>{.rounds = 8, .conflicts = 0, .phases = 8, .ways = 1});
  COALESCE_CHECK(co::cost<gfx950::ds_read2<64, 0, 4>>(unpadded).rounds == 2 * 4 * 16);
  // As half waves on 64 banks they would conflict: lanes 0 and 31 lie 8 * 256 bytes apart.
  COALESCE_CHECK(co::cost<gfx950::ds_read<64>>(rows).conflicts > 0);
}
TEST_CASE("AMD's guide states the phases of MI300's ds_read2_b64, the others are inferred") {
  using enum co::evidence;
  COALESCE_CHECK(gfx942::ds_read2<64, 0, 1>::sources.rounds.evidence == documented);
  COALESCE_CHECK(gfx942::ds_read2st64<64, 0, 1>::sources.rounds.evidence == inferred);
  COALESCE_CHECK(gfx942::ds_read2<32, 0, 1>::sources.rounds.evidence == inferred);
  COALESCE_CHECK(gfx942::ds_write2<64, 0, 1>::sources.rounds.evidence == inferred);
  COALESCE_CHECK(gfx942::ds_write2st64<32, 0, 1>::sources.rounds.evidence == inferred);
  COALESCE_CHECK(gfx90a::ds_read2<64, 0, 1>::sources.rounds.evidence == inferred);
  COALESCE_CHECK(gfx950::ds_read2<64, 0, 1>::sources.rounds.evidence == inferred);
  COALESCE_CHECK(gfx950::ds_write2<32, 0, 1>::sources.rounds.evidence == inferred);
}

#ifdef __cpp_exceptions
TEST_CASE("both addresses end in LDS; they are aligned as one element is") {
  using read = gfx942::ds_read2<64, 2, 5>;
  CHECK_NOTHROW(static_cast<void>(co::cost<read>(co::broadcast{65536 - 48})));
  CHECK_THROWS_AS(static_cast<void>(co::cost<read>(co::broadcast{65536 - 40})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<gfx942::ds_read2<64, 5, 2>>(co::broadcast{65536 - 40})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<read>(co::linear{.base = 480, .stride = -8})),
                  co::misuse);  // lane 63: -24
  CHECK_NOTHROW(static_cast<void>(co::cost<read>(co::broadcast{8})));
  CHECK_THROWS_AS(static_cast<void>(co::cost<read>(co::broadcast{4})), co::misuse);
  CHECK_NOTHROW(static_cast<void>(co::cost<gfx942::ds_write2<32, 0, 1>>(co::broadcast{4})));
  CHECK_THROWS_AS(static_cast<void>(co::cost<gfx942::ds_write2<32, 0, 1>>(co::broadcast{2})), co::misuse);
}
#endif

// ---- Against the oracle ----

namespace {

using namespace lds_phases;

/// Row by row: check(instruction, its name, the phases of one address, bytes from the address to each access).
template <class Check>
void every_form(Check check) {
  using std::type_identity;
  check(type_identity<gfx942::ds_read2<64, 0, 1>>{}, "ds_read2_b64 0 1", quarters, 0u, 8u);
  check(type_identity<gfx942::ds_read2<64, 255, 3>>{}, "ds_read2_b64 255 3", quarters, 2040u, 24u);
  check(type_identity<gfx942::ds_read2<32, 0, 1>>{}, "ds_read2_b32 0 1", halves, 0u, 4u);
  check(type_identity<gfx942::ds_read2<32, 17, 200>>{}, "ds_read2_b32 17 200", halves, 68u, 800u);
  check(type_identity<gfx942::ds_read2st64<64, 1, 100>>{}, "ds_read2st64_b64 1 100", quarters, 512u, 51200u);
  check(type_identity<gfx942::ds_read2st64<32, 9, 0>>{}, "ds_read2st64_b32 9 0", halves, 2304u, 0u);
  check(type_identity<gfx942::ds_write2<64, 5, 6>>{}, "ds_write2_b64 5 6", quarters, 40u, 48u);
  check(type_identity<gfx942::ds_write2<32, 31, 0>>{}, "ds_write2_b32 31 0", halves, 124u, 0u);
  check(type_identity<gfx942::ds_write2st64<64, 3, 2>>{}, "ds_write2st64_b64 3 2", quarters, 1536u, 1024u);
  check(type_identity<gfx942::ds_write2st64<32, 0, 200>>{}, "ds_write2st64_b32 0 200", halves, 0u, 51200u);
  check(type_identity<gfx90a::ds_read2<64, 7, 250>>{}, "gfx90a ds_read2_b64 7 250", quarters, 56u, 2000u);
  check(type_identity<gfx90a::ds_read2st64<32, 1, 0>>{}, "gfx90a ds_read2st64_b32 1 0", halves, 256u, 0u);
  check(type_identity<gfx90a::ds_write2st64<64, 0, 1>>{}, "gfx90a ds_write2st64_b64 0 1", quarters, 0u, 512u);
  check(type_identity<gfx90a::ds_write2<32, 0, 33>>{}, "gfx90a ds_write2_b32 0 33", halves, 0u, 132u);
  check(type_identity<gfx950::ds_read2<64, 0, 4>>{}, "gfx950 ds_read2_b64 0 4", quarters, 0u, 32u);
  check(type_identity<gfx950::ds_read2st64<64, 2, 1>>{}, "gfx950 ds_read2st64_b64 2 1", quarters, 1024u, 512u);
  check(type_identity<gfx950::ds_read2<32, 40, 9>>{}, "gfx950 ds_read2_b32 40 9", halves, 160u, 36u);
  check(type_identity<gfx950::ds_write2<64, 0, 17>>{}, "gfx950 ds_write2_b64 0 17", quarters, 0u, 136u);
  check(type_identity<gfx950::ds_write2st64<32, 0, 200>>{}, "gfx950 ds_write2st64_b32 0 200", halves, 0u, 51200u);
}

random_access moved(random_access access, unsigned offset) {
  for (auto& address : access.address) address += offset;
  return access;
}

/// Some of the phases of a list.
template <class List>
struct part_of_list {
  List const& list;
  std::uint64_t first, count;
  [[nodiscard]] std::uint64_t size() const { return count; }
  co::bank_phase operator[](std::uint64_t k) const { return list[first + k]; }
};

template <class Instruction>
unsigned disagreements(std::string const& phases, unsigned offset0, unsigned offset1, unsigned count,
                       unsigned enough = ~0u) {
  auto const lists = lane_lists(phases);
  unsigned found = 0;
  random_accesses accesses(Instruction::bytes, Instruction::alignment, offset0 + 1, 65536 - std::max(offset0, offset1));
  for (unsigned n = 0; n != count && found != enough; ++n) {
    auto const made = accesses.next();
    auto const first = moved(made, offset0), second = moved(made, offset1);
    lds_rounds const rounds0(first, Instruction::bytes, lists, 32), rounds1(second, Instruction::bytes, lists, 32);
    co::bank_cost<> const expected{.rounds = rounds0.sum + rounds1.sum,
                                   .conflicts = rounds0.sum + rounds1.sum - 2 * rounds0.phases,
                                   .phases = 2 * rounds0.phases,
                                   .ways = std::max(rounds0.worst, rounds1.worst)};
    auto const list = co::phases<Instruction>(made.address, made.active);
    using part = part_of_list<decltype(list)>;
    found += co::cost<Instruction>(made.address, made.active) != expected || list.size() != 2 * rounds0.phases ||
             !lists_phases(part{list, 0, rounds0.phases}, with_a_round, first, Instruction::bytes, lists, 32, 4) ||
             !lists_phases(part{list, rounds0.phases, rounds0.phases}, with_a_round, second, Instruction::bytes, lists,
                           32, 4);
  }
  return found;
}

/// Pairs of lanes that want different words of one bank at both addresses, and do not conflict twice where one phase
/// has both, or conflict at all where none has.
template <class Instruction>
unsigned wrong_pairs(std::string const& phases) {
  auto const lists = lane_lists(phases);
  std::size_t phase_of[64] = {};
  for (std::size_t phase = 0; phase != lists.size(); ++phase)
    for (unsigned const lane : lists[phase]) phase_of[lane] = phase;
  unsigned wrong = 0;
  for (unsigned first = 0; first != 64; ++first)
    for (unsigned second = first + 1; second != 64; ++second) {
      auto const cost =
          co::cost<Instruction>([=](unsigned lane) { return lane == first ? 0 : 128; }, lane_bits(first, second));
      unsigned const expected = phase_of[first] == phase_of[second] ? 2 : 0;
      wrong += cost.conflicts != expected || cost.rounds != 2 * lists.size() + expected;
    }
  return wrong;
}

}  // namespace

TEST_CASE("two lanes on different words of one bank conflict, twice, exactly when one phase serves both: all pairs") {
  every_form([](auto instruction, char const* name, std::string const& phases, unsigned, unsigned) {
    INFO(name);
    CHECK(wrong_pairs<typename decltype(instruction)::type>(phases) == 0);
  });
  // Controls.
  CHECK(wrong_pairs<gfx942::ds_read2<64, 0, 1>>(halves) > 0);
  CHECK(wrong_pairs<gfx942::ds_read2<64, 0, 1>>(eighths) > 0);
  CHECK(wrong_pairs<gfx942::ds_read2<32, 0, 1>>(quarters) > 0);
}
TEST_CASE("two-address instructions agree with the oracle, address by address, on 38,000 random accesses") {
  every_form([](auto instruction, char const* name, std::string const& phases, unsigned offset0, unsigned offset1) {
    INFO(name);
    CHECK(disagreements<typename decltype(instruction)::type>(phases, offset0, offset1, share(2'000)) == 0);
  });
}
namespace {

/// Random accesses whose addresses lie `below` bytes lower than in LDS, by signed or unsigned numbers of 32 bits, asked
/// with offsets that bring them back: the answers must be those of the oracle on the places in LDS. Counts both those
/// that differ and the negative addresses.
template <class Instruction>
void ask_from_below(std::string const& phases, unsigned offset0, unsigned offset1, unsigned count, unsigned& differ,
                    unsigned& negative) {
  auto const lists = lane_lists(phases);
  unsigned const nearest = std::min(offset0, offset1);
  random_accesses accesses(Instruction::bytes, Instruction::alignment, offset1 + 7,
                           65536 - std::max(offset0, offset1) + nearest);
  for (unsigned n = 0; n != count; ++n) {
    auto made = accesses.next();
    lds_rounds const rounds0(moved(made, offset0 - nearest), Instruction::bytes, lists, 32),
        rounds1(moved(made, offset1 - nearest), Instruction::bytes, lists, 32);
    for (unsigned lane = 0; lane != 64; ++lane) {
      made.address[lane] -= nearest;
      if (made.address[lane] >> 63 == 0) continue;
      ++negative;
      if ((n + lane % 2) % 3 == 0) made.address[lane] &= 0xffff'ffff;
    }
    auto const cost = co::cost<Instruction>(made.address, made.active);
    differ += cost.rounds != rounds0.sum + rounds1.sum || cost.ways != std::max(rounds0.worst, rounds1.worst);
  }
}

}  // namespace

TEST_CASE("addresses below byte 0 cost what their places in LDS cost, on 6,000 random accesses") {
  unsigned differ = 0, negative = 0;
  ask_from_below<gfx942::ds_read2<64, 255, 31>>(quarters, 2040, 248, share(2'000), differ, negative);
  ask_from_below<gfx942::ds_write2<32, 100, 255>>(halves, 400, 1020, share(2'000), differ, negative);
  ask_from_below<gfx942::ds_read2st64<64, 90, 100>>(quarters, 46080, 51200, share(2'000), differ, negative);
  CHECK(differ == 0);
  CHECK(negative > 1'000 / COALESCE_TEST_SHARE);
  unsigned wrong = 0;  // a control
  ask_from_below<gfx942::ds_read2st64<64, 90, 100>>(halves, 46080, 51200, 200, wrong, negative);
  CHECK(wrong != 0);
}
TEST_CASE("control: the oracle tells other phases, and in the lists other offsets") {
  every_form([](auto instruction, char const* name, std::string const& phases, unsigned offset0, unsigned offset1) {
    using asked = typename decltype(instruction)::type;
    INFO(name);
    for (auto const& other : {halves, quarters, eighths, crossed})
      if (other != phases) CHECK(disagreements<asked>(other, offset0, offset1, 1'000, 1) == 1);
    CHECK(disagreements<asked>(phases, offset0 + 4, offset1, 1'000, 1) == 1);
    CHECK(disagreements<asked>(phases, offset0, offset1 + 4, 1'000, 1) == 1);
    if (offset0 % 128 != offset1 % 128) CHECK(disagreements<asked>(phases, offset1, offset0, 1'000, 1) == 1);
  });
}
TEST_CASE("by the rule: two addresses cost what two instructions do, on 8,000 random accesses") {
  random_accesses accesses(8, 8, 3, 65536 - 40 * 8);
  unsigned different = 0;
  for (unsigned n = 0; n != share(8'000); ++n) {
    auto const made = accesses.next();
    different += co::cost<gfx942::ds_read2<64, 9, 40>>(made.address, made.active) !=
                 co::cost<gfx942::ds_read<64>>(moved(made, 9 * 8).address, made.active) +
                     co::cost<gfx942::ds_read<64>>(moved(made, 40 * 8).address, made.active);
  }
  CHECK(different == 0);
}
