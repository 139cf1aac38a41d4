// SPDX-License-Identifier: BSL-1.0
//
// The layouts of 24 well-known kernels, written anew from their sources: what each source claims, and what the rule
// gives over all warps and steps. Each figure is asserted beside its layout. The program prints the table. No GPU was
// asked.

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
