// SPDX-License-Identifier: BSL-1.0
//
// Recordings of kernels of marked loops, breaks and ifs, beside all lanes in lockstep.
#include <coalesce/record.hpp>

#include "truth/fuzz/input.hpp"
#include "truth/oracle/lockstep.hpp"

using namespace coalescing_tests;
using namespace coalescing_tests::programs;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  fuzz_input in(data, size);
  unsigned const threads = static_cast<unsigned>(1 + in.below(64));
  program_maker make{[&in](unsigned n) { return in.below(n); }};
  auto const program = make.some(4, false, false);
  auto expected = in_lockstep(program, threads);
  if (oracle_is_broken && !expected.empty()) expected.back().second.erase(0);  // lane 0 is missing
  auto const found = threads > 32 ? by_journal<64>(program, threads, true) : by_journal<32>(program, threads, true);
  expect(found == expected, "the instructions of a program");
  return 0;
}
