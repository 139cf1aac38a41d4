// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cuda.hpp>

#include "cuda/devices.hpp"
#include "machinery/check.hpp"
#include "truth/oracle/cuda.hpp"

#include <numeric>
#include <string>

namespace co = coalescing;
using namespace coalescing_tests;
using cuda::shared_mode;

namespace {

constexpr std::uint64_t half = 0xffff;

template <class Instruction, class Pattern>
constexpr std::uint64_t rounds(Pattern const& pattern, std::uint64_t active = co::all_lanes) {
  return co::cost<Instruction>(pattern, active).rounds;
}
template <class Instruction>
constexpr std::uint64_t by_stride(std::int64_t stride, std::uint64_t active = co::all_lanes) {
  return rounds<Instruction>(co::linear{.stride = stride}, active);
}
/// PG2.0 figure 5-8, right: several lanes on the word of bank 5, every other bank wanted by one lane at most.
constexpr unsigned several_on_bank_5(unsigned lane) { return 4 * (lane >= 3 && lane <= 7 ? 5 : lane); }

}  // namespace

// ---- CC 1.x ----

TEST_CASE("PG2.0 5.1.2.5: a half-warp at stride s words is gcd(s, 16) ways; stride 0 is one broadcast") {
  for (std::int64_t words = 1; words != 40; ++words) {
    auto const cost = co::cost<cuda::cc10::shared_load<32>>(co::linear{.stride = 4 * words}, half);
    CHECK(cost.rounds == static_cast<std::uint64_t>(std::gcd(words, std::int64_t{16})));
    CHECK(cost.rounds_at_least == cost.rounds);
    CHECK(cost.phases == 1);
  }
  COALESCE_CHECK(by_stride<cuda::cc10::shared_load<32>>(0, half) == 1);
  COALESCE_CHECK(by_stride<cuda::cc13::shared_load<32>>(4) == 2);  // two half-warps
  COALESCE_CHECK(co::cost<cuda::cc13::shared_load<32>>(co::linear{.stride = 8}).conflicts == 2);
}
TEST_CASE(
    "PG2.0 5.1.2.5: chars of one word conflict unless it is the broadcast word; wider words are 32-bit accesses") {
  // 16 chars are 4 words, each read by 4 lanes. One word is broadcast; each other word takes a step for each of its
  // lanes.
  COALESCE_CHECK(co::cost<cuda::cc10::shared_load<8>>(co::linear{.stride = 1}, half).rounds > 1);
  COALESCE_CHECK(by_stride<cuda::cc10::shared_load<8>>(4, half) == 1);
  // double: two requests at stride 2, each 2 ways
  COALESCE_CHECK(by_stride<cuda::cc10::shared_load<64>>(8, half) == 4);
  COALESCE_CHECK(co::cost<cuda::cc10::shared_load<64>>(co::linear{.stride = 8}, half).phases == 2);
  COALESCE_CHECK(by_stride<cuda::cc10::shared_load<128>>(16, half) == 16);
}
TEST_CASE("PG2.0 figure 5-8, right: no conflict if the word of bank 5 is broadcast first, two ways otherwise") {
  constexpr auto cost = co::cost<cuda::cc10::shared_load<32>>(several_on_bank_5, half);
  COALESCE_CHECK(cost.rounds_at_least == 1);
  COALESCE_CHECK(cost.rounds == 2);
  COALESCE_CHECK(cost.conflicts == 1);
}
TEST_CASE("PG2.0 5.1.2.5: which word is broadcast is open, so the number of steps may be") {
  // Two words of different banks, eight lanes each: one is broadcast, the other gives one lane, and is broadcast next.
  COALESCE_CHECK(co::cost<cuda::cc10::shared_load<32>>([](unsigned lane) { return lane / 8 * 4; }, half) ==
                 cuda::open_bank_cost<>{.rounds = 2, .conflicts = 1, .phases = 1, .ways = 2, .rounds_at_least = 2});
  // Two words of one bank, of 15 lanes and of 1: each step broadcasts one of them.
  COALESCE_CHECK(co::cost<cuda::cc10::shared_load<32>>([](unsigned lane) { return lane / 15 * 64; }, half) ==
                 cuda::open_bank_cost<>{.rounds = 2, .conflicts = 1, .phases = 1, .ways = 2, .rounds_at_least = 2});
}
TEST_CASE("PG2.0 5.1.2.5: stores are not broadcast, and one lane of a half-warp writes a location") {
  COALESCE_CHECK(by_stride<cuda::cc10::shared_store<32>>(0, half) == 1);
  COALESCE_CHECK(by_stride<cuda::cc10::shared_store<32>>(4, half) == 1);
  COALESCE_CHECK(by_stride<cuda::cc10::shared_store<32>>(64, half) == 16);
  COALESCE_CHECK(by_stride<cuda::cc10::shared_store<8>>(1, half) == 4);  // four chars of a word are four locations
}
TEST_CASE("CC 1.x: no active lane, no round") {
  COALESCE_CHECK(co::cost<cuda::cc13::shared_load<64>>(co::linear{}, 0) == cuda::open_bank_cost<>{});
}

// ---- CC 2.x ----

TEST_CASE("PG3.2 figure G-2, CC 2.x: stride 1 word none, 2 words two ways, 3 words none") {
  COALESCE_CHECK(by_stride<cuda::cc20::shared_load<32>>(4) == 1);
  COALESCE_CHECK(by_stride<cuda::cc20::shared_load<32>>(8) == 2);
  COALESCE_CHECK(by_stride<cuda::cc20::shared_load<32>>(12) == 1);
  COALESCE_CHECK(by_stride<cuda::cc21::shared_store<32>>(128) == 32);
}
TEST_CASE("PG3.2 G.4.3, CC 2.x: any number of words is multicast, chars never conflict") {
  COALESCE_CHECK(rounds<cuda::cc20::shared_load<32>>([](unsigned lane) { return lane / 2 * 4; }) == 1);
  COALESCE_CHECK(by_stride<cuda::cc20::shared_load<8>>(1) == 1);
}
TEST_CASE("PG3.2 G.4.3, CC 2.x: 64 bits conflict within half-warps only, doubles in order do not") {
  COALESCE_CHECK(co::cost<cuda::cc20::shared_load<64>>(co::linear{.stride = 8}) ==
                 co::bank_cost<>{.rounds = 2, .conflicts = 0, .phases = 2, .ways = 1});
  COALESCE_CHECK(co::cost<cuda::cc20::shared_load<64>>(co::linear{.stride = 16}).conflicts == 2);
}
TEST_CASE("PG3.2 G.4.3, CC 2.x: 128 bits are one way more than the worst quarter-warp, so 2-way at best") {
  COALESCE_CHECK(co::cost<cuda::cc20::shared_load<128>>(co::linear{.stride = 16}) ==
                 co::bank_cost<>{.rounds = 2, .conflicts = 1, .phases = 1, .ways = 2});
  COALESCE_CHECK(co::cost<cuda::cc20::shared_load<128>>(co::linear{.stride = 32}) ==
                 co::bank_cost<>{.rounds = 3, .conflicts = 2, .phases = 1, .ways = 3});
  COALESCE_CHECK(co::cost<cuda::cc20::shared_load<128>>(co::linear{}, 0) == co::bank_cost<>{});
}

// ---- CC 3.x ----

TEST_CASE("PG5.5 figure 17, CC 3.x, 4-byte banks: strides of 1, 2 and 3 words do not conflict") {
  using load = cuda::cc30::shared_load<32>;
  COALESCE_CHECK(by_stride<load>(4) == 1);
  COALESCE_CHECK(by_stride<load>(8) == 1);
  COALESCE_CHECK(by_stride<load>(12) == 1);
  COALESCE_CHECK(by_stride<load>(16) == 2);
  COALESCE_CHECK(by_stride<cuda::cc30::shared_load<32, shared_mode::four_byte_banks>>(8) == 1);
}
TEST_CASE("PG5.5 G.5.3, CC 3.x, 4-byte banks: words i and i + 32 of an aligned 64 do not conflict, i and i + 64 do") {
  constexpr auto two = [](std::uint64_t first, std::uint64_t second) {
    return co::cost<cuda::cc30::shared_load<32>>([=](unsigned lane) { return lane == 0 ? 4 * first : 4 * second; }, 3)
        .rounds;
  };
  COALESCE_CHECK(two(0, 32) == 1);
  COALESCE_CHECK(two(31, 63) == 1);
  COALESCE_CHECK(two(0, 64) == 2);
  COALESCE_CHECK(two(32, 64) == 2);  // 32 apart, but not in one aligned segment
}
TEST_CASE("PG5.5 G.5.3, CC 3.x, 8-byte banks: no conflict within a 64-bit word; stride 3 is two ways by the mapping") {
  using load = cuda::cc37::shared_load<32, shared_mode::eight_byte_banks>;
  COALESCE_CHECK(by_stride<load>(4) == 1);
  COALESCE_CHECK(by_stride<load>(8) == 1);
  COALESCE_CHECK(by_stride<load>(12) ==
                 2);  // against the guide's remark that this mode has as many or fewer than CC 2.x
  COALESCE_CHECK(by_stride<load>(256) == 32);
  COALESCE_CHECK(load::unit == 8);
}
TEST_CASE("CC 3.x: 64 bits in one pass, 128 in two (inferred)") {
  COALESCE_CHECK(by_stride<cuda::cc35::shared_load<64>>(8) == 1);
  COALESCE_CHECK(by_stride<cuda::cc35::shared_load<64, shared_mode::eight_byte_banks>>(8) == 1);
  COALESCE_CHECK(by_stride<cuda::cc35::shared_load<128>>(16) == 2);
  COALESCE_CHECK(cuda::cc35::shared_load<64>::sources.rounds.evidence == co::evidence::inferred);
  COALESCE_CHECK(cuda::cc35::shared_load<32>::sources.rounds.evidence == co::evidence::documented);
}

// ---- CC 5.0 and later ----

TEST_CASE("PG12.3 figure 35, CC 5.0 and later: stride 1 word none, 2 words two ways, 3 words none") {
  auto const check = []<class Device>() {
    COALESCE_CHECK(by_stride<typename Device::template shared_load<32>>(4) == 1);
    COALESCE_CHECK(by_stride<typename Device::template shared_load<32>>(8) == 2);
    COALESCE_CHECK(by_stride<typename Device::template shared_load<32>>(12) == 1);
    COALESCE_CHECK(by_stride<typename Device::template shared_load<32>>(128) == 32);
    COALESCE_CHECK(by_stride<typename Device::template shared_load<32>>(0) == 1);
    COALESCE_CHECK(by_stride<typename Device::template shared_load<64>>(8) == 2);
    COALESCE_CHECK(by_stride<typename Device::template shared_load<128>>(16) == 4);
    COALESCE_CHECK(co::cost<typename Device::template shared_store<128>>(co::linear{.stride = 16}) ==
                   co::bank_cost<>{.rounds = 4, .conflicts = 0, .phases = 4, .ways = 1});
    COALESCE_CHECK(co::cost<typename Device::template shared_load<128>>(co::linear{.stride = 16}, 0x00ff).phases == 1);
    COALESCE_CHECK(co::cost<typename Device::template shared_load<32>>(co::linear{}, 0) == co::bank_cost<>{});
  };
  maxwell_and_pascal::each(check), volta_on::each(check);
}
TEST_CASE(
    "forum 359822: a 128-bit load takes at least 4 wavefronts, 32 when fully conflicting, conflicts = wavefronts - 4") {
  constexpr auto worst = co::cost<cuda::cc90::shared_load<128>>(co::linear{.stride = 128});
  COALESCE_CHECK(worst == co::bank_cost<>{.rounds = 32, .conflicts = 28, .phases = 4, .ways = 8});
}
TEST_CASE("GTC 2019 S9593: only lanes of one part conflict: float4 lanes 0 and 8 never, 0 and 1 at 128 bytes do") {
  constexpr auto pair = [](unsigned second) {
    return co::cost<cuda::cc90::shared_load<128, shared_mode::no_merge>>(
               [=](unsigned lane) { return lane == 0 ? 0u : 128u; }, 1u | 1u << second)
        .conflicts;
  };
  COALESCE_CHECK(pair(8) == 0);
  COALESCE_CHECK(pair(1) == 1);
  for (unsigned second = 1; second != 32; ++second) CHECK(pair(second) == (second < 8 ? 1 : 0));
}
TEST_CASE("forum 77228, CC 7.0 to 7.5: pairs of lanes on one address halve the parts of wide loads") {
  using wide = cuda::cc75::shared_load<64>;
  using widest = cuda::cc70::shared_load<128>;
  constexpr auto neighbours = [](unsigned lane) { return lane / 2 * 16; };
  constexpr auto second_neighbours = [](unsigned lane) { return (lane / 4 * 2 + lane % 2) * 16; };
  COALESCE_CHECK(rounds<widest>(neighbours) == 2);
  COALESCE_CHECK(rounds<widest>(second_neighbours) == 2);
  COALESCE_CHECK(rounds<wide>([](unsigned lane) { return lane / 2 * 8; }) == 1);
  COALESCE_CHECK(rounds<widest>(co::linear{.stride = 16}) == 4);  // no pairs
  COALESCE_CHECK(rounds<widest>(neighbours, 0x5555'5555) == 2);   // an inactive partner is fine
  COALESCE_CHECK(rounds<widest>([](unsigned lane) { return lane < 16 ? lane / 2 * 16 : lane * 16; }) ==
                 4);  // not all lanes
  // The first post: tid % 4 * 16 took 4 requests, as neither neighbours nor second neighbours share a word.
  COALESCE_CHECK(rounds<cuda::cc75::shared_load<128>>([](unsigned lane) { return lane % 4 * 16; }) == 4);
  COALESCE_CHECK(rounds<cuda::cc75::shared_load<32, shared_mode::pair_merge>>(co::linear{.stride = 4}) == 1);
  // One condition for all lanes: a half-warp of neighbours and one of second neighbours do not merge.
  COALESCE_CHECK(
      rounds<widest>([](unsigned lane) { return lane < 16 ? lane / 2 * 16 : (lane / 4 * 2 + lane % 2) * 16; }) == 4);
  // Merged parts conflict: lanes 0 to 7 have the first 4 banks of two rows, lanes 8 to 15 the next 4 (the article's
  // case 5, which counts 4 transactions and 2 conflicts).
  constexpr auto two_rows = [](unsigned lane) { return 64 * (lane / 16) + 16 * (lane / 8 % 2) + 128 * (lane / 4 % 2); };
  COALESCE_CHECK(co::cost<widest>(two_rows) == co::bank_cost<>{.rounds = 4, .conflicts = 2, .phases = 2, .ways = 2});
}
TEST_CASE("forum 373160, A10 and H100: 2 wavefronts where half-warps share a word, 8 where lanes k and k + 16 do") {
  auto const check = []<class Device>() {
    constexpr auto halves = [](unsigned lane) { return lane / 16 * 32; };
    constexpr auto twice = [](unsigned lane) { return lane % 16 * 32; };
    using load = typename Device::template shared_load<128>;
    COALESCE_CHECK(co::cost<load>(halves) == co::bank_cost<>{.rounds = 2, .conflicts = 0, .phases = 2, .ways = 1});
    COALESCE_CHECK(co::cost<load>(twice) == co::bank_cost<>{.rounds = 8, .conflicts = 4, .phases = 4, .ways = 2});
    COALESCE_CHECK(rounds<load>(co::broadcast{}) == 2);  // GA102, of explain/counters.hpp
    COALESCE_CHECK(rounds<typename Device::template shared_load<128, shared_mode::no_merge>>(halves) == 4);
    COALESCE_CHECK(rounds<typename Device::template shared_store<128>>(halves) == 4);
  };
  devices<cuda::cc86, cuda::cc90>::each(check);
  constexpr auto list = co::phases<cuda::cc90::shared_load<128>>([](unsigned lane) { return lane / 16 * 32; });
  COALESCE_CHECK((list.size() == 2 && list[0].lanes == 0xffff && list[1].lanes == 0xffff'0000));
}
TEST_CASE("pairs of lanes merge by default where a row has it from NVIDIA or from a measurement, elsewhere if asked") {
  auto const check = []<class Device>(bool by_default_of_8, bool by_default_of_16) {
    using of_8 = typename Device::template shared_load<64>;
    using of_16 = typename Device::template shared_load<128>;
    CHECK(rounds<of_8>(co::broadcast{}) == (by_default_of_8 ? 1 : 2));
    CHECK(rounds<of_16>(co::broadcast{}) == (by_default_of_16 ? 2 : 4));
    COALESCE_CHECK(rounds<typename Device::template shared_load<64, shared_mode::pair_merge>>(co::broadcast{}) == 1);
    COALESCE_CHECK(rounds<typename Device::template shared_load<128, shared_mode::pair_merge>>(co::broadcast{}) == 2);
    COALESCE_CHECK(rounds<typename Device::template shared_load<64, shared_mode::no_merge>>(co::broadcast{}) == 2);
    COALESCE_CHECK(rounds<typename Device::template shared_load<128, shared_mode::no_merge>>(co::broadcast{}) == 4);
    COALESCE_CHECK(co::cost<typename Device::template shared_atomic<64>>(co::broadcast{}).rounds == 2);
  };
  devices<cuda::cc70, cuda::cc72, cuda::cc75, cuda::cc80, cuda::cc90>::each(
      [&]<class D>() { check.template operator()<D>(true, true); });
  devices<cuda::cc86>::each([&]<class D>() { check.template operator()<D>(false, true); });
  devices<cuda::cc50, cuda::cc52, cuda::cc53, cuda::cc60, cuda::cc61, cuda::cc62, cuda::cc87, cuda::cc88, cuda::cc89,
          cuda::cc100, cuda::cc103, cuda::cc107, cuda::cc110, cuda::cc120, cuda::cc121>::each([&]<class D>() {
    check.template operator()<D>(false, false);
  });
}
TEST_CASE("shared atomics: the rounds of a load, one operation for each lane, the most on one address") {
  COALESCE_CHECK(
      co::cost<cuda::cc90::shared_atomic<32>>(co::broadcast{}) ==
      cuda::shared_atomic_cost<>{
          .rounds = 1, .conflicts = 0, .phases = 1, .ways = 1, .operations = 32, .lanes_on_one_address = 32});
  COALESCE_CHECK(co::cost<cuda::cc20::shared_atomic<64>>(co::linear{.stride = 16}).conflicts == 2);
  COALESCE_CHECK(cuda::cc90::shared_atomic<32>::sources.rounds.evidence == co::evidence::inferred);
  CHECK(std::string(cuda::cc30::shared_atomic<32>::sources.rounds.claim).find("lock") != std::string::npos);
}
TEST_CASE("PG5.5 G.3.3: CC 1.x lists both half-warps, of words of 8 bytes each half twice") {
  constexpr auto list = co::phases<cuda::cc10::shared_load<32>>(co::linear{.stride = 8});  // two lanes to a bank
  COALESCE_CHECK((list.size() == 2 && list[0].lanes == 0xffff && list[1].lanes == 0xffff'0000));
  COALESCE_CHECK((list[0].rounds == 2 && list[1].rounds == 2));
  constexpr auto wide = co::phases<cuda::cc13::shared_store<64>>(co::linear{.stride = 8});
  COALESCE_CHECK((wide.size() == 4 && wide[0].lanes == 0xffff && wide[1].lanes == 0xffff));
  COALESCE_CHECK((wide[2].lanes == 0xffff'0000 && wide[3].lanes == 0xffff'0000));
  for (auto const& phase : wide) CHECK(phase.rounds == 2);
}
TEST_CASE("the evidence for wide words differs by machine") {
  COALESCE_CHECK(cuda::cc90::shared_load<32>::sources.rounds.evidence == co::evidence::documented);
  COALESCE_CHECK(cuda::cc70::shared_load<64>::sources.rounds.evidence == co::evidence::documented);
  COALESCE_CHECK(cuda::cc80::shared_load<64>::sources.rounds.evidence == co::evidence::measured);
  COALESCE_CHECK(cuda::cc90::shared_load<64>::sources.rounds.evidence == co::evidence::measured);
  COALESCE_CHECK(cuda::cc86::shared_load<64>::sources.rounds.evidence == co::evidence::documented);
  COALESCE_CHECK(cuda::cc90::shared_store<64>::sources.rounds.evidence == co::evidence::documented);
  COALESCE_CHECK(cuda::cc89::shared_load<64>::sources.rounds.evidence == co::evidence::documented);
  COALESCE_CHECK(cuda::cc90::shared_load<128>::sources.rounds.evidence == co::evidence::measured);
  COALESCE_CHECK(cuda::cc90::shared_load<128, shared_mode::no_merge>::sources.rounds.evidence ==
                 co::evidence::documented);
  COALESCE_CHECK(cuda::cc90::shared_store<128>::sources.rounds.evidence == co::evidence::documented);
  COALESCE_CHECK(cuda::cc86::shared_load<64, shared_mode::pair_merge>::sources.rounds.evidence ==
                 co::evidence::inferred);
  COALESCE_CHECK(cuda::cc52::shared_load<64>::sources.rounds.evidence == co::evidence::inferred);
  COALESCE_CHECK(cuda::cc61::shared_load<128>::sources.rounds.evidence == co::evidence::inferred);
  COALESCE_CHECK(cuda::cc100::shared_load<64>::sources.rounds.evidence == co::evidence::inferred);
  COALESCE_CHECK(cuda::cc100::shared_load<128>::sources.rounds.evidence == co::evidence::inferred);
  COALESCE_CHECK(cuda::cc107::shared_load<32>::sources.rounds.evidence == co::evidence::inferred);
  COALESCE_CHECK(cuda::cc121::shared_load<32>::sources.rounds.evidence == co::evidence::inferred);
  COALESCE_CHECK(cuda::cc75::shared_load<64, shared_mode::pair_merge>::sources.rounds.evidence ==
                 co::evidence::documented);
  COALESCE_CHECK(cuda::cc52::shared_load<128, shared_mode::pair_merge>::sources.rounds.evidence ==
                 co::evidence::inferred);
}
TEST_CASE("CC 10.7 has 328 KB of shared memory by cuda_occupancy.h of CUDA 13.5, CC 10.0 has 228") {
  constexpr co::broadcast last{.base = 328 * 1024 - 4}, beyond{.base = 328 * 1024};
  COALESCE_CHECK(rounds<cuda::cc107::shared_load<32>>(last) == 1);
  CHECK_THROWS_AS(static_cast<void>(rounds<cuda::cc107::shared_load<32>>(beyond)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(rounds<cuda::cc100::shared_load<32>>(last)), co::misuse);
  constexpr co::source from = cuda::row<107>::shared_bytes.from;
  COALESCE_CHECK(from.evidence == co::evidence::documented);
  CHECK(std::string(from.document).find("cuda_occupancy.h") != std::string::npos);
}
TEST_CASE("shifting every address by the period changes nothing in shared memory: 128 bytes, on CC 3.x 256") {
  auto const check = []<class Access>() {
    warp_accesses accesses(Access::bytes, 17, Access::capacity - Access::period);
    for (unsigned n = 0; n != 1'000; ++n) {
      auto const made = accesses.next();
      auto shifted = made.address;
      for (auto& address : shifted) address += Access::period;
      CHECK(co::cost<Access>(made.address, made.active) == co::cost<Access>(shifted, made.active));
    }
  };
  COALESCE_CHECK(cuda::cc90::shared_load<32>::period == 128);
  COALESCE_CHECK(cuda::cc30::shared_load<32>::period == 256);
  devices<cuda::cc10::shared_load<32>, cuda::cc13::shared_store<8>, cuda::cc20::shared_load<128>,
          cuda::cc30::shared_load<32>, cuda::cc30::shared_load<64, shared_mode::eight_byte_banks>,
          cuda::cc75::shared_load<128, shared_mode::pair_merge>, cuda::cc90::shared_store<64>>::each(check);
}

// ---- Against the oracle ----

namespace {

template <class Instruction>
unsigned disagreements(unsigned parts_of_warp, unsigned banks, unsigned width, bool folded = false) {
  auto const lists = lanes_of_parts(parts_of_warp);
  unsigned found = 0;
  warp_accesses accesses(Instruction::bytes, 11 + Instruction::bytes, Instruction::capacity);
  for (unsigned n = 0; n != share(4'000); ++n) {
    auto const made = accesses.next();
    co::bank_cost<> expected;
    for (auto const& list : lists) {
      std::map<std::uint64_t, std::set<std::uint64_t>> of_bank;
      for (unsigned const lane : list)
        if (is_active(made, lane))
          for (unsigned byte = 0; byte != Instruction::bytes; ++byte) {
            auto const word = (made.address[lane] + byte) / width;
            of_bank[word % banks].insert(folded ? word / 64 : word);  // PG5.5 G.5.3: one place in a 64-word segment
          }
      std::size_t worst = 0;
      for (auto const& [bank, words] : of_bank) worst = std::max(worst, words.size());
      expected.rounds += worst;
      expected.phases += worst != 0;
      expected.ways = std::max<std::uint64_t>(expected.ways, worst);
    }
    expected.conflicts = expected.rounds - expected.phases;
    found += co::cost<Instruction>(made.address, made.active) != expected;
    if (!folded)
      found += !lists_phases(co::phases<Instruction>(made.address, made.active), left_out, made, Instruction::bytes,
                             lists, banks, width);
  }
  return found;
}

/// A half-warp's words, by bank, from its lanes one by one.
every_choice::state words_of_half(random_access const& made, unsigned first, unsigned offset) {
  std::map<std::uint64_t, unsigned> lanes_of_word;
  for (unsigned lane = first; lane != first + 16; ++lane)
    if (is_active(made, lane)) ++lanes_of_word[made.address[lane] / 4 + offset];
  every_choice::state wanted(16);
  for (auto const& [word, lanes] : lanes_of_word) wanted[word % 16].push_back(lanes);
  return wanted;
}

}  // namespace

TEST_CASE("shared memory of CC 2.0 and later agrees with the oracle on 100,000 random accesses") {
  CHECK(disagreements<cuda::cc20::shared_load<8>>(1, 32, 4) == 0);
  CHECK(disagreements<cuda::cc20::shared_load<32>>(1, 32, 4) == 0);
  CHECK(disagreements<cuda::cc21::shared_store<64>>(2, 32, 4) == 0);
  CHECK(disagreements<cuda::cc30::shared_load<8>>(1, 32, 4, true) == 0);
  CHECK(disagreements<cuda::cc30::shared_load<32>>(1, 32, 4, true) == 0);
  CHECK(disagreements<cuda::cc32::shared_store<64>>(1, 32, 4, true) == 0);
  CHECK(disagreements<cuda::cc37::shared_load<128>>(2, 32, 4, true) == 0);
  CHECK(disagreements<cuda::cc30::shared_load<32, shared_mode::eight_byte_banks>>(1, 32, 8) == 0);
  CHECK(disagreements<cuda::cc35::shared_load<64, shared_mode::eight_byte_banks>>(1, 32, 8) == 0);
  CHECK(disagreements<cuda::cc35::shared_store<128, shared_mode::eight_byte_banks>>(2, 32, 8) == 0);
  auto const check = []<class Device>() {
    CHECK(disagreements<typename Device::template shared_load<8>>(1, 32, 4) == 0);
    CHECK(disagreements<typename Device::template shared_load<16>>(1, 32, 4) == 0);
    CHECK(disagreements<typename Device::template shared_load<32>>(1, 32, 4) == 0);
    CHECK(disagreements<typename Device::template shared_load<64, shared_mode::no_merge>>(2, 32, 4) == 0);
    CHECK(disagreements<typename Device::template shared_load<128, shared_mode::no_merge>>(4, 32, 4) == 0);
    CHECK(disagreements<typename Device::template shared_store<128>>(4, 32, 4) == 0);
  };
  devices<cuda::cc50, cuda::cc75, cuda::cc90>::each(check);
}
TEST_CASE("control: other parts, other banks and the other mode are told apart") {
  CHECK(disagreements<cuda::cc90::shared_load<64>>(1, 32, 4) > 0);
  CHECK(disagreements<cuda::cc90::shared_load<128>>(2, 32, 4) > 0);
  CHECK(disagreements<cuda::cc90::shared_load<128>>(4, 32, 4) > 0);  // some accesses merge
  CHECK(disagreements<cuda::cc90::shared_load<32>>(1, 16, 4) > 0);
  CHECK(disagreements<cuda::cc30::shared_load<32>>(1, 32, 4) > 0);
  CHECK(disagreements<cuda::cc30::shared_load<32>>(1, 32, 8) > 0);
}
TEST_CASE("CC 1.x: the phases are those of the active lanes of each half, word by word, and add up to the rounds") {
  auto const check = []<class Access>() {
    constexpr unsigned words = Access::bytes <= 4 ? 1 : Access::bytes / 4;
    warp_accesses accesses(Access::bytes, 18, Access::capacity);
    unsigned wrong = 0;
    for (unsigned n = 0; n != share(2'000); ++n) {
      auto made = accesses.next();
      if (n % 4 == 0) made.active &= 0x1'0001;  // a lane of each half, or none
      auto const list = co::phases<Access>(made.address, made.active);
      std::uint64_t rounds = 0;
      unsigned at = 0;
      for (std::uint64_t const lanes : {half, half << 16})
        for (unsigned word = 0; (made.active & lanes) != 0 && word != words; ++word, ++at) {
          wrong += at >= list.size() || list[at].lanes != (made.active & lanes);
          if (at < list.size()) rounds += list[at].rounds;
        }
      wrong += at != list.size() || rounds != co::cost<Access>(made.address, made.active).rounds;
    }
    CHECK(wrong == 0);
  };
  devices<cuda::cc10::shared_load<8>, cuda::cc11::shared_load<32>, cuda::cc12::shared_store<64>,
          cuda::cc13::shared_load<128>>::each(check);
}
TEST_CASE("CC 2.x, 128 bits: agrees with one more than the worst quarter of the oracle") {
  warp_accesses accesses(16, 12, cuda::cc20::shared_load<128>::capacity);
  for (unsigned n = 0; n != 4'000; ++n) {
    auto const made = accesses.next();
    std::uint64_t worst = 0;
    for (auto const of_quarter : bank_rounds(made, 16, lanes_of_parts(4), 32, 4)) worst = std::max(worst, of_quarter);
    auto const cost = co::cost<cuda::cc20::shared_load<128>>(made.address, made.active);
    CHECK(cost.rounds == (worst == 0 ? 0 : worst + 1));
    CHECK(cost.rounds == cost.phases + cost.conflicts);
    CHECK(cost.ways == cost.rounds);
    auto const list = co::phases<cuda::cc20::shared_load<128>>(made.address, made.active);
    CHECK(list.size() == cost.phases);
    if (!list.empty()) {
      CHECK(list[0].rounds == cost.rounds);
      CHECK(list[0].lanes == made.active);
      CHECK((list[0].colliding == 0) == (worst == 1));
    }
  }
}
TEST_CASE("pairs that merge: agrees with the condition lane by lane and the merged parts") {
  std::mt19937_64 engine(13);
  unsigned merged_some = 0;
  for (unsigned n = 0; n != 4'000; ++n) {
    random_access made;
    made.active = engine() & warp_lanes;
    if (n % 2 == 0) made.active = warp_lanes;
    unsigned const distance = n % 3;  // 0: no pairs on purpose
    for (unsigned lane = 0; lane != 32; ++lane) {
      made.address[lane] = engine() % 256 * 16;
      if ((lane & distance) != 0) made.address[lane] = made.address[lane ^ distance];
    }
    bool one = true, two = true;
    for (unsigned lane = 0; lane != 32; ++lane)
      if (is_active(made, lane)) {
        if (is_active(made, lane ^ 1) && made.address[lane ^ 1] != made.address[lane]) one = false;
        if (is_active(made, lane ^ 2) && made.address[lane ^ 2] != made.address[lane]) two = false;
      }
    auto const sum = [&](unsigned bytes, unsigned count) {
      std::uint64_t total = 0;
      for (auto const of_part : bank_rounds(made, bytes, lanes_of_parts(count), 32, 4)) total += of_part;
      return total;
    };
    bool const merges = one || two;
    merged_some += merges;
    auto const of_16 = sum(16, merges ? 2 : 4), of_8 = sum(8, merges ? 1 : 2);
    CHECK(co::cost<cuda::cc75::shared_load<128>>(made.address, made.active).rounds == of_16);
    CHECK(co::cost<cuda::cc80::shared_load<128>>(made.address, made.active).rounds == of_16);
    CHECK(co::cost<cuda::cc86::shared_load<128>>(made.address, made.active).rounds == of_16);
    CHECK(co::cost<cuda::cc90::shared_load<128>>(made.address, made.active).rounds == of_16);
    CHECK(co::cost<cuda::cc120::shared_load<128, shared_mode::pair_merge>>(made.address, made.active).rounds == of_16);
    CHECK(co::cost<cuda::cc75::shared_load<64>>(made.address, made.active).rounds == of_8);
    CHECK(co::cost<cuda::cc80::shared_load<64>>(made.address, made.active).rounds == of_8);
    CHECK(co::cost<cuda::cc90::shared_load<64, shared_mode::pair_merge>>(made.address, made.active).rounds == of_8);
    CHECK(sum(16, 4) ==
          co::cost<cuda::cc90::shared_load<128, shared_mode::no_merge>>(made.address, made.active).rounds);
    CHECK(of_16 <= sum(16, 4));  // merging never costs rounds
    CHECK(of_8 <= sum(8, 2));
  }
  CHECK(merged_some > 1'000);
  CHECK(merged_some < 3'500);
}
TEST_CASE("CC 1.x loads: the best and the worst are those of trying every choice, on half-warps full of shared words") {
  every_choice choices;
  std::mt19937_64 engine(14);
  unsigned open = 0, greedy_misses = 0;
  for (unsigned n = 0; n != share(60'000); ++n) {
    random_access made;
    made.active = n % 2 == 0 ? half : engine() & half;
    std::uint64_t const banks = 1 + engine() % 5, rows = 1 + engine() % 3;
    for (unsigned lane = 0; lane != 16; ++lane) made.address[lane] = 4 * (engine() % banks + 16 * (engine() % rows));
    auto const [fewest, most] = choices.steps(words_of_half(made, 0, 0));
    auto const cost = co::cost<cuda::cc10::shared_load<32>>(made.address, made.active);
    CHECK(cost.rounds_at_least == fewest);
    CHECK(cost.rounds == most);
    open += fewest != most;

    // A control: always broadcasting the word that most lanes want is not always best.
    unsigned steps = 0;
    auto wanted = words_of_half(made, 0, 0);
    for (auto left =
             [&] { return std::any_of(wanted.begin(), wanted.end(), [](auto const& b) { return !b.empty(); }); };
         left(); ++steps) {
      std::size_t bank = 0;
      for (auto& of_bank : wanted) std::sort(of_bank.rbegin(), of_bank.rend());
      for (std::size_t b = 0; b != wanted.size(); ++b)
        if (!wanted[b].empty() && (wanted[bank].empty() || wanted[b][0] > wanted[bank][0])) bank = b;
      for (std::size_t b = 0; b != wanted.size(); ++b)
        if (!wanted[b].empty()) {
          if (b == bank)
            wanted[b].erase(wanted[b].begin());
          else if (--wanted[b].back() == 0)
            wanted[b].pop_back();
        }
    }
    greedy_misses += steps != fewest;
  }
  CHECK(open > share(100));
  CHECK((greedy_misses > 0 || COALESCE_TEST_SHARE != 1));
}
TEST_CASE(
    "CC 1.x: whole warps of every width are the sums of their half-warps and 32-bit words; stores have no broadcast") {
  every_choice choices;
  auto const check = [&]<unsigned Bits>(std::integral_constant<unsigned, Bits>) {
    constexpr unsigned bytes = Bits / 8, words = Bits <= 32 ? 1 : Bits / 32;
    std::mt19937_64 engine(15 + Bits);
    for (unsigned n = 0; n != share(8'000); ++n) {
      random_access made;
      made.active = n % 3 == 0 ? warp_lanes : engine() & warp_lanes;
      for (unsigned lane = 0; lane != 32; ++lane)
        made.address[lane] = n % 2 == 0 ? bytes * (engine() % 40) : bytes * (lane * (n % 7) % 64);
      cuda::open_bank_cost<> load, store;
      for (unsigned first = 0; first != 32; first += 16)
        for (unsigned word = 0; word != words && (made.active >> first & half) != 0; ++word) {
          auto const [fewest, most] = choices.steps(words_of_half(made, first, word));
          load.rounds += most, load.rounds_at_least += fewest, ++load.phases;
          load.ways = std::max<std::uint64_t>(load.ways, most);
          std::map<std::uint64_t, std::set<std::uint64_t>> locations;
          for (unsigned lane = first; lane != first + 16; ++lane)
            if (is_active(made, lane)) locations[(made.address[lane] / 4 + word) % 16].insert(made.address[lane]);
          std::size_t worst = 0;
          for (auto const& [bank, of_it] : locations) worst = std::max(worst, of_it.size());
          store.rounds += worst, store.rounds_at_least += worst, ++store.phases;
          store.ways = std::max<std::uint64_t>(store.ways, worst);
        }
      load.conflicts = load.rounds - load.phases;
      store.conflicts = store.rounds - store.phases;
      CHECK(co::cost<cuda::cc12::shared_load<Bits>>(made.address, made.active) == load);
      CHECK(co::cost<cuda::cc12::shared_store<Bits>>(made.address, made.active) == store);
    }
  };
  check(std::integral_constant<unsigned, 8>{});
  check(std::integral_constant<unsigned, 16>{});
  check(std::integral_constant<unsigned, 32>{});
  check(std::integral_constant<unsigned, 64>{});
  check(std::integral_constant<unsigned, 128>{});
}
