// SPDX-License-Identifier: BSL-1.0
#include "truth/instructions/cuda.hpp"

#include "questions.hpp"

void recompute::ask_hopper_on() {
  using coalescing_tests::each_instruction;
  each_instruction<90>(asker{24});
  each_instruction<100>(asker{24});
  each_instruction<103>(asker{8});
  each_instruction<107>(asker{8});
  each_instruction<110>(asker{8});
  each_instruction<120>(asker{8});
  each_instruction<121>(asker{8});
}
