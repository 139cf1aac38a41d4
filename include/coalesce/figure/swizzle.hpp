// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/figure/banks.hpp>
#include <coalesce/layout.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

// Draws a swizzle: shared memory or LDS as rows of banks, before and after the swizzle, side by side. Each column is
// one bank. The figure shows the phase of the read that takes most rounds, and the phase of the write that takes most
// rounds. The words that are read are filled, and the words that are written are outlined.

namespace coalescing::detail::figure {

/// The write and the read of a tile, each drawn as banks.
struct tile_use {
  bank_figure written, read;
};

struct swizzle_figure {
  /// In pixels: the width of a side, the space between the two sides, and the height of the heading and the bank
  /// numbers above the rows.
  static constexpr unsigned side_width = 320, between = 24, above = 36;

  tile_use before, after;
  caption_words says;

  /// The index of the first phase with the most rounds.
  static std::size_t worst(bank_figure const& of) {
    std::size_t found = 0;
    for (std::size_t k = 0; k != of.phases.size(); ++k)
      if (of.phases[k].rounds > of.phases[found].rounds) found = k;
    return found;
  }
  /// The words that the lanes of a phase access, as cells. A cell's `number` is the number of its row of banks.
  static list<cell> cells_of(bank_figure const& of, std::size_t phase) {
    list<cell> cells;
    if (of.phases.empty()) return cells;
    for (bank_figure::wanted const& at : of.words_of_phase(of.phases[phase]))
      append(cells,
             {.column = static_cast<unsigned>(at.word % of.banks),
              .lanes = at.lanes,
              .used = 1,
              .number = at.word / of.banks},
             1);
    return cells;
  }
  /// The numbers of the rows of banks that the write's phase `writing` or the read's phase `reading` accesses, before
  /// or after the swizzle. They are in ascending order.
  [[nodiscard]] list<std::uint64_t> rows(std::size_t writing, std::size_t reading) const {
    list<std::uint64_t> found;
    for (tile_use const* use : {&before, &after})
      for (auto const& cells : {cells_of(use->written, writing), cells_of(use->read, reading)})
        for (cell const& part : cells) {
          auto at = found.begin();
          while (at != found.end() && *at < part.number) ++at;
          if (at == found.end() || *at != part.number) found.insert(at, part.number);
        }
    return found;
  }
  static std::string lanes_of(bank_figure const& of, std::size_t phase) {
    return of.phases.empty() ? "no lane" : "lanes " + ranges(of.phases[phase].lanes);
  }
  static std::uint64_t rounds_of(bank_figure const& of) {
    std::uint64_t sum = 0;
    for (bank_phase const& phase : of.phases) sum += phase.rounds;
    return sum;
  }

  void draw_side(canvas& to, unsigned x, std::string const& name, tile_use const& use, std::size_t writing,
                 std::size_t reading, list<std::uint64_t> const& rows) const {
    unsigned const width = side_width / use.read.banks, top = to.y + above;
    to.element("<g id=\"", name, "\">");
    to.text("m", x + side_width / 2, to.y + 12,
            name + ": read in " + counted(rounds_of(use.read), "round") + ", written in " +
                counted(rounds_of(use.written), "round"));
    for (unsigned bank = 0; bank < use.read.banks; bank += 2 * column_width / width)
      to.text("m", x + bank * width + width / 2, to.y + 28, decimal(bank));
    to.text("m", x + side_width - width / 2, to.y + 28, decimal(use.read.banks - 1));
    for (std::size_t k = 0; k != rows.size(); ++k) {
      unsigned const y = top + static_cast<unsigned>(k) * cell_height;
      to.box("frame", x, y, side_width, cell_height);
      for (cell const& part : cells_of(use.read, reading))
        if (part.number == rows[k]) {
          to.box("word read", x + part.column * width, y, part.width * width, cell_height, to.filled(0),
                 "read by lanes " + ranges(part.lanes));
          to.means("key-cell", "a word of the read, and its lanes", to.filled(0));
          if (part.width * width >= column_width)
            to.name(x + part.column * width, y, part.width * width, part.lanes, 0);
          else if (2 * part.width * width >= column_width && count_bits(part.lanes) == 1)
            to.text("n s k0", x + part.column * width + part.width * width / 2, y + 12, ranges(part.lanes));
        }
    }
    to.means("key-written", "words of the write", " fill=\"none\"");
    for (std::size_t k = 0; k != rows.size(); ++k)
      for (cell const& part : cells_of(use.written, writing))
        if (part.number == rows[k])
          to.box("written", x + part.column * width + 1, top + static_cast<unsigned>(k) * cell_height + 1,
                 part.width * width - 2, cell_height - 2, " fill=\"none\"", "written by lanes " + ranges(part.lanes));
    to.element("</g>");
  }
  [[nodiscard]] std::string svg() const {
    canvas to;
    to.words(says);
    std::size_t const writing = worst(before.written), reading = worst(before.read);
    list<std::uint64_t> const lines = rows(writing, reading);
    unsigned const left_side = page_width - margin - 2 * side_width - between;
    draw_side(to, left_side, "before", before, writing, reading, lines);
    draw_side(to, left_side + side_width + between, "after", after, writing, reading, lines);
    to.text("l", left_side - 8, to.y + 28, "banks");
    for (std::size_t k = 0; k != lines.size(); ++k)
      to.text("l", left_side - 8, to.y + above + 13 + static_cast<unsigned>(k) * cell_height,
              "byte " + hexadecimal(lines[k] * before.read.banks * before.read.width));
    to.y += above + static_cast<unsigned>(lines.size()) * cell_height + 4;
    to.legend();
    to.further_words(says);
    return to.finish(says);
  }
};

/// The caption of a swizzle: the rounds of the read and of the write, before and after.
inline caption_words caption_of_swizzle(swizzle const& by, tile_use const& before, tile_use const& after) {
  auto const name = [](bank_figure const& of) { return of.says.title.substr(0, of.says.title.find(": ")); };
  auto const change = [](bank_figure const& from, bank_figure const& to) {
    return counted(swizzle_figure::rounds_of(from), "round") + ", " + decimal(swizzle_figure::rounds_of(to)) +
           " with the swizzle";
  };
  caption_words words{name(before.read) + ": " + change(before.read, after.read), {}};
  words.lines.push_back("co::swizzle{.bits = " + decimal(by.bits) + ", .base = " + decimal(by.base) +
                        ", .shift = " + std::to_string(by.shift) + "}");
  words.lines.push_back(name(before.written) + ": " + change(before.written, after.written));
  words.lines.push_back("columns are banks; filled: the phase of the read with the most rounds, " +
                        swizzle_figure::lanes_of(before.read, swizzle_figure::worst(before.read)) +
                        "; outlined: that of the write, " +
                        swizzle_figure::lanes_of(before.written, swizzle_figure::worst(before.written)));
  auto const is_said = [&](std::string const& line) {
    for (std::string const& said : words.lines)
      if (said == line) return true;
    return false;
  };
  for (bank_figure const* of : {&before.read, &before.written})  // from line 1 on: line 0 has the numbers of one access
    for (std::size_t k = 1; k != of->says.lines.size(); ++k)
      if (!is_said(of->says.lines[k])) words.lines.push_back(of->says.lines[k]);
  return words;
}

}  // namespace coalescing::detail::figure
