// SPDX-License-Identifier: BSL-1.0
#include "truth/instructions/cuda.hpp"

#include "questions.hpp"

void recompute::ask_maxwell_and_pascal() {
  using coalescing_tests::each_instruction;
  each_instruction<50>(asker{24});
  each_instruction<52>(asker{8});
  each_instruction<53>(asker{8});
  each_instruction<60>(asker{24});
  each_instruction<61>(asker{8});
  each_instruction<62>(asker{8});
}
