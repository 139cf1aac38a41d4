// SPDX-License-Identifier: BSL-1.0
#include "truth/instructions/cuda.hpp"

#include "questions.hpp"

void recompute::ask_volta_to_ada() {
  using coalescing_tests::each_instruction;
  each_instruction<70>(asker{24});
  each_instruction<72>(asker{8});
  each_instruction<75>(asker{16});
  each_instruction<80>(asker{24});
  each_instruction<86>(asker{8});
  each_instruction<87>(asker{8});
  each_instruction<88>(asker{8});
  each_instruction<89>(asker{8});
}
