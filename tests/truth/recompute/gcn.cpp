// SPDX-License-Identifier: BSL-1.0
#include "truth/instructions/gcn.hpp"

#include "questions.hpp"

void recompute::ask_gcn() { coalescing_tests::each_instruction_of_gcn(asker{80}); }
