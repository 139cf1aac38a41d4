// SPDX-License-Identifier: BSL-1.0
#pragma once
#ifdef __GNUC__  // g++ 12 warns where a user's global has the name of a parameter in these headers
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
#include <coalesce/explain/domain.hpp>
#include <coalesce/explain/reasons.hpp>
#include <coalesce/explain/rules.hpp>

#include <cstddef>
#include <cstdint>

// co::explain<Instruction>(pattern[, active]) writes a text: what an access costs and why, the rules that decide this
// and their documents, and what a profiler should show. It works in a constant expression too. This header defines no
// machine: include cuda.hpp, gcn.hpp, cdna.hpp or rdna.hpp too.

namespace coalescing {

namespace detail {

/// Writes the numbers. Beside each number that could be lower stands its ideal.
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

/// Whether an access has more rounds than its ideal, in total or in its worst phase. (Rounds are phases plus
/// conflicts.)
template <class Cost>
COALESCE_API constexpr bool has_more_rounds(Cost const& cost, Cost const& ideal) {
  bool const more = cost.conflicts > ideal.conflicts || cost.ways > ideal.ways;
  if constexpr (requires { cost.rounds_at_least; })
    return more || cost.rounds_at_least > ideal.rounds_at_least;
  else
    return more;
}

/// Whether the lanes of one phase, `lanes`, take more rounds than they take if all active lanes access neighbouring
/// words.
template <class Subject>
COALESCE_API constexpr bool phase_is_dearer(Subject const& of, access<Subject::lanes> const& asked,
                                            std::uint64_t lanes) {
  auto const of_phase = [&](auto const& all) { return of.cost_of(detail::only(all, lanes)); };
  auto const in_place = detail::apply<Subject::lanes>(of.neighbours, asked.active, of.limits);
  auto const together = detail::moved_together(asked, static_cast<std::uint64_t>(of.neighbours.stride));
  return detail::has_more_rounds(of_phase(asked), detail::lesser(of_phase(in_place), of_phase(together)));
}
/// Writes the Why line of bank conflicts. It names the first phase that takes more rounds than its lanes would on
/// neighbouring words. Such a phase exists if the whole access takes more rounds than its ideal: both are sums over the
/// same phases.
template <class Subject, std::size_t Capacity>
COALESCE_API constexpr void say_why_banks(text<Capacity>& out, Subject const& of, access<Subject::lanes> const& asked,
                                          typename Subject::cost_type const& ideal) {
  auto const list = of.phases_of(asked);
  for (std::uint64_t k = 0; k != list.count; ++k) {
    bank_phase const& phase = list.items[k];
    if (phase.rounds <= 1) continue;
    // If even the ideal access has a phase of several rounds, several rounds alone are not a fault. Then this phase is
    // named only if its lanes would take fewer rounds on neighbouring words.
    if (ideal.ways > 1 && !detail::phase_is_dearer(of, asked, phase.lanes)) continue;
    return detail::say_phase(out, detail::seen_by_banks(of, asked), of.unit, phase, k + 1, list.count);
  }
}

/// Writes the Why line of atomics: the first address that several lanes name, and which lanes these are.
template <std::size_t Capacity, unsigned Lanes>
COALESCE_API constexpr void say_who_meets(text<Capacity>& out, access<Lanes> const& asked) {
  for (unsigned lane = 0; lane != Lanes; ++lane) {
    std::uint64_t met = 0;
    for (unsigned other = lane; other != Lanes && (asked.active >> lane & 1) != 0; ++other)
      if ((asked.active >> other & 1) != 0 && asked.address[other] == asked.address[lane])
        met |= std::uint64_t{1} << other;
    if ((met & (met - 1)) == 0) continue;
    return detail::say(out, "Why: ", lanes_named{met}, " name byte ", asked.address[lane],
                       ": their operations follow one another\n");
  }
}

/// Whether an access has more transactions or more partial sectors than its ideal, or moves more bytes.
template <class Cost>
COALESCE_API constexpr bool has_more_pieces(Cost const& cost, Cost const& ideal) {
  bool const more = cost.transactions > ideal.transactions || cost.bytes_moved > ideal.bytes_moved;
  if constexpr (requires { cost.partial_sectors; })
    return more || cost.partial_sectors > ideal.partial_sectors;
  else
    return more;
}
/// Whether lanes wait for one another because they want one bank.
template <class Cost>
COALESCE_API constexpr bool has_conflicts(Cost const& cost) {
  if constexpr (requires { cost.conflicts; })
    return cost.conflicts != 0;
  else
    return false;
}

/// Writes the Why line of a number that is counted for each group of lanes by itself (explain/reasons.hpp has the
/// sentence).
template <class Subject, std::size_t Capacity>
COALESCE_API constexpr void say_why_group(text<Capacity>& out, Subject const& of, access<Subject::lanes> const& asked,
                                          unsigned lanes_of_group, char const* noun,
                                          std::uint64_t Subject::cost_type::*number) {
  detail::say_why_group(
      out, asked, lanes_of_group, noun, [&](auto const& some) { return of.cost_of(some).*number; },
      [&](auto const& some) { return detail::ideal_of(of, some).*number; }, of.breaks_a_run);
}

/// Writes the Why line of global memory. On CC 1.0 and 1.1 it blames the order of the lanes. Elsewhere it blames the
/// first of these numbers that is above its ideal:
/// - the transactions, or the bytes that they move;
/// - the lines;
/// - the passes through L1's data stage.
template <class Subject, std::size_t Capacity>
COALESCE_API constexpr void say_why_memory(text<Capacity>& out, Subject const& of, access<Subject::lanes> const& asked,
                                           typename Subject::cost_type const& cost,
                                           typename Subject::cost_type const& ideal) {
  auto const say_pieces = [&](auto const& list, family const& words, std::uint64_t best, auto number) {
    auto const count_of = [&](auto const& moved) { return of.cost_of(moved).*number; };
    detail::say_why_pieces(
        out, asked, pieces_touched{list.items, list.count, of.bytes, of.word, of.segment, words, best}, count_of);
  };
  if (of.first_out_of_order != nullptr) {
    if (detail::has_more_pieces(cost, ideal)) detail::say_why_order(out, of, asked);
    return;
  }
  if (detail::has_more_pieces(cost, ideal))
    return say_pieces(of.transactions_of(asked), of.words, ideal.transactions, &Subject::cost_type::transactions);
  if constexpr (requires { cost.lines; })
    if (cost.lines > ideal.lines)
      return say_pieces(detail::segments_of<Subject::lanes>(asked, of.line_bytes), family{}, ideal.lines,
                        &Subject::cost_type::lines);
  if constexpr (requires { cost.data_wavefronts; })
    if (cost.data_wavefronts > ideal.data_wavefronts)
      detail::say_why_group(out, of, asked, of.data_lanes, " data_wavefronts", &Subject::cost_type::data_wavefronts);
}

/// Writes a Why line for each reason, with the first lanes to blame. If no number is above its ideal, it writes one
/// line that says so.
template <class Subject, std::size_t Capacity>
COALESCE_API constexpr void say_why(text<Capacity>& out, Subject const& of, access<Subject::lanes> const& asked,
                                    typename Subject::cost_type const& cost, typename Subject::cost_type const& ideal) {
  auto const before = out.length;
  if constexpr (requires { cost.conflicts; }) {
    if (detail::has_more_rounds(cost, ideal)) detail::say_why_banks(out, of, asked, ideal);
  } else if constexpr (requires { cost.transactions; }) {
    if (of.transactions_of != nullptr) detail::say_why_memory(out, of, asked, cost, ideal);
  } else if constexpr (requires { cost.requests; }) {  // loads through the constant cache
    // On CC 1.x lanes of different halves of a warp cannot share a request, so two such lanes are never blamed.
    auto const gap = detail::first_gap(asked, 0, [&](unsigned first, unsigned second) {
      auto const two = detail::only(asked, std::uint64_t{1} << first | std::uint64_t{1} << second);
      return cost.requests <= ideal.requests || of.cost_of(two).requests > detail::ideal_of(of, two).requests;
    });
    if (gap.found) detail::say(out, "Why: ", gap, ": each address is a request\n");
  }
  if constexpr (requires { cost.clocks; })
    if (cost.clocks > ideal.clocks)
      detail::say_why_group(out, of, asked, of.clock_lanes, " clocks", &Subject::cost_type::clocks);
  if constexpr (requires { cost.lanes_on_one_address; })
    if (cost.lanes_on_one_address > ideal.lanes_on_one_address) detail::say_who_meets(out, asked);
  if (out.length == before)
    out.append(asked.active == 0 ? "Why: no lane is active\n"
               : detail::has_conflicts(cost)
                   ? "Why: these lanes conflict at least as often on neighbouring words\n"
                   : "Why: no number is above its ideal, the cost of these lanes on neighbouring words\n");
}

/// The text of an explanation. It has one capacity for all instructions, so that the functions that write it are
/// compiled once.
using explanation = text<9600>;

template <class Subject>
COALESCE_API constexpr void say_all(explanation& out, Subject const& of, access<Subject::lanes> const& asked) {
  using numbers = detail::numbers_in<typename Subject::cost_type>;
  auto const cost = of.cost_of(asked), ideal = detail::ideal_of(of, asked);

  detail::say(out, detail::full_name(of.called), ": ", std::uint64_t{Subject::lanes},
              Subject::lanes == 1 ? " lane of " : " lanes of ", std::uint64_t{of.limits.bytes},
              of.limits.bytes == 1 ? " byte, active: " : " bytes, active: ");
  if (asked.active == detail::wave_mask<Subject::lanes>)
    out.append("all");
  else
    detail::put(out, detail::lanes_named{asked.active});
  out.append("\n");
  detail::say_numbers(out, numbers::name(), numbers::value(cost), numbers::value(ideal));
  detail::say_why(out, of, asked, cost, ideal);
  detail::say_rules(out, of);
}

}  // namespace detail

/// Explains the cost of an access. The text has these parts:
/// - the instruction, and the active lanes;
/// - each number. Beside each number that could be lower stands its ideal: the cost of the same active lanes on
///   neighbouring words. The words have no gaps, or have a gap for each inactive lane, whichever costs less. For a full
///   wave the ideal is co::ideal;
/// - the first lanes to blame, if a number is above its ideal;
/// - the rule of each number, with its document, evidence and web address;
/// - the facts that the rules rest on, except those whose source a rule has cited already;
/// - the profiler's counters for this access, and what else these counters are known to count.
/// Refused: what cost() refuses.
template <instruction Instruction, class Pattern, class Active = detail::every_lane>
[[nodiscard]] COALESCE_API constexpr auto explain(Pattern const& pattern, Active const& active = {}) {
  detail::explanation out;
  if constexpr (detail::well_formed<Pattern, Active, Instruction::lanes>) {
    constexpr auto of = detail::subject_of<Instruction>();
    detail::say_all(out, of,
                    detail::apply<Instruction::lanes>(pattern, detail::address_lanes<Instruction>(active), of.limits));
  } else {
    detail::ill_formed<typename Instruction::cost_type, Pattern, Active, Instruction::lanes>();
  }
  return out;
}

/// Explains the worst point of a domain, and says which point that is. It is the first point with the highest number of
/// rounds. If the cost has no rounds, points are compared by the first of these numbers that the cost has: clocks,
/// transactions, lanes on one address, requests. `active` is a mask, a predicate of the lane, or a predicate of the
/// pattern's arguments. Refused: what co::worst() refuses.
template <instruction Instruction, class Pattern, unsigned Rank, class Active = detail::everyone>
[[nodiscard]] COALESCE_API constexpr auto explain(Pattern const& pattern, domain<Rank> const& over,
                                                  Active const& active = {}) {
  detail::worst_point<Instruction> worst;
  if constexpr (detail::takes_a_point<Pattern, Rank>) {
    worst.find(pattern, over, active);
    auto const why = coalescing::explain<Instruction>(
        detail::at_point<Rank, Pattern>{pattern, worst.at},
        detail::mask_of<Instruction::lanes>(
            detail::address_lanes<Instruction>(detail::mask_at<Rank>(active, worst.at))));
    text<detail::where_capacity + sizeof why.characters> all;
    worst.say_where(all, over);
    all.append(why.characters);
    return all;
  } else {
    worst.find(pattern, over, active);  // its static_assert says what is wrong
    return text<1>{};
  }
}

}  // namespace coalescing
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif
