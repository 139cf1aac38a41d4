// SPDX-License-Identifier: BSL-1.0
#include <coalesce/core/cost.hpp>
#include <coalesce/core/pattern.hpp>
#include <coalesce/engine/banks.hpp>

#include "machinery/check.hpp"
#include "truth/oracle/oracle.hpp"

namespace co = coalescing;
using namespace coalescing_tests;

namespace {

constexpr co::access<64> apply(auto const& pattern, unsigned bytes, std::uint64_t active = co::all_lanes) {
  return co::detail::apply<64>(pattern, active, {.bytes = bytes, .alignment = 1});
}

/// Counts need accesses aligned to Alignment; a list does not.
template <unsigned Banks, unsigned Width, unsigned Alignment, unsigned Phases>
bool agrees(random_access const& made, unsigned bytes, co::detail::phase_table<64, Phases> const& table,
            std::vector<std::vector<unsigned>> const& lists, unsigned oracle_banks = Banks) {
  auto const access = apply(made.address, bytes, made.active);
  auto const found = co::detail::count_rounds<Banks, Width, Alignment>(access, table);
  auto const expected = bank_rounds(made, bytes, lists, oracle_banks, Width);
  if (expected.size() != Phases) return false;
  for (unsigned phase = 0; phase != Phases; ++phase)
    if (found.rounds[phase] != expected[phase]) return false;
  return lists_phases(co::detail::describe_phases<Banks, Width>(access, table), with_empty, made, bytes, lists,
                      oracle_banks, Width);
}

constexpr auto halves = co::detail::consecutive_phases<64, 2>();
constexpr auto odd_and_even = co::detail::phases_of_masks<64, 2>({0xaaaa'aaaa'aaaa'aaaa, 0x5555'5555'5555'5555});

template <unsigned Bytes>
constexpr unsigned worst(co::linear const& pattern) {
  return co::detail::count_rounds<32, 4, Bytes>(apply(pattern, Bytes), halves).rounds[0];
}
constexpr std::uint64_t listed(co::linear const& pattern, unsigned bytes) {
  return co::detail::describe_phases<32, 4>(apply(pattern, bytes), halves)[0].rounds;
}

}  // namespace

TEST_CASE("different words of one bank conflict") { COALESCE_CHECK(worst<4>({.stride = 128}) == 32); }
TEST_CASE("words of different banks do not") { COALESCE_CHECK(worst<4>({.stride = 132}) == 1); }
TEST_CASE("one word for all lanes is one round") { COALESCE_CHECK(worst<4>({.stride = 0}) == 1); }
TEST_CASE("bytes of one word do not conflict") { COALESCE_CHECK(worst<1>({.stride = 1}) == 1); }
TEST_CASE("every word of a wide access counts") { COALESCE_CHECK(worst<16>({.stride = 16}) == 4); }
TEST_CASE("a list of phases takes accesses that straddle two words") {
  COALESCE_CHECK(listed({.base = 3, .stride = 128}, 2) == 32);
  COALESCE_CHECK(listed({.base = 3, .stride = 0}, 2) == 1);
}
TEST_CASE("the first word of memory is one of bank 0") {
  COALESCE_CHECK(worst<4>({}) == 1);
  constexpr auto list = co::detail::describe_phases<32, 4>(apply(co::linear{.stride = 128}, 4, 0b11), halves);
  COALESCE_CHECK(list[0] == co::bank_phase{.lanes = 0b11, .rounds = 2, .bank = 0, .colliding = 0b11});
  COALESCE_CHECK(list[1] == co::bank_phase{});
}
TEST_CASE("phases may interleave lanes") {
  COALESCE_CHECK(odd_and_even.phase_of_lane[0] == 1);
  COALESCE_CHECK(odd_and_even.phase_of_lane[1] == 0);
  COALESCE_CHECK(halves.phase_of_lane[31] == 0);
  COALESCE_CHECK(halves.phase_of_lane[32] == 1);
}

TEST_CASE("lanes within two rows of banks: a phase counts the words of its own active lanes") {
  constexpr auto rounds = [](std::uint64_t active, unsigned phase) {
    return co::detail::count_rounds<32, 4, 4>(apply(co::linear{.stride = 4}, 4, active), odd_and_even).rounds[phase];
  };
  COALESCE_CHECK(rounds(co::all_lanes, 0) == 2);  // lanes 1 and 33 want different words of bank 1
  COALESCE_CHECK(rounds(co::all_lanes, 1) == 2);
  COALESCE_CHECK(rounds(0x0000'0001'0000'0001, 0) == 0);  // lanes 0 and 32
  COALESCE_CHECK(rounds(0x0000'0001'0000'0001, 1) == 2);
  COALESCE_CHECK(rounds(0x0000'0001'0000'0002, 0) == 1);  // lanes 1 and 32
  COALESCE_CHECK(rounds(0x0000'0001'0000'0002, 1) == 1);
}

TEST_CASE("a phase names its busiest bank and the lanes that collide there; where none do, none") {
  constexpr auto list = co::detail::describe_phases<32, 4>(
      apply([](unsigned lane) { return lane < 3 ? 4 + 128 * lane : 4 * lane; }, 4), halves);
  COALESCE_CHECK(list.size() == 2);
  COALESCE_CHECK(list[0] == co::bank_phase{.lanes = 0xffff'ffff, .rounds = 3, .bank = 1, .colliding = 0b111});
  COALESCE_CHECK(list[1] == co::bank_phase{.lanes = 0xffff'ffff'0000'0000, .rounds = 1, .bank = 0, .colliding = 0});
}

TEST_CASE("the bank engine agrees with a set of words for each bank in 60,000 comparisons on 30,000 random accesses") {
  auto const half_lists = lane_lists("0-31 32-63");
  std::vector<std::vector<unsigned>> odd_even_lists(2);
  for (unsigned lane = 0; lane != 64; ++lane) odd_even_lists[lane % 2 == 1 ? 0 : 1].push_back(lane);
  unsigned disagreements = 0, noticed = 0;
  auto const check = [&]<unsigned Bytes, unsigned Alignment>() {
    random_accesses accesses(Bytes, Alignment, Bytes);
    for (unsigned n = 0; n != share(5'000); ++n) {
      auto const made = accesses.next();
      disagreements += !agrees<32, 4, Alignment>(made, Bytes, halves, half_lists);
      disagreements += !agrees<64, 4, Alignment>(made, Bytes, odd_and_even, odd_even_lists);
      noticed += !agrees<32, 4, Alignment>(made, Bytes, halves, half_lists, 16);    // controls: 16 banks,
      noticed += !agrees<32, 4, Alignment>(made, Bytes, odd_and_even, half_lists);  // the wrong phases
    }
  };
  check.template operator()<1, 1>();
  check.template operator()<2, 2>();
  check.template operator()<4, 4>();
  check.template operator()<8, 8>();
  check.template operator()<12, 16>();
  check.template operator()<16, 16>();
  CHECK(disagreements == 0);
  CHECK(noticed > share(1'000));
}
