// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/figure/grid.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

// Draws shared memory and LDS: one strip for each phase, in the order in which the phases are served. The columns are
// the banks (64 banks make two halves). A cell is one word, or several neighbouring words that the same lanes want, and
// the cell names these lanes. The words of a bank are stacked, so a strip has as many rows as its phase takes rounds.
//
//     phase 0      [ 0][ 1][ 2] ...
//     2 rounds     [16]            lanes 0 and 16 want different words of bank 0

namespace coalescing::detail::figure {

struct phase_strip {
  bank_phase phase;
  list<cell> cells[2] = {};  ///< the cells of banks 0 to 31, and of banks 32 to 63
  unsigned height = 0;       ///< how many words the tallest stack has; the phase may take more rounds than that
};

struct bank_figure {
  question asked;
  list<bank_phase> phases;
  caption_words says;
  unsigned banks, width;  ///< how many banks there are, and the bytes of one bank
  list<phase_strip> strips = {};

  [[nodiscard]] unsigned halves() const { return banks > columns ? 2 : 1; }
  [[nodiscard]] unsigned in_a_half() const { return banks / halves(); }

  /// A word of memory and the lanes that want it.
  struct wanted {
    std::uint64_t word, lanes = 0;
  };
  /// The words that the lanes of a phase want, in ascending order.
  [[nodiscard]] list<wanted> words_of_phase(bank_phase const& phase) const {
    list<wanted> words;
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
  /// Makes the strips of all phases.
  void arrange() {
    for (bank_phase const& phase : phases) {
      phase_strip strip{.phase = phase};
      unsigned stacked[2 * columns] = {};
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
  /// The text in a strip's rows below its tallest stack: the reason why the phase takes more rounds than the stack has
  /// words.
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
  /// Draws one half of the banks in one round. Both halves serve in the same round, so only the box of the first half
  /// has the class "round".
  void draw_half(canvas& to, phase_strip const& strip, std::size_t number, unsigned round, unsigned half) const {
    unsigned const top = to.y;
    to.box(half == 0 ? "round" : "frame", left, top, in_a_half() * column_width, cell_height);
    if (round >= strip.height && half == 0)
      to.text("m", left + in_a_half() * column_width / 2, top + 13, why_more(strip.phase));
    for (cell const& part : strip.cells[half]) {
      if (part.round != round) continue;
      unsigned const x = x_of(part.column), wide = part.width * column_width;
      if (round == 0)
        to.means("key-cell", "a word, and the lanes that want it", to.filled(0));
      else
        to.means("key-again", "a word that had to wait: a conflict", to.filled(0));
      to.box(part.round == 0 ? "word" : "word again", x, top, wide, cell_height, to.filled(number),
             "bank " + decimal(half * columns + part.column) +
                 (part.width == 1 ? "" : " to " + decimal(half * columns + part.column + part.width - 1)) + ", round " +
                 decimal(part.round + 1) + ": lanes " + ranges(part.lanes));
      to.name(x, top, wide, part.lanes, number);
    }
  }
  static std::string named(std::uint64_t lanes) {
    std::string const words = ranges(lanes);
    return words.size() <= 18 && !words.empty() ? words : counted(count_bits(lanes), "lane");
  }
  /// Writes the label of a round; called once for each round of a phase. Beside the first round it writes how many
  /// rounds the phase has and, if there are several phases, the phase's lanes. The other rounds get no label. But if
  /// the banks are drawn in two rows and the phase takes several rounds, each round gets a label: its number and its
  /// lanes.
  void name_round(canvas& to, phase_strip const& strip, std::size_t number, unsigned round) const {
    bool const apart = halves() == 2 && strip.phase.rounds > 1;
    if (round != 0 && !apart) return;
    std::string const of = phases.size() == 1 || round != 0 ? "" : "phase " + decimal(number) + ", ";
    to.text("l", left - 8, to.y + 12,
            of + (apart ? "round " + decimal(round + 1) : counted(strip.phase.rounds, "round")));
    if (apart)
      to.text("l", left - 8, to.y + 24, named(lanes_in(strip, round)));
    else if (phases.size() != 1)
      to.text("l", left - 8, to.y + 24, named(strip.phase.lanes));
  }
  static std::uint64_t lanes_in(phase_strip const& strip, unsigned round) {
    std::uint64_t lanes = 0;
    for (auto const& half : strip.cells)
      for (cell const& part : half)
        if (part.round == round) lanes |= part.lanes;
    return lanes;
  }
  void draw_strip(canvas& to, std::size_t number) const {
    phase_strip const& strip = strips[number];
    to.element("<g class=\"phase\" id=\"phase", static_cast<unsigned>(number), "\">");
    unsigned const two_lines = to.y + 26;  // the bottom of a label of two lines, which may lie below the last round
    for (unsigned round = 0; round != strip.phase.rounds; ++round) {
      name_round(to, strip, number, round);
      for (unsigned half = 0; half != halves(); ++half) draw_half(to, strip, number, round, half), to.y += cell_height;
      if (halves() == 2) to.y += 4;
    }
    to.y = (to.y < two_lines ? two_lines : to.y) + 10;
    to.element("</g>");
  }
  [[nodiscard]] std::string svg() const {
    canvas to;
    to.words(says);
    if (phases.size() > 1) {  // the row of lanes shows which of them are served together
      draw_lanes(
          to, asked, [&](unsigned lane) { return phase_of(lane); }, [&](unsigned) { to.y += 4; });
      to.y += 14;
    }
    for (unsigned half = 0; half != halves(); ++half) draw_scale(to, half);
    to.y += 4;
    for (std::size_t k = 0; k != strips.size(); ++k) draw_strip(to, k);
    if (phases.size() > 1) to.means("key-cell", "a colour for each phase", to.filled(1));
    to.legend();
    to.further_words(says);
    return to.finish(says);
  }

  // ---- In a terminal ----

  [[nodiscard]] std::string terminal() const {
    std::string text = words_above(says);
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
    return text + words_below(says);
  }
};

}  // namespace coalescing::detail::figure
