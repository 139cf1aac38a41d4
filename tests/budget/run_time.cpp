// SPDX-License-Identifier: BSL-1.0
//
// Questions asked at run time, for a count of instructions: tests/budget/run prints them.
#include <coalesce/cuda.hpp>
#include <coalesce/gcn.hpp>

#include <cstdlib>

namespace co = coalescing;
namespace gcn = co::gcn;

template <class Instruction>
std::uint64_t ask(unsigned multiplier, std::uint64_t bytes) {
  std::uint64_t sum = 0;
  for (unsigned n = 0; n != 1000; ++n) {
    auto const cost = co::cost<Instruction>(
        [=](unsigned lane) { return 4096ull * n + bytes * (lane * multiplier % Instruction::lanes); });
    if constexpr (requires { cost.transactions; })
      sum += cost.transactions;
    else
      sum += cost.rounds;
  }
  return sum;
}

// argv[1]: which question; argv[2]: the factor that scrambles the lanes (1: ascending).
int main(int, char** argv) {
  unsigned const multiplier = static_cast<unsigned>(std::atoi(argv[2]));
  switch (argv[1][0]) {
    case 'l':
      return ask<gcn::buffer_load<32>>(multiplier, 4) == 0;
    case 's':
      return ask<gcn::buffer_store<32, 4>>(multiplier, 16) == 0;
    case 'd':
      return ask<gcn::ds_read<128>>(multiplier, 16) == 0;
    case 'c':
      return ask<co::cuda::cc90::load<32>>(multiplier, 4) == 0;
    default:
      return 0;  // the cost of asking nothing
  }
}
