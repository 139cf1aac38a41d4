// SPDX-License-Identifier: BSL-1.0
//
// What everybody's kernels do with memory: the layouts of 24, written anew from their sources, what those claim, and
// what the rule says over all warps and steps. Each figure is asserted where it stands; the program prints the table.
// No GPU was asked.

#include "line.hpp"

#include <cstdio>

void print(line const& text) {
  std::printf("%-28s %-49s ", text.kernel, text.claim);
  int width = 48;
  auto const* number = text.numbers;
  for (char const* c = text.rule; *c != 0; ++c)
    width -= *c == '#' ? std::printf("%llu", static_cast<unsigned long long>(*number++)) : std::printf("%c", *c);
  std::printf("%*s %s\n", width, "", text.verdict);
}

int main() {
  std::printf("%-28s %-49s %-48s %s\n", "kernel", "its source claims", "the rule says", "verdict");
  cuda_samples();
  sgemm();
  language_models();
  cutlass();
  cub();
  amd();
}
