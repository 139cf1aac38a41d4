// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/core/name.hpp>
#include <coalesce/core/source.hpp>
#include <coalesce/core/text.hpp>
#include <coalesce/explain/counters.hpp>
#include <coalesce/explain/numbers.hpp>
#include <coalesce/explain/reasons.hpp>
#include <coalesce/explain/words.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

// co::explain<Instruction>(pattern[, active]): what it costs, why, by which rule of which document, and what a profiler
// should show: a text, in a constant expression too. The machines come from their own headers.

namespace coalescing {

namespace detail {

/// The facts that an instruction's numbers rest on; none where it declares none.
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

/// A line for each source: the numbers or figures that rest on it, and what it says.
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

/// A line for each source of a figure that no rule has named: the figures, and what it says. (Its address stands in
/// Instruction::rests_on.)
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

/// What does not depend on the pattern: a rule for each number, and what profilers count.
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
  } shown;  // the number of each counter, in the order in which they are said
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

/// The numbers, each with its ideal where that is missed.
template <std::size_t Capacity, class Names, class Values>
COALESCE_API constexpr void say_numbers(text<Capacity>& out, Names const& names, Values const& is,
                                        Values const& ideal) {
  unsigned k = 0;
  for (std::uint64_t const number : is.of) {
    std::uint64_t const best = ideal.of[k];
    detail::say(out, "  ", names.of[k++], " ", number);
    if (number > best && best != 0 && number % best == 0)
      detail::say(out, ", ideal ", best, ": ", number / best, " times that");
    else if (number > best)
      detail::say(out, ", ideal ", best, ": ", number - best, " more");
    out.append("\n");
  }
}

/// Whether there are more pieces or bytes.
template <class Cost>
COALESCE_API constexpr bool has_more_pieces(Cost const& cost, Cost const& ideal) {
  bool const more = cost.transactions > ideal.transactions || cost.bytes_moved > ideal.bytes_moved;
  if constexpr (requires { cost.partial_sectors; })
    return more || cost.partial_sectors > ideal.partial_sectors;
  else
    return more;
}
/// Whether lanes wait for one another in the banks.
template <class Cost>
COALESCE_API constexpr bool has_conflicts(Cost const& cost) {
  if constexpr (requires { cost.conflicts; })
    return cost.conflicts != 0;
  else
    return false;
}

/// Of global memory: pieces, else the lines around them, else the passes of L1's data stage.
template <class Instruction, std::size_t Capacity>
COALESCE_API constexpr void say_why_memory(text<Capacity>& out, access<Instruction::lanes> const& asked,
                                           typename Instruction::cost_type const& cost,
                                           typename Instruction::cost_type const& ideal) {
  if constexpr (requires { Instruction::serve::first_out_of_order(asked); }) {
    if (detail::has_more_pieces(cost, ideal)) detail::say_why_order<Instruction>(out, asked);
    return;
  }
  if (detail::has_more_pieces(cost, ideal))
    return detail::say_why_pieces<Instruction>(
        out, asked, Instruction::transactions_of(asked), detail::name_declared_by<Instruction>().machine.family,
        [](auto const& of) { return of.transactions; }, ideal.transactions);
  if constexpr (requires { cost.lines; })
    if (cost.lines > ideal.lines)
      return detail::say_why_pieces<Instruction>(
          out, asked, detail::segments_of<Instruction::lanes>(asked, Instruction::line_bytes), family{},
          [](auto const& of) { return of.lines; }, ideal.lines);
  if constexpr (requires { cost.data_wavefronts; })
    if (cost.data_wavefronts > ideal.data_wavefronts)
      detail::say_why_group<Instruction, Instruction::data_lanes.value>(
          out, asked, " data_wavefronts", [](auto const& of) { return of.data_wavefronts; });
}

/// The first lanes to blame, each reason a line: a line at least where a number is above its ideal.
template <class Instruction, std::size_t Capacity>
COALESCE_API constexpr void say_why(text<Capacity>& out, access<Instruction::lanes> const& asked,
                                    typename Instruction::cost_type const& cost,
                                    typename Instruction::cost_type const& ideal) {
  auto const before = out.length;
  if constexpr (requires { cost.conflicts; }) {
    if (detail::has_more_rounds(cost, ideal)) detail::say_why_banks<Instruction>(out, asked, ideal);
  } else if constexpr (requires { Instruction::transactions_of(asked); }) {
    detail::say_why_memory<Instruction>(out, asked, cost, ideal);
  } else if constexpr (Instruction::level == level::constant_cache) {
    // Lanes that are no request of their own at one word either: those of one part of a warp.
    auto const gap = detail::first_gap(asked, 0, [&](unsigned first, unsigned second) {
      auto const two = detail::only(asked, std::uint64_t{1} << first | std::uint64_t{1} << second);
      return cost.requests <= ideal.requests ||
             Instruction::cost_of(two).requests > detail::ideal_of<Instruction>(two).requests;
    });
    if (gap.found) detail::say(out, "Why: ", gap, ": each address is a request\n");
  }
  if constexpr (requires { cost.clocks; })
    if (cost.clocks > ideal.clocks)
      detail::say_why_group<Instruction, Instruction::clock_lanes>(out, asked, " clocks",
                                                                   [](auto const& of) { return of.clocks; });
  if constexpr (requires { cost.lanes_on_one_address; })
    if (cost.lanes_on_one_address > ideal.lanes_on_one_address) detail::say_who_meets(out, asked);
  if (out.length == before)
    out.append(asked.active == 0 ? "Why: no lane is active\n"
               : detail::has_conflicts(cost)
                   ? "Why: the same lanes at neighbouring words have no fewer conflicts\n"
                   : "Why: nothing is dearer than for the same lanes at neighbouring words\n");
}

}  // namespace detail

/// Why an access costs what it costs: the instruction; each number, and the ideal where it is missed (the same active
/// lanes at neighbouring words, side by side or each at its own place: of a full wave co::ideal); the first lanes to
/// blame, where a number is above it; for each number the rule, its evidence and address, and the facts that the rules
/// rest on, each once; the profiler's counters, with what is known of their noise. Refuses what cost() refuses.
template <instruction Instruction, class Pattern, class Active = std::uint64_t>
[[nodiscard]] COALESCE_API constexpr auto explain(Pattern const& pattern, Active const& active = ~std::uint64_t{0}) {
  text<1600 + detail::rules_of<Instruction>.length> out;
  if constexpr (detail::well_formed<Pattern, Active, Instruction::lanes>) {
    using numbers = detail::numbers_in<typename Instruction::cost_type>;
    auto const& names = numbers::name();
    auto const asked = detail::apply<Instruction::lanes>(pattern, active, detail::limits_of<Instruction>());
    auto const cost = Instruction::cost_of(asked), ideal = detail::ideal_of<Instruction>(asked);

    detail::say(out, name_of<Instruction>(), ": ", std::uint64_t{Instruction::lanes},
                Instruction::lanes == 1 ? " lane of " : " lanes of ", std::uint64_t{Instruction::bytes},
                Instruction::bytes == 1 ? " byte, active: " : " bytes, active: ");
    if (asked.active == detail::wave_mask<Instruction::lanes>)
      out.append("all");
    else
      detail::put(out, detail::lanes_named{asked.active});
    out.append("\n");
    detail::say_numbers(out, names, numbers::value(cost), numbers::value(ideal));
    detail::say_why<Instruction>(out, asked, cost, ideal);
    out.append(detail::rules_of<Instruction>.characters);
  } else {
    detail::ill_formed<typename Instruction::cost_type, Pattern, Active, Instruction::lanes>();
  }
  return out;
}

}  // namespace coalescing
