// SPDX-License-Identifier: BSL-1.0
#include <coalesce/rdna.hpp>
#include <coalesce/total.hpp>

#include "amd/lds.hpp"
#include "machinery/check.hpp"
#include "truth/oracle/oracle.hpp"

#include <string>
#include <type_traits>

namespace co = coalescing;
namespace rdna = co::rdna;
using namespace coalescing_tests;
using rdna::gfx1010, rdna::gfx1030, rdna::gfx1036, rdna::gfx1100, rdna::gfx1102, rdna::gfx1151, rdna::gfx1200,
    rdna::gfx1201;

namespace {

template <class Instruction>
constexpr co::bank_cost<> strided(std::int64_t stride) {
  return co::cost<Instruction>(co::linear{.stride = stride});
}
template <class Instruction>
struct row {
  using type = Instruction;
};

/// Every instruction of the sheet's table of phases, with its masks as the sources print them (lds_phases_rdna.csv);
/// b16 loads are ds_load_u16.
template <class Function>
void every_row(Function const& of) {
  of(row<gfx1100::ds_load<16>>{}, "ffffffff");
  of(row<gfx1100::ds_load<32>>{}, "ffffffff");
  of(row<gfx1100::ds_load<64>>{}, "0000ffff ffff0000");
  of(row<gfx1100::ds_store<16>>{}, "ffffffff");
  of(row<gfx1100::ds_store<32>>{}, "ffffffff");
  of(row<gfx1100::ds_store<64>>{}, "0000ffff ffff0000");
  of(row<gfx1100::ds_load<128>>{}, "00f0000f 000f00f0 f0000f00 0f00f000");
  of(row<gfx1100::ds_store<128>>{}, "000000ff 0000ff00 00ff0000 ff000000");
  of(row<gfx1100::wave64::ds_load<16>>{}, "00000000ffffffff ffffffff00000000");
  of(row<gfx1100::wave64::ds_load<32>>{}, "00000000ffffffff ffffffff00000000");
  of(row<gfx1100::wave64::ds_load<64>>{}, "000000000000ffff 00000000ffff0000 0000ffff00000000 ffff000000000000");
  of(row<gfx1100::wave64::ds_store<16>>{}, "00000000ffffffff ffffffff00000000");
  of(row<gfx1100::wave64::ds_store<32>>{}, "00000000ffffffff ffffffff00000000");
  of(row<gfx1100::wave64::ds_store<64>>{}, "000000000000ffff 00000000ffff0000 0000ffff00000000 ffff000000000000");
  of(row<gfx1100::wave64::ds_load<128>>{},
     "0000000000f0000f 00000000000f00f0 00000000f0000f00 000000000f00f000 00f0000f00000000 000f00f000000000 "
     "f0000f0000000000 0f00f00000000000");
  of(row<gfx1100::wave64::ds_store<128>>{},
     "00000000000000ff 000000000000ff00 0000000000ff0000 00000000ff000000 000000ff00000000 0000ff0000000000 "
     "00ff000000000000 ff00000000000000");
  of(row<gfx1151::ds_load<16>>{}, "ffffffff");
  of(row<gfx1151::ds_load<32>>{}, "ffffffff");
  of(row<gfx1151::ds_load<64>>{}, "0000ffff ffff0000");
  of(row<gfx1151::ds_store<16>>{}, "ffffffff");
  of(row<gfx1151::ds_store<32>>{}, "ffffffff");
  of(row<gfx1151::ds_store<64>>{}, "0000ffff ffff0000");
  of(row<gfx1151::ds_load<128>>{}, "00f0000f 000f00f0 f0000f00 0f00f000");
  of(row<gfx1151::ds_store<128>>{}, "000000ff 0000ff00 00ff0000 ff000000");
  of(row<gfx1151::wave64::ds_load<16>>{}, "00000000ffffffff ffffffff00000000");
  of(row<gfx1151::wave64::ds_load<32>>{}, "00000000ffffffff ffffffff00000000");
  of(row<gfx1151::wave64::ds_load<64>>{}, "000000000000ffff 00000000ffff0000 0000ffff00000000 ffff000000000000");
  of(row<gfx1151::wave64::ds_store<16>>{}, "00000000ffffffff ffffffff00000000");
  of(row<gfx1151::wave64::ds_store<32>>{}, "00000000ffffffff ffffffff00000000");
  of(row<gfx1151::wave64::ds_store<64>>{}, "000000000000ffff 00000000ffff0000 0000ffff00000000 ffff000000000000");
  of(row<gfx1151::wave64::ds_load<128>>{},
     "0000000000f0000f 00000000000f00f0 00000000f0000f00 000000000f00f000 00f0000f00000000 000f00f000000000 "
     "f0000f0000000000 0f00f00000000000");
  of(row<gfx1151::wave64::ds_store<128>>{},
     "00000000000000ff 000000000000ff00 0000000000ff0000 00000000ff000000 000000ff00000000 0000ff0000000000 "
     "00ff000000000000 ff00000000000000");
  of(row<gfx1201::ds_load<32>>{}, "ffffffff");
  of(row<gfx1201::ds_load<64>>{}, "0000ffff ffff0000");
  of(row<gfx1201::ds_load<128>>{}, "000000ff 0000ff00 00ff0000 ff000000");
}
/// The rows that are inferred from those.
template <class Function>
void every_inferred_row(Function const& of) {
  char const *all = "ffffffff", *halves = "0000ffff ffff0000", *both = "00000000ffffffff ffffffff00000000",
             *quarters = "000000000000ffff 00000000ffff0000 0000ffff00000000 ffff000000000000";
  of(row<gfx1100::ds_load<8>>{}, all), of(row<gfx1151::wave64::ds_load<8>>{}, both);
  of(row<gfx1201::ds_load<8>>{}, all), of(row<gfx1201::ds_load<16>>{}, all);
  of(row<gfx1201::wave64::ds_load<32>>{}, both), of(row<gfx1201::wave64::ds_load<64>>{}, quarters);
  of(row<gfx1201::wave64::ds_load<128>>{},
     "00000000000000ff 000000000000ff00 0000000000ff0000 00000000ff000000 000000ff00000000 0000ff0000000000 "
     "00ff000000000000 ff00000000000000");
  of(row<gfx1010::ds_load<32>>{}, all), of(row<gfx1010::ds_load<64>>{}, halves);
  of(row<gfx1030::ds_load<8>>{}, all), of(row<gfx1030::ds_load<64>>{}, halves);
  of(row<gfx1030::wave64::ds_load<16>>{}, both), of(row<gfx1102::wave64::ds_load<64>>{}, quarters);
  of(row<gfx1200::ds_load<32>>{}, all), of(row<gfx1200::ds_load<64>>{}, halves);
  char const *crossed = "00f0000f 000f00f0 f0000f00 0f00f000", *in_order = "000000ff 0000ff00 00ff0000 ff000000";
  of(row<gfx1030::ds_load<128>>{}, crossed), of(row<gfx1030::ds_load<96>>{}, crossed);
  of(row<gfx1036::ds_load<128>>{}, crossed), of(row<gfx1102::ds_load<128>>{}, crossed);
  of(row<gfx1100::ds_load<96>>{}, crossed), of(row<gfx1200::ds_load<128>>{}, in_order);
  of(row<gfx1200::ds_load<96>>{}, in_order), of(row<gfx1201::ds_load<96>>{}, in_order);
  of(row<gfx1010::ds_store<32>>{}, all), of(row<gfx1030::ds_store<32>>{}, all);
  of(row<gfx1030::ds_store<64>>{}, halves), of(row<gfx1030::wave64::ds_store<32>>{}, both);
  of(row<gfx1102::ds_store<8>>{}, all), of(row<gfx1201::ds_store<16>>{}, all);
  of(row<gfx1201::ds_store<32>>{}, all), of(row<gfx1201::ds_store<64>>{}, halves);
  of(row<gfx1201::ds_store<128>>{}, in_order), of(row<gfx1200::wave64::ds_store<64>>{}, quarters);
}

/// "0000ffff ffff0000" as lists of lanes.
std::vector<std::vector<unsigned>> lanes_of_masks(std::string const& text) {
  std::vector<std::vector<unsigned>> lists;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t const end = std::min(text.find(' ', at), text.size());
    std::vector<unsigned> list;
    for (std::size_t digit = at; digit != end; ++digit) {
      unsigned const value = static_cast<unsigned>(std::stoul(text.substr(digit, 1), nullptr, 16));
      for (unsigned bit = 0; bit != 4; ++bit)
        if ((value >> bit) % 2 == 1) list.push_back(static_cast<unsigned>(end - digit - 1) * 4 + bit);
    }
    std::sort(list.begin(), list.end());
    lists.push_back(list), at = end + 1;
  }
  return lists;
}
template <class Instruction>
constexpr std::uint64_t its_lanes = ~std::uint64_t{0} >> (64 - Instruction::lanes);

/// How many of `count` random accesses the oracle answers differently; stops after `enough`.
template <class Instruction>
unsigned disagreements(std::string const& masks, unsigned banks, unsigned count, unsigned enough = ~0u) {
  auto const lists = lanes_of_masks(masks);
  unsigned found = 0;
  random_accesses accesses(Instruction::bytes, Instruction::alignment, Instruction::bytes, Instruction::capacity);
  for (unsigned n = 0; n != count && found != enough; ++n) {
    auto made = accesses.next();
    made.active &= its_lanes<Instruction>;
    found += !lds_agrees<Instruction>(made, lists, banks);
  }
  return found;
}
/// Counts pairs of lanes that want different dwords of one bank and are answered wrongly: they conflict although no
/// phase has both, or they do not although a phase has both.
template <class Instruction>
unsigned wrong_pairs(std::string const& masks) {
  auto const lists = lanes_of_masks(masks);
  std::vector<std::size_t> phase_of(Instruction::lanes);
  for (std::size_t phase = 0; phase != lists.size(); ++phase)
    for (unsigned const lane : lists[phase]) phase_of[lane] = phase;
  unsigned wrong = 0;
  for (unsigned first = 0; first != Instruction::lanes; ++first)
    for (unsigned second = first + 1; second != Instruction::lanes; ++second) {
      auto const cost = co::cost<Instruction>([=](unsigned lane) { return lane == second ? 128 : 0; },
                                              std::uint64_t{1} << first | std::uint64_t{1} << second);
      wrong += cost.conflicts != (phase_of[first] == phase_of[second] ? 1u : 0u);
    }
  return wrong;
}

}  // namespace

// ---- The examples of the facts ----

TEST_CASE("LOOM, SHARK: 16 bytes a lane in order are 4 rounds on gfx1100 and gfx1201, 8 in a wave64") {
  COALESCE_CHECK(strided<gfx1100::ds_load<128>>(16) ==
                 co::bank_cost<>{.rounds = 4, .conflicts = 0, .phases = 4, .ways = 1});
  COALESCE_CHECK(strided<gfx1201::ds_load<128>>(16).rounds == 4);
  COALESCE_CHECK(strided<gfx1100::wave64::ds_load<128>>(16).rounds == 8);
  COALESCE_CHECK(strided<gfx1100::ds_store<128>>(16).rounds == 4);
}
TEST_CASE("LOOM, SHARK: lanes 0 and 20 share a phase on gfx1100, and not on gfx1201") {
  constexpr auto pair = [](unsigned lane) { return lane == 20 ? 128 : lane == 0 ? 0 : 16; };
  COALESCE_CHECK(co::cost<gfx1100::ds_load<128>>(pair).rounds == 5);
  COALESCE_CHECK(co::cost<gfx1201::ds_load<128>>(pair).rounds == 4);
}
TEST_CASE("Triton 11365: lanes 0 and 20 of 96 and 128 bits go together from RDNA 2 to RDNA 3.5; RDNA 4 takes 0 to 7") {
  constexpr auto far = [](unsigned lane) { return lane == 20 ? 128 : lane == 0 ? 0 : 16; };
  constexpr auto near = [](unsigned lane) { return lane == 5 ? 128 : lane == 0 ? 0 : 16; };
  COALESCE_CHECK(co::cost<gfx1030::ds_load<128>>(far).rounds == 5);
  COALESCE_CHECK(co::cost<gfx1030::ds_load<128>>(near).rounds == 4);
  COALESCE_CHECK(co::cost<gfx1030::ds_load<96>>(far).rounds == 5);
  COALESCE_CHECK(co::cost<gfx1102::ds_load<96>>(near).rounds == 4);
  COALESCE_CHECK(co::cost<gfx1200::ds_load<128>>(far).rounds == 4);
  COALESCE_CHECK(co::cost<gfx1200::ds_load<128>>(near).rounds == 5);
  COALESCE_CHECK(co::cost<gfx1201::ds_load<96>>(near).rounds == 5);
  COALESCE_CHECK(co::cost<gfx1201::wave64::ds_load<96>>(far).rounds == 8);
}
TEST_CASE("ISA2, ISA3 12.1: 32 stores of 32 bits at a time, a dword of each bank") {
  COALESCE_CHECK(strided<gfx1030::ds_store<32>>(4).rounds == 1);
  COALESCE_CHECK(strided<gfx1030::ds_store<32>>(8).rounds == 2);
  COALESCE_CHECK(strided<gfx1102::ds_store<32>>(128).rounds == 32);
  COALESCE_CHECK(strided<gfx1201::ds_store<32>>(132).conflicts == 0);
  COALESCE_CHECK(strided<gfx1201::ds_store<128>>(16).rounds == 4);
}
TEST_CASE("32 banks: 8 bytes a lane are 2 rounds, of dwords 8 apart too; dwords 128 apart 32") {
  COALESCE_CHECK(strided<gfx1100::ds_load<64>>(8).rounds == 2);
  COALESCE_CHECK(strided<gfx1201::ds_load<32>>(8).rounds == 2);
  COALESCE_CHECK(strided<gfx1201::ds_load<32>>(128).ways == 32);
  COALESCE_CHECK(strided<gfx1030::ds_load<32>>(128).rounds == 32);
  COALESCE_CHECK(strided<gfx1030::wave64::ds_load<32>>(128).rounds == 64);
}
TEST_CASE("LOOM: halves of a dword that two lanes store are one request, as bytes that they load are") {
  COALESCE_CHECK(strided<gfx1151::ds_store<16>>(2).rounds == 1);
  COALESCE_CHECK(strided<gfx1100::ds_load<8>>(1).rounds == 1);
  COALESCE_CHECK(co::cost<gfx1100::ds_load<32>>(co::broadcast{64}).rounds == 1);
}
TEST_CASE("a phase without an active lane takes a round: taken over from GCN and CDNA") {
  COALESCE_CHECK(co::cost<gfx1100::ds_load<128>>(co::linear{.stride = 128}, 1).rounds == 4);
  COALESCE_CHECK(co::cost<gfx1100::wave64::ds_load<32>>(co::linear{.stride = 128}, 1).rounds == 2);
}
TEST_CASE("phases are listed with the lanes that collide") {
  constexpr auto list = co::phases<gfx1100::ds_load<128>>(co::linear{.stride = 128});
  COALESCE_CHECK(list.size() == 4);
  COALESCE_CHECK(list[0] == co::bank_phase{.lanes = 0xf0'000f, .rounds = 8, .bank = 0, .colliding = 0xf0'000f});
}
TEST_CASE("totals: 32 columns of a tile of 32 x 32 floats, each 32 rounds; of 33 floats a row, one") {
  constexpr auto column = [](unsigned lane, unsigned step) { return lane * 128 + step * 4; };
  constexpr auto padded = [](unsigned lane, unsigned step) { return lane * 132 + step * 4; };
  COALESCE_CHECK(co::total<gfx1201::ds_load<32>>(column, co::domain{32}).rounds == 32 * 32);
  COALESCE_CHECK(co::worst<gfx1201::ds_load<32>>(padded, co::domain{32}).cost.rounds == 1);
}

// ---- How it is known ----

TEST_CASE("what was measured on a chip says so, all else is inferred, and an idle phase assumed") {
  using enum co::evidence;
  COALESCE_CHECK(gfx1100::ds_load<32>::sources.rounds.evidence == measured);  // amd-shark-ai, on W7900
  COALESCE_CHECK(gfx1100::ds_load<64>::sources.rounds.evidence == measured);
  COALESCE_CHECK(gfx1100::ds_load<128>::sources.rounds.evidence == measured);
  // Loom ran these, and prints no figure.
  COALESCE_CHECK(gfx1100::ds_load<16>::sources.rounds.evidence == inferred);
  COALESCE_CHECK(gfx1100::wave64::ds_load<128>::sources.rounds.evidence == inferred);
  COALESCE_CHECK(gfx1100::ds_store<32>::sources.rounds.evidence == documented);  // ISA3 12.1, of dwords alone
  COALESCE_CHECK(gfx1100::ds_store<16>::sources.rounds.evidence == inferred);
  COALESCE_CHECK(gfx1151::ds_store<32>::sources.rounds.evidence == inferred);
  COALESCE_CHECK(gfx1030::ds_store<32>::sources.rounds.evidence == documented);
  COALESCE_CHECK(gfx1201::ds_store<32>::sources.rounds.evidence == inferred);
  COALESCE_CHECK(gfx1200::ds_load<128>::sources.rounds.evidence == documented);
  COALESCE_CHECK(gfx1030::ds_load<128>::sources.rounds.evidence == inferred);
  COALESCE_CHECK(gfx1100::ds_load<96>::sources.rounds.evidence == inferred);
  COALESCE_CHECK(gfx1151::ds_load<128>::sources.rounds.evidence == inferred);
  COALESCE_CHECK(gfx1151::wave64::ds_store<16>::sources.rounds.evidence == inferred);
  COALESCE_CHECK(gfx1201::ds_load<32>::sources.rounds.evidence == measured);
  COALESCE_CHECK(gfx1201::ds_load<16>::sources.rounds.evidence == inferred);
  COALESCE_CHECK(gfx1201::wave64::ds_load<32>::sources.rounds.evidence == inferred);
  COALESCE_CHECK(gfx1100::ds_load<8>::sources.rounds.evidence == inferred);
  COALESCE_CHECK(gfx1030::ds_load<32>::sources.rounds.evidence == documented);
  COALESCE_CHECK(gfx1036::ds_load<32>::sources.rounds.evidence == documented);
  COALESCE_CHECK(gfx1030::ds_load<64>::sources.rounds.evidence == inferred);
  COALESCE_CHECK(gfx1030::wave64::ds_load<32>::sources.rounds.evidence == inferred);
  COALESCE_CHECK(gfx1010::ds_load<32>::sources.rounds.evidence == inferred);
  COALESCE_CHECK(gfx1102::ds_load<64>::sources.rounds.evidence == inferred);
  auto const assumes_of_an_idle_phase = [](auto instruction, char const*) {
    std::string const assumes = decltype(instruction)::type::sources.rounds.assumes;
    CHECK(assumes.find("takes a round") != assumes.npos);
  };
  every_row(assumes_of_an_idle_phase), every_inferred_row(assumes_of_an_idle_phase);
  CHECK(std::string(gfx1100::ds_store<32>::sources.rounds.assumes).find("store to one dword") != std::string::npos);
}
TEST_CASE("what is inferred twice says both: another chip, its bytes, its wave64") {
  auto const assumes = [](auto instruction, char const* words) {
    std::string const all = decltype(instruction)::type::sources.rounds.assumes;
    return all.find(words) != all.npos;
  };
  char const *chips = "as on gfx1100 and gfx1151", *halves = "a wave64 is two such halves",
             *bytes = "as ds_load_u16 on gfx1100 and gfx1151";
  CHECK(assumes(row<gfx1200::ds_load<32>>{}, chips));
  CHECK(assumes(row<gfx1201::ds_load<16>>{}, chips));
  CHECK(assumes(row<gfx1200::wave64::ds_load<32>>{}, chips));
  CHECK(assumes(row<gfx1200::wave64::ds_load<32>>{}, halves));
  CHECK(assumes(row<gfx1030::wave64::ds_load<64>>{}, chips));
  CHECK(assumes(row<gfx1030::ds_load<8>>{}, bytes));
  CHECK(assumes(row<gfx1200::wave64::ds_load<8>>{}, bytes));
  CHECK(assumes(row<gfx1200::wave64::ds_load<8>>{}, halves));
  CHECK(assumes(row<gfx1100::ds_load<8>>{}, bytes));
  // Phases that were measured or documented on the chip itself are taken over from no other chip. Neither are those
  // that loom ran, its wave64 included.
  CHECK(!assumes(row<gfx1100::wave64::ds_load<128>>{}, chips));
  CHECK(assumes(row<gfx1100::wave64::ds_load<128>>{}, halves));
  CHECK(!assumes(row<gfx1151::ds_load<128>>{}, chips));
  CHECK(!assumes(row<gfx1201::wave64::ds_load<128>>{}, chips));
  CHECK(assumes(row<gfx1201::wave64::ds_load<128>>{}, halves));
  CHECK(!assumes(row<gfx1030::wave64::ds_load<32>>{}, chips));
  CHECK(!assumes(row<gfx1151::wave64::ds_load<32>>{}, halves));
}
TEST_CASE("what LDS instructions say of themselves") {
  COALESCE_CHECK(gfx1100::ds_load<32>::lanes == 32);
  COALESCE_CHECK(gfx1100::wave64::ds_load<32>::lanes == 64);
  COALESCE_CHECK(gfx1100::ds_load<128>::capacity == 65536);
  COALESCE_CHECK(gfx1100::ds_load<128>::period == 128);
  COALESCE_CHECK(gfx1100::ds_load<128>::level == co::level::lds);
}

// ---- Measured orderings ----

namespace {

/// truth/measured/measured_orderings.csv: ord-<id>, bits, bytes from lane to lane, clocks of 64 reads.
struct latency {
  unsigned id, bits, stride;
  double clocks;
};
constexpr latency w7900[] = {
    {29, 32, 4, 38.542},    {30, 32, 8, 38.971},    {31, 32, 16, 41.535},    {32, 32, 32, 49.516},
    {33, 32, 64, 68.829},   {34, 32, 128, 119.232}, {35, 32, 256, 118.953},  {36, 32, 512, 119.898},
    {37, 64, 8, 45.415},    {38, 64, 16, 47.146},   {39, 64, 32, 55.371},    {40, 64, 64, 74.461},
    {41, 64, 128, 129.932}, {42, 64, 256, 128.193}, {43, 64, 512, 129.466},  {44, 128, 16, 58.971},
    {45, 128, 32, 66.187},  {46, 128, 64, 88.664},  {47, 128, 128, 162.551}, {48, 128, 256, 156.674},
    {49, 128, 512, 158.89},
};
constexpr latency rx_9070_xt[] = {
    {50, 32, 4, 692.318},     {51, 32, 8, 708.72},     {52, 32, 16, 840.545},    {53, 32, 32, 977.425},
    {54, 32, 64, 1531.946},   {55, 32, 128, 2896.937}, {56, 32, 256, 2927.956},  {57, 32, 512, 2904.402},
    {58, 64, 8, 787.12},      {59, 64, 16, 888.074},   {60, 64, 32, 1045.397},   {61, 64, 64, 1551.998},
    {62, 64, 128, 3096.335},  {63, 64, 256, 3088.239}, {64, 64, 512, 3080.073},  {65, 128, 16, 1021.298},
    {66, 128, 32, 1139.164},  {67, 128, 64, 1675.162}, {68, 128, 128, 3441.533}, {69, 128, 256, 3495.983},
    {70, 128, 512, 3498.177},
};

struct outcome {
  unsigned pairs = 0, violations = 0;
};
/// Compares pairs of equal width. The one with fewer rounds must not take longer, apart from 2 % of noise.
template <std::size_t Count, class Rounds>
outcome compare(latency const (&rows)[Count], Rounds const& rounds) {
  outcome found;
  for (latency const& a : rows)
    for (latency const& b : rows)
      if (a.bits == b.bits && rounds(a) < rounds(b)) {
        INFO("ord-", a.id, " and ord-", b.id);
        ++found.pairs, found.violations += a.clocks > b.clocks * 1.02;
      }
  return found;
}
template <class Chip>
std::uint64_t rounds_on(latency const& of) {
  return of.bits == 32   ? strided<typename Chip::template ds_load<32>>(of.stride).rounds
         : of.bits == 64 ? strided<typename Chip::template ds_load<64>>(of.stride).rounds
                         : strided<typename Chip::template ds_load<128>>(of.stride).rounds;
}

}  // namespace

TEST_CASE(
    "SHARK on W7900 and RX 9070 XT: of 110 pairs that differ in rounds (18 do not), none with fewer takes longer") {
  auto const of_w7900 = compare(w7900, rounds_on<gfx1100>), of_rx_9070_xt = compare(rx_9070_xt, rounds_on<gfx1201>);
  CHECK(of_w7900.violations == 0);
  CHECK(of_rx_9070_xt.violations == 0);
  CHECK(of_w7900.pairs + of_rx_9070_xt.pairs == 110);
}
TEST_CASE("control: rounds that fall where the stride grows violate the order") {
  CHECK(compare(w7900, [](latency const& of) { return 512 / of.stride; }).violations > 30);
}
TEST_CASE("SHARK: strides of 128 and 256 bytes take one time, where 64 banks would differ by two") {
  for (auto const& rows : {w7900, rx_9070_xt})
    for (unsigned k = 0; k != 21; ++k)
      if (rows[k].stride == 256) {
        CHECK(rows[k].clocks < 1.05 * rows[k - 1].clocks);
        CHECK(rows[k].clocks > rows[k - 1].clocks / 1.05);
      }
}

// ---- Against the oracle ----

TEST_CASE("two lanes on different dwords of one bank conflict exactly when one phase serves both: all pairs") {
  auto const check = [](auto instruction, char const* masks) {
    INFO(masks);
    CHECK(wrong_pairs<typename decltype(instruction)::type>(masks) == 0);
  };
  every_row(check), every_inferred_row(check);
}
TEST_CASE("the 35 rows of phases and 33 inferred ones agree with the oracle on 1,000 random accesses each") {
  unsigned rows = 0;
  auto const check = [&](auto instruction, char const* masks) {
    INFO(masks);
    ++rows;
    CHECK(disagreements<typename decltype(instruction)::type>(masks, 32, share(1'000)) == 0);
  };
  every_row(check);
  CHECK(rows == 35);
  every_inferred_row(check);
  CHECK(rows == 68);
}
TEST_CASE("control: each row is told from every other set of phases of its wave, and from 64 banks") {
  every_row([](auto instruction, char const* masks) {
    using asked = typename decltype(instruction)::type;
    INFO(masks);
    every_row([&](auto other, char const* of_other) {
      if (decltype(other)::type::lanes == asked::lanes && std::string(of_other) != masks)
        CHECK(disagreements<asked>(of_other, 32, 1'000, 1) == 1);
    });
    CHECK(disagreements<asked>(masks, 64, 1'000, 1) == 1);
  });
}
TEST_CASE("a wave64 costs what its halves cost, and an idle half of it a round a phase") {
  random_accesses accesses(16, 16, 4, 65536);
  // A wave32 without an active lane is not issued and costs nothing. Where one half of a wave64 has no active lane and
  // the other has some, the phases of the first half are idle.
  constexpr co::bank_cost<> idle{.rounds = 4, .conflicts = 0, .phases = 4, .ways = 1};
  auto const beside = [&](std::uint64_t active, std::uint64_t other, co::bank_cost<> const& cost) {
    return active == 0 && other != 0 ? idle : cost;
  };
  unsigned different = 0;
  for (unsigned n = 0; n != share(2'000); ++n) {
    auto const made = accesses.next();
    std::uint64_t const below = made.active & 0xffff'ffff, above = made.active >> 32;
    auto const low = co::cost<gfx1100::ds_load<128>>(made.address, below),
               high = co::cost<gfx1100::ds_load<128>>([&](unsigned lane) { return made.address[lane + 32]; }, above);
    different += co::cost<gfx1100::wave64::ds_load<128>>(made.address, made.active) !=
                 beside(below, above, low) + beside(above, below, high);
  }
  CHECK(different == 0);
}

#ifdef __cpp_exceptions
TEST_CASE("LDS accesses are naturally aligned, and end within 64 KiB") {
  CHECK_THROWS_AS(static_cast<void>(strided<gfx1100::ds_load<64>>(12)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<gfx1201::ds_load<128>>(co::broadcast{8})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<gfx1030::ds_load<16>>(co::broadcast{1})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<gfx1100::ds_store<32>>(co::broadcast{65536})), co::misuse);
  CHECK_NOTHROW(static_cast<void>(co::cost<gfx1100::ds_store<32>>(co::broadcast{65532})));
  CHECK_THROWS_AS(static_cast<void>(co::cost<gfx1100::ds_load<32>>(co::broadcast{}, 1ull << 32)), co::misuse);
}
#endif
