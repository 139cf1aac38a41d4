// SPDX-License-Identifier: BSL-1.0
#include <coalesce/gcn.hpp>

#include <cstdio>

namespace co = coalescing;

// Compiled without exceptions. With no argument the question is a good one; with any, lane 1 is misaligned.
int main(int count, char**) {
  auto const pattern = [=](unsigned lane) { return count == 1 ? 4 * lane : 2 * lane; };
  std::printf("clocks %u\n", static_cast<unsigned>(co::cost<co::gcn::buffer_load<32>>(pattern).clocks));
}
