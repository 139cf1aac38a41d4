// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/explain/counters.hpp>
#include <coalesce/explain/numbers.hpp>
#include <coalesce/explain/subject.hpp>

#include <cstddef>

// Writes the part of an explanation that does not depend on the pattern: the rules of an instruction's numbers, the
// facts that the rules rest on, and a profiler's counters.

namespace coalescing::detail {

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
/// Whether two sources are the same. The first letters are compared before any function is called, since compilers
/// limit the number of calls in a constant expression.
COALESCE_API constexpr bool same_source(source const& a, source const& b) {
  return *a.claim == *b.claim && detail::same_words(a.claim, b.claim) && detail::same_words(a.document, b.document) &&
         detail::same_words(a.section, b.section) && detail::same_words(a.assumes, b.assumes);
}

/// A source, and what rests on the source: a number of a cost, or a fact with its value.
struct citation {
  char const* name = "";
  std::uint64_t value = 0;  ///< the value of a fact; 0: no value is written
  source const* from = nullptr;
};
/// Writes a line for each distinct source: the numbers or facts that rest on it, and its claim.
template <std::size_t Capacity>
COALESCE_API constexpr void say_sources(text<Capacity>& out, citation const* first, unsigned count, char const* between,
                                        bool with_address = true) {
  for (unsigned k = 0; k != count; ++k) {
    source const& from = *first[k].from;
    bool said = false;
    for (unsigned j = 0; j != k && !said; ++j) said = detail::same_source(*first[j].from, from);
    if (said) continue;
    out.append("  ");
    for (unsigned j = k; j != count; ++j) {
      if (j != k && !detail::same_source(*first[j].from, from)) continue;
      if (j != k) out.append(", ");
      if (first[j].value != 0) detail::say(out, first[j].value, " ");
      out.append(first[j].name);
    }
    out.append(between);
    detail::put_source(out, from, with_address);
  }
}

/// Writes a line for each source of the facts: the facts that rest on it, and its claim. Sources that the rules have
/// cited already are left out. (Instruction::rests_on has the web address of each source.)
template <std::size_t Capacity>
COALESCE_API constexpr void say_facts(text<Capacity>& out, fact_list const& facts, citation const* rules,
                                      unsigned count) {
  citation rest[sizeof(fact_list::items) / sizeof(named_fact)] = {};
  unsigned rests = 0;
  for (named_fact const& figure : facts) {
    bool said = false;
    for (unsigned k = 0; k != count && !said; ++k) said = detail::same_source(*rules[k].from, figure.from);
    if (!said) rest[rests++] = {figure.name, figure.value, &figure.from};
  }
  if (rests != 0) out.append("Rests on:\n");
  detail::say_sources(out, rest, rests, ": ", false);
}

/// Writes a line for each of an instruction's counters, then their sources, then the numbers that have no counter.
template <std::size_t Capacity>
COALESCE_API constexpr void say_counters(text<Capacity>& out, citation const* numbers, unsigned count,
                                         counter_key const& key) {
  counter_list const counters = detail::counters_for(key);
  citation shown[sizeof(counter_list::items) / sizeof(counter)] =
      {};  // for each counter line that was written: its source
  unsigned written = 0, without = 0;
  char const* missing[64] = {};
  for (unsigned k = 0; k != count; ++k) {
    unsigned const before = written;
    for (counter const& line : counters) {
      if (!detail::same_words(line.number, numbers[k].name)) continue;
      shown[written++] = {line.number, 0, &line.from};
      detail::say(out, "  ", line.number, " = ", line.name);
      if (*line.executed != '\0') detail::say(out, " / ", line.executed);
      if (*line.sass != '\0') detail::say(out, ", each ", line.sass);
      if (line.has_ideal) out.append("; ideal: with _ideal");
      if (*line.noise != '\0') detail::say(out, "; ", line.noise);
      out.append("\n");
    }
    if (written == before) missing[without++] = numbers[k].name;
  }
  detail::say_sources(out, shown, written, ", by: ");
  for (unsigned k = 0; k != without; ++k) detail::say(out, k == 0 ? "  " : ", ", missing[k]);
  if (without == 0) return;
  char const* const why = detail::why_no_counter(key);
  detail::say(out, ": no counter is known to count the same", *why == '\0' ? "" : ": ", why, "\n");
}

/// Writes the part of an explanation that does not depend on the pattern: the rule of each number, the facts, the
/// counters.
template <class Subject, std::size_t Capacity>
COALESCE_API constexpr void say_rules(text<Capacity>& out, Subject const& of) {
  using numbers = numbers_in<typename Subject::cost_type>;
  auto const rules = numbers_in<decltype(*of.sources)>::from(*of.sources);
  citation cited[numbers::count] = {};
  for (unsigned k = 0; k != numbers::count; ++k) cited[k] = {numbers::name().of[k].characters, 0, &rules.of[k]};

  out.append("Rules:\n");
  detail::say_sources(out, cited, numbers::count, ": ");
  if (of.rests_on != nullptr) detail::say_facts(out, *of.rests_on, cited, numbers::count);
  out.append("Profiler, summed over such instructions:\n");
  detail::say_counters(out, cited, numbers::count, detail::key_of(of.called));
}

}  // namespace coalescing::detail
