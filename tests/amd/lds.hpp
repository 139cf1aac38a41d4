// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/cost.hpp>

#include "truth/oracle/oracle.hpp"

#include <vector>

namespace coalescing_tests {

/// Whether an LDS instruction of AMD costs, and lists as phases, what the oracle says of an access.
template <class Instruction>
bool lds_agrees(random_access const& made, std::vector<std::vector<unsigned>> const& phases, unsigned banks,
                unsigned width = 4) {
  lds_rounds const rounds(made, Instruction::bytes, phases, banks, width);
  coalescing::bank_cost<> const expected{
      .rounds = rounds.sum, .conflicts = rounds.sum - rounds.phases, .phases = rounds.phases, .ways = rounds.worst};
  return coalescing::cost<Instruction>(made.address, made.active) == expected &&
         lists_phases(coalescing::phases<Instruction>(made.address, made.active), with_a_round, made,
                      Instruction::bytes, phases, banks, width);
}

}  // namespace coalescing_tests
