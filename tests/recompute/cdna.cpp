// SPDX-License-Identifier: BSL-1.0
#include "instructions/cdna.hpp"

#include "questions.hpp"

void recompute::ask_cdna() { coalescing_tests::each_instruction_of_cdna(asker{50}); }
