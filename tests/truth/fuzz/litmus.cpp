// SPDX-License-Identifier: BSL-1.0
//
// Litmus tests on CDNA against an oracle with explicit cache lines and fills in flight. Every outcome of random
// programs is compared, of two waves or (short ones) of three: under all axioms, without one, or without a random set
// of them.
#include <coalesce/cdna/litmus.hpp>

#include "truth/fuzz/input.hpp"
#include "truth/oracle/random_litmus.hpp"
#include "truth/oracle/visibility.hpp"

namespace {

using namespace coalescing_tests;

void ask(cdna::litmus_test const& test) {
  std::set<std::uint32_t> seen;
  try {
    auto const told = oracle_is_broken ? test.without(cdna::axiom::one_unit_and_location_in_order) : test;
    seen = line_explorer(told.setting(), enough(told)).outcomes();
  } catch (std::length_error const&) {
    return;  // more than the explorer takes
  }
  unsigned const values = number_of_values(test);
  for (std::uint32_t number = 0; number != 1u << values; ++number)
    expect(test.allows(cdna::litmus_outcome(number, values)) == seen.contains(number), "an outcome");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  fuzz_input in(data, size);
  unsigned const waves = in.one_in(8) ? 3 : 2;
  ask(random_litmus_tests([&] { return in.byte(); }, waves).next());
  return 0;
}
