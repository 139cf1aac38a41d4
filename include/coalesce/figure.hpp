// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/access.hpp>
#include <coalesce/cost.hpp>
#include <coalesce/figure/banks.hpp>
#include <coalesce/figure/caption.hpp>
#include <coalesce/figure/grid.hpp>
#include <coalesce/figure/memory.hpp>
#include <coalesce/figure/swizzle.hpp>
#include <coalesce/layout.hpp>

#include <cstdint>
#include <string>
#include <vector>

// Pictures of what an instruction does with its lanes' addresses, as SVG or for a terminal. Opt-in, and for host code:
// it allocates, and uses the standard library's strings. What is drawn is what co::transactions() and co::phases()
// list, and the caption says what co::cost() counts.

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

/// Whether rounds are stacks of the words that the lanes name. Not the second of a pair of addresses, nor words in
/// pieces (CC 1.x), nor where a guide gives the ways of a whole warp and no phases (128 bits on CC 2.x).
template <class Instruction>
constexpr bool rounds_are_stacks() {
  if constexpr (requires { Instruction::accesses; }) return Instruction::accesses == 1;
  if constexpr (requires { Instruction::halves* Instruction::words; }) return Instruction::words == 1;
  if constexpr (requires { Instruction::more_ways; }) return Instruction::more_ways == 0;
  return true;
}

/// Words stand in rows of banks, one after the other (not on CC 1.x and 3.x).
template <class Instruction>
concept has_rows_of_banks = lists_phases<Instruction> && rounds_are_stacks<Instruction>() &&
    (Instruction::period == Instruction::banks * Instruction::unit);
template <class Write, class Read>
concept share_banks = (Write::banks == Read::banks) && (Write::unit == Read::unit);

/// Where one sentence says why there is none, and no more need be said.
struct no_figure {
  static std::string svg() { return {}; }
  static std::string terminal() { return {}; }
};

/// The figure of an access: a memory_figure or a bank_figure.
template <class Instruction, class Pattern, class Active>
auto figure_of(Pattern const& pattern, Active const& active) {
  constexpr bool stacks = rounds_are_stacks<Instruction>();
  static_assert(lists_transactions<Instruction> || lists_phases<Instruction>,
                "there is no figure of this instruction: it has neither transactions() nor phases()");
  static_assert(stacks,
                "there is no figure of two addresses a lane (draw each), of words wider than a bank on CC 1.x, nor of "
                "128-bit words of shared memory on CC 2.x: their rounds are not stacks of words");
  auto const cost = coalescing::cost<Instruction>(pattern, active);
  constexpr bool asked_well = detail::well_formed<Pattern, Active, Instruction::lanes>;
  if constexpr (asked_well && lists_transactions<Instruction>) {
    auto const asked = detail::apply<Instruction::lanes>(pattern, active, detail::limits_of<Instruction>());
    auto const list = Instruction::transactions_of(asked);
    memory_figure drawn{question(asked, detail::touched_bytes<Instruction>),
                        std::vector<transaction>(list.begin(), list.end()), caption_of_memory<Instruction>(cost, asked),
                        Instruction::unit};
    if constexpr (requires { cost.clocks; } && lanes_of_clocks<Instruction> == 16)
      for (unsigned group = 0; group != Instruction::lanes / 16; ++group)
        drawn.clocks.push_back(static_cast<unsigned>(
            coalescing::cost<Instruction>(pattern, asked.active & detail::part_of_wave(group, 16)).clocks));
    drawn.arrange();
    return drawn;
  } else if constexpr (asked_well && lists_phases<Instruction> && stacks) {
    auto asked = detail::apply<Instruction::lanes>(pattern, active, detail::limits_of<Instruction>());
    auto const list = Instruction::phases_of(asked);
    auto const says = caption_of_banks<Instruction>(cost, asked);
    if constexpr (requires { Instruction::folded(asked); }) asked = Instruction::folded(asked);  // CC 3.x
    bank_figure drawn{question(asked, asked.bytes), std::vector<bank_phase>(list.begin(), list.end()), says,
                      Instruction::banks, Instruction::unit};
    drawn.arrange();
    return drawn;
  } else {
    return no_figure{};
  }
}

}  // namespace detail::figure

/// A picture as SVG, 800 pixels wide, light or dark as the reader's system is. Of global memory: the lanes, below them
/// the lines that they touch; each transaction is one element of class "transaction", also where rows that are alike
/// are folded. Lanes of a copy that reads nothing have no fill. On GCN the quads and the clocks of each 16 lanes. Of
/// shared memory and LDS: a strip for each phase, whose columns are banks and whose height is its rounds, one element
/// of class "round" each. The caption says number, ideal, rules and the profiler's counter. Refused: what cost()
/// refuses, and instructions that have neither transactions() nor phases().
template <instruction Instruction, class Pattern, class Active = std::uint64_t>
[[nodiscard]] std::string svg(Pattern const& pattern, Active const& active = all_lanes) {
  return detail::figure::figure_of<Instruction>(pattern, active).svg();
}

/// The same for a terminal of 120 columns: "." is moved and not used, "++" a word of several lanes.
template <instruction Instruction, class Pattern, class Active = std::uint64_t>
[[nodiscard]] std::string terminal(Pattern const& pattern, Active const& active = all_lanes) {
  return detail::figure::figure_of<Instruction>(pattern, active).terminal();
}

/// A swizzle of a tile in shared memory or LDS, before and after side by side: svg<Write, Read>(swizzle, written,
/// read), the patterns being those without it. Rows are rows of banks; over them lie the phases of the write and of the
/// read that take most rounds.
template <instruction Write, instruction Read, class Written, class WasRead>
[[nodiscard]] std::string svg(swizzle const& by, Written const& written, WasRead const& read) {
  using namespace detail::figure;
  constexpr bool one_row_of_banks = has_rows_of_banks<Write> && has_rows_of_banks<Read> && share_banks<Write, Read>;
  static_assert(
      one_row_of_banks,
      "a figure of a swizzle is of a write and a read of shared memory or LDS that use the same banks, not of "
      "CC 1.x nor of 4-byte banks of CC 3.x");
  if constexpr (one_row_of_banks) {
    tile_use const before{figure_of<Write>(written, all_lanes), figure_of<Read>(read, all_lanes)},
        after{figure_of<Write>(by.over(written), all_lanes), figure_of<Read>(by.over(read), all_lanes)};
    return swizzle_figure{before, after, caption_of_swizzle(by, before, after)}.svg();
  } else {
    return {};
  }
}

}  // namespace coalescing
