// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cost.hpp>
#include <coalesce/detail/banks.hpp>
#include <coalesce/pattern.hpp>

#include "../check.hpp"
#include "../oracle.hpp"

namespace co = coalescing;
using namespace coalescing_tests;

namespace {

template <unsigned Banks, unsigned Width, unsigned Phases>
bool agrees(random_access const& made, unsigned bytes, co::detail::phase_table<64, Phases> const& table,
            std::vector<std::vector<unsigned>> const& lists, unsigned oracle_banks = Banks) {
  auto const access = co::detail::apply<64>(made.address, made.active, bytes, 1);
  auto const degree = co::detail::bank_conflicts<Banks, Width>(co::detail::in_order(access), table);
  auto const expected = bank_rounds(made, bytes, lists, oracle_banks, Width);
  if (expected.size() != Phases) return false;
  for (unsigned phase = 0; phase != Phases; ++phase)
    if (degree.of[phase] != expected[phase]) return false;
  return true;
}

constexpr auto halves = co::detail::consecutive_phases<64, 2>();
constexpr auto odd_and_even = co::detail::phases<64, 2>({0xaaaa'aaaa'aaaa'aaaa, 0x5555'5555'5555'5555});

constexpr unsigned worst(co::linear const& pattern, unsigned bytes) {
  auto const access = co::detail::apply<64>(pattern, co::all_lanes, bytes, 1);
  return co::detail::bank_conflicts<32, 4>(co::detail::in_order(access), halves).of[0];
}

}  // namespace

TEST_CASE("different words of one bank conflict") { COALESCE_CHECK(worst({.stride = 128}, 4) == 32); }
TEST_CASE("words of different banks do not") { COALESCE_CHECK(worst({.stride = 132}, 4) == 1); }
TEST_CASE("one word for all lanes is one round") { COALESCE_CHECK(worst({.stride = 0}, 4) == 1); }
TEST_CASE("bytes of one word do not conflict") { COALESCE_CHECK(worst({.stride = 1}, 1) == 1); }
TEST_CASE("every word of a wide access counts") { COALESCE_CHECK(worst({.stride = 16}, 16) == 4); }
TEST_CASE("an access that straddles two words touches two banks") {
  COALESCE_CHECK(worst({.base = 3, .stride = 128}, 2) == 32);
  COALESCE_CHECK(worst({.base = 3, .stride = 0}, 2) == 1);
}
TEST_CASE("phases may interleave lanes") {
  COALESCE_CHECK(odd_and_even.of[0] == 1);
  COALESCE_CHECK(odd_and_even.of[1] == 0);
  COALESCE_CHECK(halves.of[31] == 0);
  COALESCE_CHECK(halves.of[32] == 1);
}

TEST_CASE("the bank engine agrees with a set of words for each bank on 60,000 random accesses") {
  auto const half_lists = lane_lists("0-31 32-63");
  std::vector<std::vector<unsigned>> odd_even_lists(2);
  for (unsigned lane = 0; lane != 64; ++lane) odd_even_lists[lane % 2 == 1 ? 0 : 1].push_back(lane);
  unsigned disagreements = 0, noticed = 0;
  for (unsigned const bytes : {1u, 2u, 4u, 8u, 12u, 16u}) {
    random_accesses accesses(bytes, 1, bytes);
    for (unsigned n = 0; n != share(5'000); ++n) {
      auto const made = accesses.next();
      disagreements += !agrees<32, 4>(made, bytes, halves, half_lists);
      disagreements += !agrees<64, 4>(made, bytes, odd_and_even, odd_even_lists);
      noticed += !agrees<32, 4>(made, bytes, halves, half_lists, 16);    // controls: 16 banks,
      noticed += !agrees<32, 4>(made, bytes, odd_and_even, half_lists);  // the wrong phases
    }
  }
  CHECK(disagreements == 0);
  CHECK(noticed > share(1'000));
}
