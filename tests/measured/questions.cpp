// SPDX-License-Identifier: BSL-1.0
//
// Each instruction that the rows name, once: its numbers, by name.
#include "rows.hpp"

#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/rdna.hpp>

namespace coalescing_tests {
namespace {

using coalescing::cuda::matrix;
using coalescing::cuda::shared_mode;

template <class Cost>
numbers numbers_of(Cost const& c) {
  numbers all;
  if constexpr (requires { c.bytes_moved; }) all["bytes_moved"] = c.bytes_moved;
  if constexpr (requires { c.bytes_used; }) all["bytes_used"] = c.bytes_used;
  if constexpr (requires { c.clocks; }) all["clocks"] = c.clocks;
  if constexpr (requires { c.conflicts; }) all["conflicts"] = c.conflicts;
  if constexpr (requires { c.data_wavefronts; }) all["data_wavefronts"] = c.data_wavefronts;
  if constexpr (requires { c.lanes_on_one_address; }) all["lanes_on_one_address"] = c.lanes_on_one_address;
  if constexpr (requires { c.lines; }) all["lines"] = c.lines;
  if constexpr (requires { c.operations; }) all["operations"] = c.operations;
  if constexpr (requires { c.partial_sectors; }) all["partial_sectors"] = c.partial_sectors;
  if constexpr (requires { c.phases; }) all["phases"] = c.phases;
  if constexpr (requires { c.quads; }) all["quads"] = c.quads;
  if constexpr (requires { c.requests; }) all["requests"] = c.requests;
  if constexpr (requires { c.rounds; }) all["rounds"] = c.rounds;
  if constexpr (requires { c.tag_wavefronts_at_least; }) all["tag_wavefronts_at_least"] = c.tag_wavefronts_at_least;
  if constexpr (requires { c.transactions; }) all["transactions"] = c.transactions;
  if constexpr (requires { c.ways; }) all["ways"] = c.ways;
  return all;
}

template <class Instruction>
numbers ask(std::span<std::uint64_t const> addresses, std::uint64_t active) {
  return numbers_of(coalescing::cost<Instruction>(addresses, active));
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
