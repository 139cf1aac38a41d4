// SPDX-License-Identifier: BSL-1.0
#pragma once
#include "questions.hpp"
#include "truth/instructions/cuda.hpp"

namespace recompute {

/// More questions about the first machines with a rule, and about those that have more instructions.
constexpr unsigned questions_about(unsigned capability) {
  constexpr unsigned capabilities_and_questions[][2] = {
      {10, 48}, {11, 12}, {12, 32}, {13, 12}, {20, 20}, {30, 16}, {32, 6},   {35, 16},
      {50, 24}, {60, 24}, {70, 24}, {75, 16}, {80, 24}, {90, 24}, {100, 24},
  };
  for (auto const& line : capabilities_and_questions)
    if (line[0] == capability) return line[1];
  return 8;
}

/// About each instruction of the machines of cuda::every_machine from CC First to CC Last.
template <unsigned First, unsigned Last>
void ask_capabilities() {
  using namespace coalescing_tests;
  cuda::every_machine::each([]<class Device>() {
    constexpr unsigned capability = capability_of<Device>;
    if constexpr (capability >= First && capability <= Last)
      each_instruction<Device>(asker{questions_about(capability)});
  });
}

}  // namespace recompute
