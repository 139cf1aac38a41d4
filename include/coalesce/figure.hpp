// SPDX-License-Identifier: BSL-1.0
#pragma once
#ifdef __GNUC__  // g++ 12 warns where a user's global has the name of a parameter in these headers
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
#include <coalesce/figure/memory.hpp>
#include <coalesce/figure/swizzle.hpp>

#include <cstdint>
#include <string>

// Draws what an instruction does with its lanes' addresses, as SVG or for a terminal. This header is opt-in and for
// host code only, since it allocates memory and uses std::string. The picture shows what co::transactions() and
// co::phases() list. The caption gives the numbers of co::cost().

namespace coalescing {

namespace detail::figure {

template <class Instruction>
concept lists_transactions = requires(access<Instruction::lanes> const& asked) {
  Instruction::transactions_of(asked);
};
template <class Instruction>
concept lists_phases = requires(access<Instruction::lanes> const& asked) {
  Instruction::phases_of(asked);
};

/// Whether the rule of bank conflicts repeats after each row of banks (one word of every bank), so that a picture can
/// show words row by row. The rule does not repeat in this way on CC 1.x, nor with 4-byte banks on CC 3.x.
template <class Instruction>
concept has_rows_of_banks = lists_phases<Instruction> && rounds_are_stacks<Instruction> &&
    (Instruction::period == Instruction::banks * Instruction::unit);
template <class Write, class Read>
concept share_banks = (Write::banks == Read::banks) && (Write::unit == Read::unit);

/// The answer after a failed static_assert, so that the compiler prints no further errors.
struct no_figure {
  caption_words says;
  static std::string svg() { return {}; }
  static std::string terminal() { return {}; }
};

/// The figure of an access to global memory.
template <class Subject>
memory_figure figure_of_memory(Subject const& of, access<Subject::lanes> const& asked) {
  auto const all = of.transactions_of(asked);
  memory_figure drawn{question(asked, of.bytes), list<transaction>(all.begin(), all.end()),
                      caption_of_memory(of, of.cost_of(asked), asked), of.unit};
  if constexpr (requires(typename Subject::cost_type const& cost) { cost.clocks; })
    if (of.clock_lanes != 0 &&
        of.clock_lanes < columns)  // clocks are drawn only for groups of fewer lanes than a row of the picture has
      for (unsigned from = 0; from != Subject::lanes; from += of.clock_lanes)
        drawn.clocks.push_back(static_cast<unsigned>(
            of.cost_of(detail::only(asked, wave_mask<64> >> (64 - of.clock_lanes) << from)).clocks));
  drawn.arrange();
  return drawn;
}
/// The figure of an access to shared memory or LDS.
template <class Subject>
bank_figure figure_of_banks(Subject const& of, access<Subject::lanes> const& asked) {
  auto const all = of.phases_of(asked);
  auto const says = caption_of_banks(of, of.cost_of(asked), asked);
  auto const seen = detail::seen_by_banks(of, asked);
  bank_figure drawn{question(seen, seen.bytes), list<bank_phase>(all.begin(), all.end()), says, of.banks, of.unit};
  drawn.arrange();
  return drawn;
}

/// The figure of an access: a memory_figure or a bank_figure.
template <class Instruction, class Pattern, class Active>
auto figure_of(Pattern const& pattern, Active const& active) {
  constexpr bool stacks = rounds_are_stacks<Instruction>;
  static_assert(is_missing<Instruction> || lists_transactions<Instruction> || lists_phases<Instruction>,
                "there is no figure of this instruction: it has neither transactions() nor phases()");
  static_assert(stacks,
                "there is no figure of two addresses a lane (draw each), of words wider than a bank on CC 1.x, nor of "
                "128-bit words of shared memory on CC 2.x: their rounds are not stacks of words");
  constexpr bool asked_well = detail::well_formed<Pattern, Active, Instruction::lanes>;
  if constexpr (!asked_well) {
    static_cast<void>(coalescing::cost<Instruction>(pattern, active));  // its static_assert says what is wrong
    return no_figure{};
  } else if constexpr (lists_transactions<Instruction>) {
    constexpr auto of = detail::subject_of<Instruction>();
    return figure_of_memory(
        of, detail::apply<Instruction::lanes>(pattern, detail::address_lanes<Instruction>(active), of.limits));
  } else if constexpr (lists_phases<Instruction> && stacks) {
    constexpr auto of = detail::subject_of<Instruction>();
    return figure_of_banks(
        of, detail::apply<Instruction::lanes>(pattern, detail::address_lanes<Instruction>(active), of.limits));
  } else {
    return no_figure{};
  }
}

/// The figure with the caption that the caller asks for: caption::title leaves out the lines below the title.
template <class Figure>
Figure captioned(Figure drawn, caption of) {
  detail::check_enumerator(of);
  if (of == caption::title) drawn.says.lines.clear();
  return drawn;
}

}  // namespace detail::figure

/// Draws an access as SVG. It is 800 pixels wide, and light or dark like the reader's system. The title has the
/// instruction, the pattern, the main number and its ideal. Up to three lines below the title, and further lines below
/// the drawing, have more numbers, the rules and the profiler's counters. With caption::title these lines are left out.
/// Below the drawing a legend says what the boxes mean.
///
/// In global memory the picture has the lanes, and below them the 128-byte lines that they touch. Each transaction is
/// one element of class "transaction", even in rows that are drawn small because they look like their neighbours. On
/// GCN the picture also has the quads, and the clocks of each group of 16 lanes. If a copy reads nothing (its
/// SourceBytes are 0), its lanes have no fill.
///
/// In shared memory and LDS the picture has a strip for each phase. The columns of the strip are banks, its height is
/// its rounds, and each round is one element of class "round".
///
/// Refused: what cost() refuses; instructions with neither transactions() nor phases(); instructions with two addresses
/// a lane (draw the access at each address by itself); words wider than a bank on CC 1.x; 128-bit words of shared
/// memory on CC 2.x.
template <instruction Instruction, class Pattern, class Active = std::uint64_t>
[[nodiscard]] std::string svg(Pattern const& pattern, Active const& active = all_lanes, caption of = caption::whole) {
  return detail::figure::captioned(detail::figure::figure_of<Instruction>(pattern, active), of).svg();
}

/// Draws an access for a terminal of 120 columns. "." is a word that is moved but that no lane uses, "++" a word that
/// several lanes use. Refused: what svg() refuses.
template <instruction Instruction, class Pattern, class Active = std::uint64_t>
[[nodiscard]] std::string terminal(Pattern const& pattern, Active const& active = all_lanes,
                                   caption of = caption::whole) {
  return detail::figure::captioned(detail::figure::figure_of<Instruction>(pattern, active), of).terminal();
}

/// Draws a tile in shared memory or LDS before and after a swizzle, side by side. `written` and `read` are the patterns
/// without the swizzle. Each row of the picture is a row of banks. The picture shows the phase of the write and the
/// phase of the read that take most rounds. Refused: a write and a read that use different banks, CC 1.x, and 4-byte
/// banks of CC 3.x.
template <instruction Write, instruction Read, class Written, class WasRead>
[[nodiscard]] std::string svg(swizzle const& by, Written const& written, WasRead const& read,
                              caption of = caption::whole) {
  using namespace detail::figure;
  constexpr bool one_row_of_banks = has_rows_of_banks<Write> && has_rows_of_banks<Read> && share_banks<Write, Read>;
  static_assert(
      one_row_of_banks,
      "a figure of a swizzle is of a write and a read of shared memory or LDS that use the same banks, not of "
      "CC 1.x nor of 4-byte banks of CC 3.x");
  if constexpr (one_row_of_banks) {
    tile_use const before{figure_of<Write>(written, all_lanes), figure_of<Read>(read, all_lanes)},
        after{figure_of<Write>(by.over(written), all_lanes), figure_of<Read>(by.over(read), all_lanes)};
    return captioned(swizzle_figure{before, after, caption_of_swizzle(by, before, after)}, of).svg();
  } else {
    return {};
  }
}

}  // namespace coalescing
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif
