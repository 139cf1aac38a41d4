// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/explain/counters.hpp>
#include <coalesce/explain/numbers.hpp>

#include <cstddef>
#include <cstdint>

// The part of an explanation that is the same for every pattern: the rules of an instruction's numbers, the facts that
// they rest on, and a profiler's counters.

namespace coalescing::detail {

/// The facts that an instruction's numbers rest on. The list is empty if the instruction declares no facts.
template <class Instruction>
COALESCE_API constexpr fact_list facts_of() {
  if constexpr (requires { Instruction::rests_on; })
    return Instruction::rests_on;
  else
    return fact_list{};
}

template <std::size_t Capacity>
COALESCE_API constexpr void put_source(text<Capacity>& out, source const& from, bool with_address) {
  out.append(from.claim);
  if (!detail::same_words(from.address, "none needed")) {
    detail::say(out, " (", detail::words_of(from.evidence), ": ", from.document);
    if (*from.edition != '\0') detail::say(out, ", ", from.edition);
    if (*from.section != '\0') detail::say(out, ", ", from.section);
    out.append(")");
    if (*from.assumes != '\0') detail::say(out, ", assuming: ", from.assumes);
    if (with_address) detail::say(out, ", address: ", from.address);
  }
  out.append("\n");
}
COALESCE_API constexpr bool same_source(source const& a, source const& b) {
  return detail::same_words(a.claim, b.claim) && detail::same_words(a.document, b.document) &&
         detail::same_words(a.section, b.section) && detail::same_words(a.assumes, b.assumes);
}

/// Writes a line for each source: the numbers or figures that rest on it, and its claim.
template <std::size_t Capacity, class Names, unsigned Count>
COALESCE_API constexpr void say_sources(text<Capacity>& out, Names const& names, source const (&from)[Count],
                                        bool const (&is_asked)[Count], char const* between, bool with_address = true) {
  for (unsigned k = 0; k != Count; ++k) {
    bool said = !is_asked[k];
    for (unsigned j = 0; j != k; ++j) said = said || (is_asked[j] && detail::same_source(from[j], from[k]));
    if (said) continue;
    out.append("  ");
    for (unsigned j = k; j != Count; ++j)
      if (is_asked[j] && detail::same_source(from[j], from[k])) detail::say(out, j == k ? "" : ", ", names.of[j]);
    out.append(between);
    detail::put_source(out, from[k], with_address);
  }
}

/// Writes a line for each source of a figure that no rule has cited: the figures, and the source's claim. (The address
/// stands in Instruction::rests_on.)
template <class Instruction, std::size_t Capacity, unsigned Count>
COALESCE_API constexpr void say_facts(text<Capacity>& out, source const (&rules)[Count]) {
  constexpr fact_list facts = facts_of<Instruction>();
  constexpr unsigned most = facts.size() == 0 ? 1 : facts.size();
  struct {
    text<64> of[most];
  } names;
  source from[most];
  bool is_said[most] = {}, any = false;
  for (unsigned k = 0; k != facts.size(); ++k) {
    named_fact const& figure = facts.items[k];
    from[k] = figure.from, is_said[k] = true;
    for (source const& rule : rules) is_said[k] = is_said[k] && !detail::same_source(rule, figure.from);
    any = any || is_said[k];
    if (figure.value != 0) detail::say(names.of[k], figure.value, " ");
    names.of[k].append(figure.name);
  }
  if (any) out.append("Rests on:\n");
  detail::say_sources(out, names, from, is_said, ": ", false);
}

/// The part of an explanation that does not depend on the pattern: the rule of each number, the facts, the counters.
template <class Instruction>
COALESCE_API constexpr auto rules_in_words() {
  using numbers = numbers_in<typename Instruction::cost_type>;
  auto const& names = numbers::name();
  auto const rules = numbers_in<decltype(Instruction::sources)>::from(Instruction::sources);
  auto const counters = counters_of<Instruction>();
  bool all[numbers::count] = {}, counted[numbers::count] = {}, any = false;
  constexpr unsigned most = sizeof(counter_list::items) / sizeof(counter);
  struct {
    text<32> of[most];
  } shown;  // the number of each counter, in the order in which the counters are written
  source from[most];
  bool is_shown[most] = {};
  unsigned written = 0;

  text<8000> out;
  out.append("Rules:\n");
  for (bool& each : all) each = true;
  detail::say_sources(out, names, rules.of, all, ": ");
  detail::say_facts<Instruction>(out, rules.of);
  out.append("Profiler, summed over such instructions:\n");
  for (unsigned k = 0; k != numbers::count; ++k)
    for (counter const& line : counters)
      if (detail::same_words(line.number, names.of[k].characters)) {
        counted[k] = is_shown[written] = true;
        shown.of[written] = names.of[k], from[written++] = line.from;
        detail::say(out, "  ", names.of[k], " = ", line.name);
        if (*line.executed != '\0') detail::say(out, " / ", line.executed);
        if (*line.sass != '\0') detail::say(out, ", each ", line.sass);
        if (line.has_ideal) out.append("; ideal: with _ideal");
        if (*line.noise != '\0') detail::say(out, "; ", line.noise);
        out.append("\n");
      }
  detail::say_sources(out, shown, from, is_shown, ", by: ");
  for (unsigned k = 0; k != numbers::count; ++k)
    if (!counted[k]) detail::say(out, any ? ", " : "  ", names.of[k]), any = true;
  if (any) {
    char const* const why = detail::why_no_counter(key_of<Instruction>());
    detail::say(out, ": no counter is known to count the same", *why == '\0' ? "" : ": ", why, "\n");
  }
  return out;
}
/// A variable, so that a compiler makes the text once for each instruction.
template <class Instruction>
inline constexpr auto rules_of = rules_in_words<Instruction>();

}  // namespace coalescing::detail
