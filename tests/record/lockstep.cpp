// SPDX-License-Identifier: BSL-1.0
#include <coalesce/record.hpp>

#include <random>

#include "machinery/check.hpp"
#include "truth/oracle/lockstep.hpp"

// Recordings of random kernels, beside the oracle that runs all lanes in lockstep.

namespace co = coalescing;
using namespace coalescing_tests::programs;

TEST_CASE("record: marked loops, breaks and ifs as in lockstep") {
  unsigned events = 0, differs_unmarked = 0;
  for (unsigned seed = 0; seed != 4000; ++seed) {
    std::mt19937 random(seed);
    program_maker make{[&random](unsigned n) { return random() % n; }};
    auto const program = make.some(4, false, false);
    unsigned const threads = seed % 3 == 0 ? 7 : seed % 3 == 1 ? 32 : 64;
    instructions const expected = in_lockstep(program, threads);
    auto const found = threads == 64 ? by_journal<64>(program, threads, true) : by_journal<32>(program, threads, true);
    CAPTURE(seed);
    REQUIRE(found == expected);
    events += static_cast<unsigned>(expected.size());
    // The control: without marks, lanes contradict each other, or other lanes meet.
    try {
      differs_unmarked += by_journal<64>(program, threads, false) != expected;
    } catch (co::misuse const&) {
      ++differs_unmarked;
    }
  }
  CHECK(events > 40000);
  CHECK(differs_unmarked > 400);
}
