// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/figure/canvas.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

// Draws what the figures of memory and of banks have in common: the lanes of an access, and rows of 32 cells, as SVG
// and in a terminal.

namespace coalescing::detail::figure {

/// An access of any number of lanes. `bytes` is how many bytes each lane reads or writes. It is 0 if a copy reads
/// nothing and fills all of a lane's bytes with zeros.
struct question {
  unsigned lanes, bytes;
  std::uint64_t active;
  std::uint64_t address[64] = {};

  template <unsigned Lanes>
  question(access<Lanes> const& asked, unsigned of_lane) : lanes(Lanes), bytes(of_lane), active(asked.active) {
    for (unsigned lane = 0; lane != Lanes; ++lane) address[lane] = asked.address[lane];
  }
  [[nodiscard]] bool is_active(unsigned lane) const { return (active >> lane & 1) != 0; }
  /// The bytes that a lane wants, of the `count` bytes (at most 8) from address `from` on: bit b is byte b.
  [[nodiscard]] unsigned wants(unsigned lane, std::uint64_t from, unsigned count) const {
    unsigned bits = 0;
    for (unsigned b = 0; b != count; ++b)
      if (from + b - address[lane] < bytes) bits |= 1u << b;  // below address[lane] the difference wraps to a large one
    return bits;
  }
};

/// Neighbouring words of a row that the same lanes want.
struct cell {
  unsigned column = 0, width = 1;  ///< where the cell begins and how wide it is, in words of the row
  std::uint64_t lanes = 0;         ///< the mask of the lanes that want the words; 0: the words are moved and not used
  unsigned used = 0;               ///< which bytes of each word the lanes use: bit b is byte b
  std::uint64_t number = 0;        ///< the number of the transaction; in swizzle_figure, of the row of banks
  /// In a figure of banks: the number of the round, from 0, that serves the words. (The lanes of a phase are served
  /// together. In each round, each bank serves one of the words that they want.)
  unsigned round = 0;

  bool operator==(cell const&) const = default;
};

/// Appends a word as a cell, or widens the last cell if the word continues it. A word is used in full if its `used`
/// equals `whole`. A word that is used in part gets a cell of its own.
inline void append(list<cell>& cells, cell const& word, unsigned whole) {
  if (!cells.empty()) {
    cell& last = cells.back();
    if (last.column + last.width == word.column && last.lanes == word.lanes && last.number == word.number &&
        last.round == word.round && last.used == word.used && (word.used == 0 || word.used == whole)) {
      ++last.width;
      return;
    }
  }
  cells.push_back(word);
}

// ---- SVG ----

/// Draws the lanes in rows of 32. `fill(lane)` gives the number of the lane's colour; it is not called for lanes that
/// move no bytes. `below(first lane)` draws what stands beneath each row.
template <class Fill, class Below>
void draw_lanes(canvas& to, question const& asked, Fill const& fill, Below const& below) {
  for (unsigned first = 0; first < asked.lanes; first += columns) {
    to.text("l", left - 8, to.y + 13, "lanes");
    for (unsigned lane = first; lane != first + columns && lane != asked.lanes; ++lane) {
      unsigned const x = x_of(lane - first);
      std::string const id = " id=\"lane" + decimal(lane) + '"',
                        tip = "lane " + decimal(lane) + ": byte " + decimal(asked.address[lane]);
      if (asked.is_active(lane) && asked.bytes != 0) {
        to.box("cell", x, to.y, column_width, cell_height, id + to.filled(fill(lane)), tip);
        to.name(x, to.y, column_width, std::uint64_t{1} << lane, fill(lane));
        continue;
      }
      if (asked.is_active(lane))
        to.box("cell", x, to.y, column_width, cell_height, id + " fill=\"none\"", tip + ", not read"),
            to.means("key-cell", "a lane that reads nothing", " fill=\"none\"");
      else
        to.box("off", x, to.y, column_width, cell_height, id), to.means("key-off", "an inactive lane");
      to.text("m", x + column_width / 2, to.y + 13, decimal(lane));
    }
    to.y += cell_height;
    below(first);
  }
}

// ---- In a terminal ----

/// A row of 32 columns of text. A column is two letters wide. One more letter stands before each column and after the
/// last one, for the edges. The label has at most 20 letters.
class text_row {
 public:
  explicit text_row(std::string const& name) : label(name), body(3 * columns + 1, ' ') {}

  void edge(unsigned column, char letter) {
    char& at = body[3 * column];
    at = at == ' ' ? letter : '|';  // '|': one cell or transaction ends here, another begins
  }
  void put(unsigned column, unsigned width, std::string const& words) {
    std::size_t const room = 3 * width - 1;
    body.replace(3 * column + 1 + (room - words.size()) / 2, words.size(), words);
  }
  void put(unsigned column, unsigned width, std::uint64_t lanes) {
    std::size_t const room = 3 * width - 1;
    std::string words = ranges(lanes);
    if (words.size() > room) words = width == 1 ? "++" : "many";
    put(column, width, words);
  }
  [[nodiscard]] std::string line() const {
    std::string text = std::string(20 - label.size(), ' ') + label + ' ' + body;
    text.erase(text.find_last_not_of(' ') + 1);
    return text + '\n';
  }

 private:
  std::string label, body;
};

inline constexpr std::size_t terminal_letters = 116;  ///< the maximum length of a line of the caption

inline std::string paragraphs_of(caption_words const& words, std::size_t from, std::size_t to) {
  std::string text;
  for (std::size_t k = from; k != to; ++k)
    for (std::string const& line : wrapped(words.lines[k], terminal_letters)) text += "  " + line + '\n';
  return text;
}
/// The title, and the paragraphs that fit into three lines. The other paragraphs stand below the picture.
inline std::string words_above(caption_words const& words) {
  std::string text;
  for (std::string const& line : wrapped(words.title, 120)) text += line + '\n';
  return text + paragraphs_of(words, 0, paragraphs_above(words, terminal_letters));
}
inline std::string words_below(caption_words const& words) {
  return paragraphs_of(words, paragraphs_above(words, terminal_letters), words.lines.size());
}

inline std::string lanes_as_text(question const& asked) {
  std::string text;
  for (unsigned first = 0; first < asked.lanes; first += columns) {
    text_row row("lanes");
    for (unsigned lane = first; lane != first + columns && lane != asked.lanes; ++lane)
      row.put(lane - first, 1, asked.is_active(lane) ? decimal(lane) : "-");
    text += row.line();
  }
  return text;
}

}  // namespace coalescing::detail::figure
