// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/explain/domain.hpp>
#include <coalesce/explain/reasons.hpp>
#include <coalesce/explain/rules.hpp>

#include <cstddef>
#include <cstdint>

// co::explain<Instruction>(pattern[, active]) says in a text what an access costs, why, by which rule of which
// document, and what a profiler should show. It works in a constant expression too. The machines come from their own
// headers.

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

/// Whether an access has more rounds than its ideal, in sum or in one phase. (Rounds are phases plus conflicts.)
template <class Cost>
COALESCE_API constexpr bool has_more_rounds(Cost const& cost, Cost const& ideal) {
  bool more = cost.conflicts > ideal.conflicts || cost.ways > ideal.ways;
  if constexpr (requires { cost.rounds_at_least; }) more = more || cost.rounds_at_least > ideal.rounds_at_least;
  return more;
}

/// Whether some lanes, taken alone, have more rounds than their ideal.
template <class Instruction>
COALESCE_API constexpr bool phase_is_dearer(access<Instruction::lanes> const& asked, std::uint64_t lanes) {
  auto const of_phase = [&](auto const& all) { return Instruction::cost_of(detail::only(all, lanes)); };
  return detail::has_more_rounds(of_phase(asked), detail::lesser(of_phase(detail::in_place<Instruction>(asked)),
                                                                 of_phase(detail::side_by_side<Instruction>(asked))));
}
/// Writes the Why line of bank conflicts: the first phase that takes more rounds than on neighbouring words. There is
/// such a phase whenever a number is above its ideal: the ideal is the lesser of two sums over these phases.
template <class Instruction, std::size_t Capacity>
COALESCE_API constexpr void say_why_banks(text<Capacity>& out, access<Instruction::lanes> const& asked,
                                          typename Instruction::cost_type const& ideal) {
  auto const list = Instruction::phases_of(asked);
  for (std::uint64_t k = 0; k != list.count; ++k) {
    bank_phase const& phase = list.items[k];
    if (phase.rounds <= 1) continue;
    // More than one round may be ideal.
    if (ideal.ways > 1 && !detail::phase_is_dearer<Instruction>(asked, phase.lanes)) continue;
    return detail::say_phase(out, detail::seen_by_banks<Instruction>(asked), Instruction::unit, phase, k + 1,
                             list.count);
  }
}

/// Writes the Why line of atomics: the lanes that name the first address with more than one lane.
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

/// Whether an access touches more pieces of memory than its ideal, or moves more bytes.
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

/// A number of the cost of an access, and of its ideal.
template <class Instruction, auto Number>
COALESCE_API constexpr std::uint64_t number_taken(access<Instruction::lanes> const& asked) {
  return Instruction::cost_of(asked).*Number;
}
template <class Instruction, auto Number>
COALESCE_API constexpr std::uint64_t ideal_number(access<Instruction::lanes> const& asked) {
  return detail::ideal_of<Instruction>(asked).*Number;
}
template <class Instruction, auto Number>
COALESCE_API constexpr auto counted_for_groups(char const* noun) {
  number_of_groups<Instruction::lanes> number{noun, number_taken<Instruction, Number>,
                                              ideal_number<Instruction, Number>, nullptr};
  if constexpr (requires(access<Instruction::lanes> const& asked) { Instruction::break_a_run(asked, 0u, 0u); })
    number.breaks_a_run = Instruction::break_a_run;
  return number;
}
template <class Instruction, auto Number, class List>
COALESCE_API constexpr auto pieces_of(List const& list, family const& words, std::uint64_t best) {
  pieces_touched<Instruction::lanes> pieces{
      list.items, list.count, touched_bytes<Instruction>,        bytes_to_the_next_word<Instruction>,
      0,          words,      number_taken<Instruction, Number>, best};
  if constexpr (requires { Instruction::serve::segment; }) pieces.segment = Instruction::serve::segment;
  return pieces;
}

/// Writes the Why line of global memory. It blames pieces, else the lines around them, else the passes of L1's data
/// stage.
template <class Instruction, std::size_t Capacity>
COALESCE_API constexpr void say_why_memory(text<Capacity>& out, access<Instruction::lanes> const& asked,
                                           typename Instruction::cost_type const& cost,
                                           typename Instruction::cost_type const& ideal) {
  using numbers = typename Instruction::cost_type;
  if constexpr (requires { Instruction::serve::first_out_of_order(asked); }) {
    if (detail::has_more_pieces(cost, ideal)) detail::say_why_order<Instruction>(out, asked);
    return;
  }
  if (detail::has_more_pieces(cost, ideal)) {
    auto const list = Instruction::transactions_of(asked);
    return detail::say_why_pieces(
        out, asked,
        detail::pieces_of<Instruction, &numbers::transactions>(
            list, detail::name_declared_by<Instruction>().machine.family, ideal.transactions));
  }
  if constexpr (requires { cost.lines; })
    if (cost.lines > ideal.lines) {
      auto const list = detail::segments_of<Instruction::lanes>(asked, Instruction::line_bytes);
      return detail::say_why_pieces(out, asked,
                                    detail::pieces_of<Instruction, &numbers::lines>(list, family{}, ideal.lines));
    }
  if constexpr (requires { cost.data_wavefronts; })
    if (cost.data_wavefronts > ideal.data_wavefronts)
      detail::say_why_group(out, asked, Instruction::data_lanes.value,
                            detail::counted_for_groups<Instruction, &numbers::data_wavefronts>(" data_wavefronts"));
}

/// Writes a Why line for each reason, with the first lanes to blame. There is at least one line; it says so if no
/// number is above its ideal.
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
    // Blames only lanes of one part of a warp, since only these can share a request.
    auto const gap = detail::first_gap(asked, 0, [&](unsigned first, unsigned second) {
      auto const two = detail::only(asked, std::uint64_t{1} << first | std::uint64_t{1} << second);
      return cost.requests <= ideal.requests ||
             Instruction::cost_of(two).requests > detail::ideal_of<Instruction>(two).requests;
    });
    if (gap.found) detail::say(out, "Why: ", gap, ": each address is a request\n");
  }
  if constexpr (requires { cost.clocks; })
    if (cost.clocks > ideal.clocks)
      detail::say_why_group(out, asked, Instruction::clock_lanes,
                            detail::counted_for_groups<Instruction, &Instruction::cost_type::clocks>(" clocks"));
  if constexpr (requires { cost.lanes_on_one_address; })
    if (cost.lanes_on_one_address > ideal.lanes_on_one_address) detail::say_who_meets(out, asked);
  if (out.length == before)
    out.append(asked.active == 0 ? "Why: no lane is active\n"
               : detail::has_conflicts(cost)
                   ? "Why: these lanes conflict at least as often on neighbouring words\n"
                   : "Why: nothing is dearer than for the same lanes at neighbouring words\n");
}

}  // namespace detail

/// Explains the cost of an access. The text has these parts:
/// - the instruction, and the active lanes;
/// - each number. Beside each number that could be lower stands its ideal: the cost of the same active lanes on
///   neighbouring words, packed or in their own places, whichever is lower (for a full wave co::ideal);
/// - the first lanes to blame, if a number is above its ideal;
/// - the rule of each number, with its document, evidence and address, and the facts that the rules rest on, each once;
/// - the profiler's counters, with what else they are known to count.
/// Refused: what cost() refuses.
template <instruction Instruction, class Pattern, class Active = std::uint64_t>
[[nodiscard]] COALESCE_API constexpr auto explain(Pattern const& pattern, Active const& active = ~std::uint64_t{0}) {
  text<9600> out;  // all instructions have one capacity, so that they share the functions that write
  if constexpr (detail::well_formed<Pattern, Active, Instruction::lanes>) {
    using numbers = detail::numbers_in<typename Instruction::cost_type>;
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
    detail::say_numbers(out, numbers::name(), numbers::value(cost), numbers::value(ideal));
    detail::say_why<Instruction>(out, asked, cost, ideal);
    detail::say_rules<Instruction>(out);
  } else {
    detail::ill_formed<typename Instruction::cost_type, Pattern, Active, Instruction::lanes>();
  }
  return out;
}

/// Explains the worst point of a domain, and says which it is: the first with the most rounds, or clocks; else with the
/// most transactions or requests. `active` is a mask, a predicate of the lane, or a predicate of all numbers. Refused:
/// what co::worst() refuses.
template <instruction Instruction, class Pattern, unsigned Rank, class Active = detail::everyone>
[[nodiscard]] COALESCE_API constexpr auto explain(Pattern const& pattern, domain<Rank> const& over,
                                                  Active const& active = {}) {
  detail::worst_point<Instruction> worst;
  if constexpr (detail::takes_a_point<Pattern, Rank>) {
    worst.find(pattern, over, active);
    auto const why =
        coalescing::explain<Instruction>(detail::at_point<Rank, Pattern>{pattern, worst.at},
                                         detail::mask_of<Instruction::lanes>(detail::mask_at<Rank>(active, worst.at)));
    text<detail::where_capacity + sizeof why.characters> all;
    worst.say_where(all, over);
    all.append(why.characters);
    return all;
  } else {
    worst.find(pattern, over, active);  // says what is wrong
    return text<1>{};
  }
}

}  // namespace coalescing
