// SPDX-License-Identifier: BSL-1.0
#include "truth/instructions/cuda.hpp"

#include "questions.hpp"

void recompute::ask_tesla_to_kepler() {
  using coalescing_tests::each_instruction;
  each_instruction<10>(asker{48});
  each_instruction<11>(asker{12});
  each_instruction<12>(asker{32});
  each_instruction<13>(asker{12});
  each_instruction<20>(asker{20});
  each_instruction<21>(asker{8});
  each_instruction<30>(asker{16});
  each_instruction<32>(asker{6});
  each_instruction<35>(asker{16});
  each_instruction<37>(asker{8});
}
