// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna.hpp>
#include <coalesce/claims.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/layout.hpp>
#include <coalesce/total.hpp>

#include <cstdint>
#include <initializer_list>
#include <utility>

// Shared by the parts of the example: a line of the table, and totals that are more than one constant expression.

namespace co = coalescing;

/// A kernel: what its source claims, what the rule says, and whether they agree. In `rule` each # is the next number.
struct line {
  char const* kernel;
  char const* claim;
  char const* rule;
  std::uint64_t numbers[4] = {};
  char const* verdict;

  consteval line(char const* a, char const* b, char const* c, std::initializer_list<std::uint64_t> list, char const* d)
      : kernel{a}, claim{b}, rule{c}, verdict{d} {
    for (auto const* next = list.begin(); *c != 0; ++c)
      if (*c == '#') numbers[next - list.begin()] = *next, ++next;  // past the end it is no constant expression
  }
};
void print(line const&);

/// Compares a source with the rule: one bool for each of its claims, true where the rule agrees.
constexpr char const* verdict(std::initializer_list<bool> claims) {
  bool all = true, any = false;
  for (bool const holds : claims) all &= holds, any |= holds;
  return claims.size() == 0 ? "-" : all ? "agrees" : any ? "in part" : "DISAGREES";
}

/// The thread of a block that is this lane of a warp of 32.
constexpr unsigned thread(unsigned lane, unsigned warp) { return 32 * warp + lane; }

/// co::total over co::domain{Parts, Rest...}, where that takes more steps than our tests allow clang for a constant
/// expression: each value of the first dimension is one of its own, and they are added up.
template <class Instruction, auto Pattern, auto Active, unsigned Part, std::int64_t... Rest>
constexpr auto part = co::total<Instruction>([](unsigned lane, auto... at) { return Pattern(lane, Part, at...); },
                                             co::domain{Rest...},
                                             [](unsigned lane, auto... at) { return Active(lane, Part, at...); });
template <class Instruction, auto Pattern, unsigned Part, std::int64_t... Rest>
constexpr auto part<Instruction, Pattern, co::all_lanes, Part, Rest...> =
    co::total<Instruction>([](unsigned lane, auto... at) { return Pattern(lane, Part, at...); }, co::domain{Rest...});

template <class Instruction, auto Pattern, auto Active, unsigned Parts, std::int64_t... Rest>
constexpr auto total_where = []<unsigned... Part>(std::integer_sequence<unsigned, Part...>) {
  return (part<Instruction, Pattern, Active, Part, Rest...> + ...);
}
(std::make_integer_sequence<unsigned, Parts>{});
template <class Instruction, auto Pattern, unsigned Parts, std::int64_t... Rest>
constexpr auto total = total_where<Instruction, Pattern, co::all_lanes, Parts, Rest...>;

// The parts of the table.
void cuda_samples();
void sgemm();
void language_models();
void cutlass();
void cub();
void amd();
