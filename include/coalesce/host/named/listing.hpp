// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/explain.hpp>
#include <coalesce/figure.hpp>
#include <coalesce/host/named/suggest.hpp>
#include <coalesce/record/prices.hpp>

#include <string>
#include <string_view>
#include <vector>

// Makes a named_instruction from the type of an instruction.

namespace coalescing::detail {

/// Defines the virtual functions of named_facts. Instructions with the same type of `Subject` share this code. The
/// member `about` has the facts and rules of this instruction.
template <class Subject>
struct named_answers final : named_facts {
  using cost_type = typename Subject::cost_type;
  using asked_access = coalescing::access<Subject::lanes>;
  Subject about;

  constexpr named_answers(Subject const& of, bool is_used, use_limits const& of_use)
      : named_facts(of.called, of.level, of.unit, Subject::lanes, of.limits, is_used, of_use), about(of) {}

  [[nodiscard]] asked_access asked(lane_addresses at, std::uint64_t active) const {
    return detail::apply<Subject::lanes>(at, active, limits);
  }
  compared_cost cost(lane_addresses at, std::uint64_t active) const override {
    compared_cost numbers;
    detail::take_numbers(numbers, about.cost_of(asked(at, active)));
    return numbers;
  }
  std::vector<transaction> transactions(lane_addresses at, std::uint64_t active) const override {
    if (about.transactions_of == nullptr) refused::instruction_makes_no_transactions();
    auto const list = about.transactions_of(asked(at, active));
    return {list.begin(), list.end()};
  }
  std::vector<bank_phase> phases(lane_addresses at, std::uint64_t active) const override {
    if (about.phases_of == nullptr) refused::instruction_has_no_phases();
    auto const list = about.phases_of(asked(at, active));
    return {list.begin(), list.end()};
  }
  std::string explain(lane_addresses at, std::uint64_t active) const override {
    explanation out;
    detail::say_all(out, about, asked(at, active));
    return out.c_str();
  }
  std::string draw(lane_addresses at, std::uint64_t active, caption of, bool as_svg) const override {
    auto const written = [of, as_svg](auto const& drawn) {
      auto const wanted = figure::captioned(drawn, of);
      return as_svg ? wanted.svg() : wanted.terminal();
    };
    if (about.rounds_are_stacks) {
      if constexpr (requires(cost_type const& cost) { cost.transactions; })
        if (about.transactions_of != nullptr) return written(figure::figure_of_memory(about, asked(at, active)));
      if constexpr (requires(cost_type const& cost) { cost.rounds; })
        if (about.phases_of != nullptr) return written(figure::figure_of_banks(about, asked(at, active)));
    }
    refused::instruction_has_no_figure();
  }
  bank_cost<> rounds(access<64> const& from, std::uint64_t any) const override {
    if constexpr (requires(cost_type const& cost) { cost.rounds; }) {
      if (about.check_wave != nullptr && from.active != 0) about.check_wave(from.active);
      auto const cost = about.cost_of(
          detail::moved_by<Subject::lanes>(from, from.active & wave_mask<Subject::lanes>, any, 0, limits));
      return {.rounds = cost.rounds, .conflicts = cost.conflicts, .phases = cost.phases, .ways = cost.ways};
    } else {
      refused::use_has_no_rounds();
    }
  }
};

/// Whether co::suggest accepts accesses by the instruction (suggest/uses.hpp).
template <class Instruction>
concept can_be_used = is_on_one_piece<Instruction> && has_rounds<Instruction>;

template <class Instruction>
constexpr auto facts_named() {
  constexpr auto of = detail::subject_of<Instruction>();
  if constexpr (can_be_used<Instruction>)
    return named_answers(of, true, detail::limits_of_use<Instruction>());
  else
    return named_answers(of, false, use_limits{});
}
template <class Instruction>
inline constexpr auto named_facts_of = facts_named<Instruction>();

/// Gives a machine more names. `words` are separated by blanks; each becomes a name after the family.
inline void add_names(named_machine& to, std::string const& family, std::string_view words) {
  while (!words.empty()) {
    std::string_view const word = words.substr(0, words.find(' '));
    to.also.push_back(family + "::" + std::string(word));
    words.remove_prefix(word.size() == words.size() ? word.size() : word.size() + 1);
  }
}

/// Collects the instructions of a machine, one by one. Instructions that the machine lacks are left out.
struct named_listing {
  named_machine& to;

  template <touch Kind, class Instruction>
  void add() const {
    if constexpr (!is_missing<Instruction>) append(Kind, named_facts_of<Instruction>);
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
