// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/explain.hpp>
#include <coalesce/figure.hpp>
#include <coalesce/host/named/instruction.hpp>

#include <string>
#include <string_view>
#include <vector>

// Makes a named_instruction of the type of an instruction.

namespace coalescing::detail {

template <class Instruction>
concept can_be_drawn = (figure::lists_transactions<Instruction> ||
                        figure::lists_phases<Instruction>)&&figure::rounds_are_stacks<Instruction>;

/// The answers, as static functions.
template <class Instruction>
struct named_type {
  static compared_cost cost(lane_addresses at, std::uint64_t active) {
    compared_cost numbers;
    detail::take_numbers(numbers, coalescing::cost<Instruction>(at, active));
    return numbers;
  }
  static std::vector<transaction> transactions(lane_addresses at, std::uint64_t active) {
    if constexpr (figure::lists_transactions<Instruction>) {
      auto const list = coalescing::transactions<Instruction>(at, active);
      return {list.begin(), list.end()};
    } else {
      refused::instruction_makes_no_transactions();
    }
  }
  static std::vector<bank_phase> phases(lane_addresses at, std::uint64_t active) {
    if constexpr (figure::lists_phases<Instruction>) {
      auto const list = coalescing::phases<Instruction>(at, active);
      return {list.begin(), list.end()};
    } else {
      refused::instruction_has_no_phases();
    }
  }
  static std::string explain(lane_addresses at, std::uint64_t active) {
    return coalescing::explain<Instruction>(at, active).c_str();
  }
  static std::string draw(lane_addresses at, std::uint64_t active, bool as_svg) {
    if constexpr (can_be_drawn<Instruction>) {
      auto const drawn = figure::figure_of<Instruction>(at, active);
      return as_svg ? drawn.svg() : drawn.terminal();
    } else {
      refused::instruction_has_no_figure();
    }
  }
};

/// Whether co::suggest takes a use of the instruction.
template <class Instruction>
concept can_be_used = is_on_one_piece<Instruction> && has_rounds<Instruction>;

template <class Instruction>
constexpr named_facts facts_named() {
  using type = named_type<Instruction>;
  named_facts known{.called = name_declared_by<Instruction>(),
                    .level = Instruction::level,
                    .unit = Instruction::unit,
                    .lanes = Instruction::lanes,
                    .limits = limits_of<Instruction>(),
                    .cost = type::cost,
                    .transactions = type::transactions,
                    .phases = type::phases,
                    .explain = type::explain,
                    .draw = type::draw,
                    .counters = counters_of<Instruction>,
                    .meet = nullptr,
                    .price = nullptr};
  if constexpr (can_be_used<Instruction>)
    known.meet = meet<Instruction>, known.price = price_of_instruction<Instruction, 64>;
  return known;
}
template <class Instruction>
inline constexpr named_facts named_facts_of = facts_named<Instruction>();

/// Gives a machine more names: words with blanks between them, each to stand after the family.
inline void add_names(named_machine& to, std::string const& family, std::string_view words) {
  while (!words.empty()) {
    std::string_view const word = words.substr(0, words.find(' '));
    to.also.push_back(family + "::" + std::string(word));
    words.remove_prefix(word.size() == words.size() ? word.size() : word.size() + 1);
  }
}

/// Takes the instructions of a machine, one by one.
struct named_listing {
  named_machine& to;

  template <touch Kind, class Instruction>
  void add() const {
    append(Kind, named_facts_of<Instruction>);
  }
  void append(touch kind, named_facts const& known) const {
    auto const& [first, second, third] = known.called.arguments;
    to.instructions.push_back({.machine = detail::words_of(known.called.machine).c_str(),
                               .name = detail::words_of(known.called).c_str(),
                               .verb = detail::words_of(known.called, false).c_str(),
                               .width = first.number,
                               .is_plain = !second.is_written && !third.is_written,
                               .kind = kind,
                               .level = known.level,
                               .unit = known.unit,
                               .lanes = known.lanes,
                               .bytes = known.limits.bytes,
                               .alignment = known.limits.alignment,
                               .facts = &known});
  }
};

}  // namespace coalescing::detail
