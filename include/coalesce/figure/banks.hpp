// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/figure/grid.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// Draws shared memory and LDS: one strip for each phase, in order of service. Columns are banks (64 banks make two
// halves). A cell is one word, or several neighbouring words wanted by one set of lanes, and it names those lanes. The
// words of a bank are stacked, so a strip has as many rows as its phase takes rounds.
//
//     phase 0      [ 0][ 1][ 2] ...
//     2 rounds     [16]            both want bank 0

namespace coalescing::detail::figure {

struct phase_strip {
  bank_phase phase;
  std::vector<cell> cells[2] = {};  ///< banks 0 to 31, and banks 32 to 63
  unsigned height = 0;              ///< words in the tallest stack; a rule may add rounds beyond it
};

struct bank_figure {
  question asked;
  std::vector<bank_phase> phases;
  caption says;
  unsigned banks, width;  ///< the number of banks, and the bytes of one
  std::vector<phase_strip> strips = {};

  [[nodiscard]] unsigned halves() const { return banks > columns ? 2 : 1; }
  [[nodiscard]] unsigned in_a_half() const { return banks / halves(); }

  /// A word of memory and the lanes that want it.
  struct wanted {
    std::uint64_t word, lanes = 0;
  };
  /// The words that a phase's lanes want, in ascending order.
  [[nodiscard]] std::vector<wanted> words_of_phase(bank_phase const& phase) const {
    std::vector<wanted> words;
    for (unsigned lane = 0; lane != asked.lanes; ++lane)
      if ((phase.lanes >> lane & 1) != 0)
        for (std::uint64_t word = asked.address[lane] / width;
             word <= (asked.address[lane] + (asked.bytes - 1)) / width; ++word) {
          auto at = words.begin();
          while (at != words.end() && at->word < word) ++at;
          if (at == words.end() || at->word != word) at = words.insert(at, wanted{.word = word});
          at->lanes |= std::uint64_t{1} << lane;
        }
    return words;
  }
  /// Makes the strips.
  void arrange() {
    for (bank_phase const& phase : phases) {
      phase_strip strip{.phase = phase};
      std::vector<unsigned> stacked(banks);
      for (wanted const& of : words_of_phase(phase)) {
        auto const bank = static_cast<unsigned>(of.word % banks);
        unsigned const round = stacked[bank]++;
        if (round == strip.height) ++strip.height;
        append(strip.cells[bank / in_a_half()],
               {.column = bank % in_a_half(), .lanes = of.lanes, .used = 1, .round = round}, 1);
      }
      strips.push_back(strip);
    }
  }
  /// The phase that serves a lane. The lane must be active.
  [[nodiscard]] std::size_t phase_of(unsigned lane) const {
    std::size_t k = 0;
    while ((phases[k].lanes >> lane & 1) == 0) ++k;
    return k;
  }
  /// Says why a strip is higher than its tallest stack.
  [[nodiscard]] static char const* why_more(bank_phase const& phase) {
    return phase.lanes == 0 ? "no lane is active: a round all the same" : "a round that the rule adds";
  }

  // ---- SVG ----

  /// Draws the numbers of the banks.
  void draw_scale(canvas& to, unsigned half) const {
    to.text("l", left - 8, to.y + 10, halves() == 1 ? "banks" : half == 0 ? "banks, upper row" : "banks, lower row");
    for (unsigned column = 0; column != in_a_half(); ++column)
      to.text("m", x_of(column) + column_width / 2, to.y + 10, decimal(half * columns + column));
    to.y += 14;
  }
  void draw_half(canvas& to, phase_strip const& strip, std::size_t number, unsigned half) const {
    for (unsigned round = 0; round != strip.phase.rounds; ++round) {
      unsigned const top = to.y + round * cell_height;
      // Both halves of the banks serve in one round, so it is one element of class "round".
      to.box(half == 0 ? "round" : "frame", left, top, in_a_half() * column_width, cell_height);
      if (round >= strip.height && half == 0)
        to.text("m", left + in_a_half() * column_width / 2, top + 13, why_more(strip.phase));
    }
    for (cell const& part : strip.cells[half]) {
      unsigned const x = x_of(part.column), top = to.y + part.round * cell_height, wide = part.width * column_width;
      to.box(part.round == 0 ? "word" : "word again", x, top, wide, cell_height, to.filled(number),
             "bank " + decimal(half * columns + part.column) +
                 (part.width == 1 ? "" : " to " + decimal(half * columns + part.column + part.width - 1)) + ", round " +
                 decimal(part.round + 1) + ": lanes " + ranges(part.lanes));
      to.name(x, top, wide, part.lanes, number);
    }
  }
  void draw_strip(canvas& to, std::size_t number) const {
    phase_strip const& strip = strips[number];
    to.element("<g class=\"phase\" id=\"phase", static_cast<unsigned>(number), "\">");
    for (unsigned half = 0; half != halves(); ++half) {
      auto const tall = static_cast<unsigned>(strip.phase.rounds) * cell_height;
      if (half == 0) {
        std::string const lanes = ranges(strip.phase.lanes);
        to.text("l", left - 8, to.y + 12,
                (phases.size() == 1 ? "" : "phase " + decimal(number) + ", ") + counted(strip.phase.rounds, "round"));
        if (phases.size() != 1)
          to.text("l", left - 8, to.y + 24,
                  lanes.size() <= 18 && !lanes.empty() ? lanes : counted(count_bits(strip.phase.lanes), "lane"));
      }
      draw_half(to, strip, number, half);
      to.y += half + 1 != halves() ? tall + 3 : (tall < 26 ? 26 : tall) + 10;  // two lines of text
    }
    to.element("</g>");
  }
  [[nodiscard]] std::string svg() const {
    canvas to;
    to.words(says);
    if (phases.size() > 1) {  // shows which lanes are served together
      draw_lanes(
          to, asked, [&](unsigned lane) { return phase_of(lane); }, [&](unsigned) { to.y += 4; });
      to.y += 14;
    }
    for (unsigned half = 0; half != halves(); ++half) draw_scale(to, half);
    to.y += 4;
    for (std::size_t k = 0; k != strips.size(); ++k) draw_strip(to, k);
    return to.finish(says);
  }

  // ---- In a terminal ----

  [[nodiscard]] std::string terminal() const {
    std::string text = words_of(says);
    for (unsigned half = 0; half != halves(); ++half) {
      text_row scale(half == 0 ? "banks" : "");
      for (unsigned column = 0; column != in_a_half(); ++column) scale.put(column, 1, decimal(half * columns + column));
      text += scale.line();
    }
    for (std::size_t k = 0; k != strips.size(); ++k)
      for (unsigned half = 0; half != halves(); ++half)
        for (unsigned round = 0; round != strips[k].phase.rounds; ++round) {
          text_row row(half + round != 0    ? ""
                       : strips.size() == 1 ? counted(strips[k].phase.rounds, "round")
                                            : "phase " + decimal(k) + ", " + counted(strips[k].phase.rounds, "round"));
          if (round >= strips[k].height && half == 0) row.put(0, in_a_half(), why_more(strips[k].phase));
          for (cell const& part : strips[k].cells[half])
            if (part.round == round)
              row.edge(part.column, '['), row.edge(part.column + part.width, ']'),
                  row.put(part.column, part.width, part.lanes);
          text += row.line();
        }
    return text;
  }
};

}  // namespace coalescing::detail::figure
