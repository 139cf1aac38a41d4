// SPDX-License-Identifier: BSL-1.0
//
// Each instruction that the rows name, once: its numbers, by name.
#include "rows.hpp"

#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/explain/numbers.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/rdna.hpp>

namespace coalescing_tests {
namespace {

using coalescing::cuda::matrix;
using coalescing::cuda::shared_mode;

template <class Instruction>
numbers ask(std::span<std::uint64_t const> addresses, std::uint64_t active) {
  using in_cost = coalescing::detail::numbers_in<typename Instruction::cost_type>;
  auto const& names = in_cost::name();
  auto const values = in_cost::value(coalescing::cost<Instruction>(addresses, active));
  numbers all;
  for (unsigned k = 0; k != in_cost::count; ++k) all[names.of[k].characters] = values.of[k];
  return all;
}
template <class Instruction>
question question_about(char const* machine, char const* instruction) {
  return {machine, instruction, Instruction::lanes, Instruction::bytes, &ask<Instruction>};
}

}  // namespace

std::vector<question> const questions{
#include "questions.inc"
};

}  // namespace coalescing_tests
