// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/explain/counters.hpp>
#include <coalesce/explain/subject.hpp>
#include <coalesce/figure/asked.hpp>
#include <coalesce/figure/list.hpp>

#include <cstdint>
#include <string>

// The caption of a figure: the name of the instruction, the pattern, the numbers, the rules that the numbers rest on,
// and the profiler's counters to compare the numbers with.

namespace coalescing {

/// Which words a picture has: the whole caption, or the title alone, for pages and slides that give the sources
/// elsewhere.
enum class caption { whole, title };
COALESCE_API constexpr bool is_enumerator(caption value) { return value == caption::whole || value == caption::title; }

}  // namespace coalescing

namespace coalescing::detail::figure {

inline std::string decimal(std::uint64_t number) { return std::to_string(number); }
inline std::string hexadecimal(std::uint64_t number) {
  std::string digits;
  do digits.insert(digits.begin(), "0123456789abcdef"[number % 16]);
  while ((number /= 16) != 0);
  return "0x" + digits;
}
/// A number with its noun: "1 clock", "4 clocks".
inline std::string counted(std::uint64_t number, char const* noun) {
  return decimal(number) + ' ' + noun + (number == 1 ? "" : "s");
}

// ---- The caption ----

struct caption_words {
  std::string title;        ///< the instruction, the pattern and the main number
  list<std::string> lines;  ///< further numbers, the rules, and the profiler's counters
};
/// The beginning of a title: the instruction and the pattern.
template <unsigned Lanes>
std::string named_access(instruction_name const& called, access<Lanes> const& asked) {
  return std::string(detail::full_name(called).characters) + pattern_of(asked) + ": ";
}

inline char const* place_of(level where) {
  switch (where) {
    case level::dram:
      return "to DRAM";
    case level::l2:
      return "at L2";
    case level::l1:
      return "at L1";
    case level::l0:
      return "at L0";
    case level::constant_cache:
      return "at the constant cache";
    case level::lds:
      break;
  }
  return "";
}
/// Adds the rule that decides a number, with its document.
inline void cite(caption_words& words, char const* number, source const& from) {
  std::string text =
      std::string(number) + ": " + from.claim + " (" + detail::words_of(from.evidence) + ": " + from.document;
  for (char const* more : {from.edition, from.section})
    if (*more != '\0') text += std::string(", ") + more;
  text += ')';
  if (*from.assumes != '\0') text += std::string("; taken for granted: ") + from.assumes;
  words.lines.push_back(text);
}

/// Adds the profiler's counters of a number, if any are known. (co::explain says why a counter may differ.)
inline void cite_counter(caption_words& words, instruction_name const& called, char const* number) {
  for (counter const& line : detail::counters_for(detail::key_of(called))) {
    if (!detail::same_words(line.number, number)) continue;
    std::string text = std::string("profiler: ") + number + " = " + line.name;
    if (*line.executed != '\0') text += std::string(" / ") + line.executed;
    if (*line.sass != '\0') text += std::string(", each ") + line.sass;
    if (line.may_be == deviation::more) text += " (may show more)";
    if (line.may_be == deviation::fewer) text += " (may show fewer)";
    if (line.may_be == deviation::either) text += " (may show more or fewer)";
    words.lines.push_back(text);
  }
}

/// The ideal of a number, in words. It is the same ideal as in co::explain: the cost of the same active lanes on
/// neighbouring words.
inline std::string beside(std::uint64_t ideal) { return " (ideal: " + decimal(ideal) + ')'; }

/// The caption of an access to global memory.
template <class Subject>
caption_words caption_of_memory(Subject const& of, typename Subject::cost_type const& cost,
                                access<Subject::lanes> const& asked) {
  auto const ideal = detail::ideal_of(of, asked);
  caption_words words{named_access(of.called, asked), {}};
  if constexpr (requires { cost.clocks; })
    words.title +=
        counted(cost.clocks, "clock") + (of.level == level::l0 ? " at L0" : " at L1") + beside(ideal.clocks) + ", ";
  words.title += counted(cost.transactions, "transaction") + ' ' + place_of(of.level) + beside(ideal.transactions);
  words.lines.push_back(decimal(cost.bytes_used) + " bytes used of " + decimal(cost.bytes_moved) + " moved");
  cite(words, "transactions", of.sources->transactions);
  if constexpr (requires { cost.clocks; }) cite(words, "clocks", of.sources->clocks);
  cite_counter(words, of.called, "transactions");
  return words;
}
/// The caption of an access to shared memory or LDS.
template <class Subject>
caption_words caption_of_banks(Subject const& of, typename Subject::cost_type const& cost,
                               access<Subject::lanes> const& asked) {
  caption_words words{
      named_access(of.called, asked) + counted(cost.rounds, "round") + beside(detail::ideal_of(of, asked).rounds), {}};
  words.lines.push_back(counted(cost.phases, "phase") + ", " + counted(cost.conflicts, "conflict") +
                        (cost.ways > 1 ? "; at worst " + decimal(cost.ways) + "-way" : "") + "; " + decimal(of.banks) +
                        " banks of " + decimal(of.unit) + " bytes");
  if constexpr (requires { cost.rounds_at_least; })
    if (cost.rounds_at_least != cost.rounds)
      words.lines.back() += "; drawn with the worst choices, with the best " + decimal(cost.rounds_at_least);
  cite(words, "rounds", of.sources->rounds);
  cite_counter(words, of.called, "rounds");
  return words;
}

}  // namespace coalescing::detail::figure
