// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/figure/grid.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

// Draws global memory: the lanes, and below them the 128-byte lines that they touch, in words of 4 bytes. Each
// transaction is an outline around the bytes that it moves. A word shows the numbers of the lanes that use it; bytes
// that no lane uses are hatched. Bytes that are moved twice are drawn twice, so a higher figure means more work.
//
//     lanes           0  1  2  3 ...
//     byte 0x0     [  .  0  1  2  3  4  5  6 ][ 7 ...

namespace coalescing::detail::figure {

struct memory_row {
  std::uint64_t line;  ///< address of the line's first byte
  list<std::size_t> transactions = {};
  list<cell> cells = {};
};

struct memory_figure {
  static constexpr unsigned word = 4, line = columns * word;

  question asked;
  list<transaction> transactions;
  caption_words says;
  unsigned unit;               ///< bytes of the smallest transaction
  list<unsigned> clocks = {};  ///< GCN only: clocks of each group of 16 lanes
  list<memory_row> rows = {};

  /// Puts each transaction into a row of the 128-byte line that it lies in: the first row where no other transaction
  /// covers the same bytes. So a repeated transaction goes into a new row below.
  void arrange() {
    for (std::size_t n = 0; n != transactions.size(); ++n) {
      transaction const& piece = transactions[n];
      memory_row* row = nullptr;
      for (memory_row& known : rows)
        if (row == nullptr && known.line == piece.address / line * line && is_free(known, piece)) row = &known;
      if (row == nullptr) row = &rows.push_back(memory_row{.line = piece.address / line * line});
      row->transactions.push_back(n);
      for (std::uint64_t offset = 0; offset != piece.bytes; offset += word) {
        cell here{.column = static_cast<unsigned>((piece.address + offset) % line / word), .number = n};
        for (unsigned lane = 0; lane != asked.lanes; ++lane)
          if ((piece.lanes >> lane & 1) != 0)
            if (unsigned const bytes = asked.wants(lane, piece.address + offset, word); bytes != 0)
              here.lanes |= std::uint64_t{1} << lane, here.used |= bytes;
        append(row->cells, here, (1u << word) - 1);
      }
    }
  }
  [[nodiscard]] bool is_free(memory_row const& row, transaction const& piece) const {
    for (std::size_t const n : row.transactions) {
      transaction const& other = transactions[n];
      if (piece.address - other.address < other.bytes || other.address - piece.address < piece.bytes) return false;
    }
    return true;
  }
  /// Whether two rows look alike. The line, the lane numbers and the numbers that identify the transactions may differ.
  [[nodiscard]] bool are_alike(memory_row const& a, memory_row const& b) const {
    if (a.cells.size() != b.cells.size() || a.transactions.size() != b.transactions.size()) return false;
    for (std::size_t k = 0; k != a.cells.size(); ++k)
      if (a.cells[k].column != b.cells[k].column || a.cells[k].width != b.cells[k].width ||
          a.cells[k].used != b.cells[k].used || (a.cells[k].lanes == 0) != (b.cells[k].lanes == 0))
        return false;
    return true;
  }
  /// How many rows from `first` on are folded, that is, drawn small. If six or more successive rows are alike, all but
  /// the first three and the last are folded.
  [[nodiscard]] std::size_t folded_from(std::size_t first) const {
    std::size_t begin = first, end = first;
    while (begin != 0 && are_alike(rows[begin - 1], rows[first])) --begin;
    while (end != rows.size() && are_alike(rows[first], rows[end])) ++end;
    return first - begin == 3 && end - begin >= 6 ? end - 1 - first : 0;
  }
  /// The number of the first transaction that serves a lane. The lane must be active.
  [[nodiscard]] std::uint64_t transaction_of(unsigned lane) const {
    std::size_t n = 0;
    while ((transactions[n].lanes >> lane & 1) == 0) ++n;
    return n;
  }
  /// Whether the transactions have different sizes, which the figure then shows.
  [[nodiscard]] bool sizes_differ() const {
    for (transaction const& piece : transactions)
      if (piece.bytes != transactions[0].bytes) return true;
    return false;
  }
  /// The row's label, at most 20 letters: the address at which the row begins. If earlier rows show the same line, the
  /// label also says which time this is ("2nd time"). It leaves the address out if both do not fit.
  [[nodiscard]] std::string name_of(std::size_t number) const {
    std::string const byte = hexadecimal(rows[number].line);
    std::size_t times = 1;
    for (std::size_t k = 0; k != number; ++k) times += rows[k].line == rows[number].line;
    if (times == 1) return (byte.size() < 14 ? "byte " : "") + byte;
    std::string again = decimal(times) + (times == 2 ? "nd" : times == 3 ? "rd" : "th") + " time";
    if (byte.size() + again.size() + 2 > 20) return again;
    again.insert(0, byte + ", ");
    if (again.size() + 5 <= 20) again.insert(0, "byte ");
    return again;
  }
  /// The text that a reader sees when pointing at a transaction.
  [[nodiscard]] std::string tip(std::size_t n) const {
    transaction const& piece = transactions[n];
    return "transaction " + decimal(n) + ": " + counted(piece.bytes, "byte") + " from " + hexadecimal(piece.address) +
           (piece.lanes == 0 ? ", for no lane" : ", for lanes " + ranges(piece.lanes));
  }

  // ---- SVG ----

  /// Draws the scale of a line: the offsets in bytes at which its pieces of `unit` bytes begin, such as +0, +32, +64.
  void draw_scale(canvas& to, unsigned baseline) const {
    if (unit == line || rows.empty()) return;
    for (unsigned byte = 0; byte < line; byte += unit)
      to.text("m", x_of(byte / word) + unit / word * column_width / 2, baseline, '+' + decimal(byte));
  }
  void draw_row(canvas& to, std::size_t number) const {
    memory_row const& row = rows[number];
    to.text("l", left - 8, to.y + 13, name_of(number));
    to.box("frame", left, to.y, grid_width, cell_height);
    for (unsigned byte = unit; byte < line; byte += unit)
      to.line("tick", x_of(byte / word), to.y, x_of(byte / word), to.y + cell_height);
    for (cell const& part : row.cells) {
      unsigned const x = x_of(part.column), width = part.width * column_width;
      if (part.used != (1u << word) - 1)
        to.box("unused", x, to.y, width, cell_height), to.means("key-unused", "moved, not used");
      if (part.lanes == 0) continue;
      for (unsigned from = 0; from != word; ++from)  // a box for each run of used bytes
        if ((part.used >> from & 1) != 0) {
          unsigned end = from;
          while (end != word && (part.used >> end & 1) != 0) ++end;
          to.box("cell", x + from * column_width / word, to.y,
                 part.used == (1u << word) - 1 ? width : (end - from) * column_width / word, cell_height,
                 to.filled(part.number));
          from = end - 1;
        }
      to.name(x, to.y, width, part.lanes, part.number);
    }
    for (std::size_t const n : row.transactions) {
      transaction const& piece = transactions[n];
      unsigned const x = x_of(0) + static_cast<unsigned>(piece.address % line) * column_width / word,
                     width = static_cast<unsigned>(piece.bytes) * column_width / word;
      to.box("transaction", x + 1, to.y - 2, width - 2, cell_height + 4,
             " rx=\"3\" fill=\"none\" id=\"t" + decimal(n) + '"', tip(n));
      if (sizes_differ()) to.text("m", x + width / 2, to.y + cell_height + 13, counted(piece.bytes, "byte"));
    }
    to.y += cell_height + (sizes_differ() ? 24 : 10);
  }
  /// Draws folded rows, which look like the rows above them, as small boxes: one for each transaction.
  void draw_folded(canvas& to, std::size_t first, std::size_t count) const {
    to.means("key-transaction", "a transaction of a row like those above", " rx=\"2\"" + to.filled(0));
    to.text("l", left - 8, to.y + 10, decimal(count) + " more alike");
    unsigned at = 0;
    for (std::size_t k = first; k != first + count; ++k)
      for (std::size_t const n : rows[k].transactions) {
        if (at == columns) at = 0, to.y += 16;
        to.box("transaction", x_of(at++) + 3, to.y, 14, 12, " rx=\"2\" id=\"t" + decimal(n) + '"' + to.filled(n),
               tip(n));
      }
    to.y += 24;
  }
  /// Draws the clocks of GCN under a row of lanes: a bracket for each quad (4 lanes), then a bracket for each group of
  /// 16 lanes with the clocks of the group.
  void draw_clocks(canvas& to, unsigned first) const {
    to.text("l", left - 8, to.y + 22, "clocks");
    to.means("key-bracket", "4 lanes (a quad), and 16 lanes with their clocks", "", canvas::sample::bracket);
    for (unsigned quad = 0; quad != columns; quad += 4)
      to.element("<path class=\"bracket\" d=\"M", x_of(quad) + 2, ' ', to.y + 2, 'v', 4u, 'H', x_of(quad + 4) - 2, 'v',
                 "-4\"/>");
    for (unsigned group = 0; group != columns; group += 16) {
      to.element("<path class=\"bracket\" d=\"M", x_of(group) + 2, ' ', to.y + 8, 'v', 4u, 'H', x_of(group + 16) - 2,
                 'v', "-4\"/>");
      to.text("m", x_of(group + 8), to.y + 22, counted(clocks[(first + group) / 16], "clock"));
    }
    to.y += 32;
  }
  /// Draws a line from each lane to the word where its access begins, if that word is in the first row: a line to
  /// another row would run across the first one.
  void draw_links(canvas& to, unsigned top, unsigned bottom) const {
    for (unsigned lane = 0; lane != asked.lanes; ++lane)
      if (asked.is_active(lane))
        for (cell const& part : rows[0].cells)
          if (part.number == transaction_of(lane) &&
              asked.address[lane] / word * word - rows[0].line == part.column * word)
            to.line("link", x_of(lane) + column_width / 2, top, x_of(part.column) + part.width * column_width / 2,
                    bottom);
  }
  void explain(canvas& to) const {
    if (transactions.empty()) return;
    to.means("key-transaction", "a transaction", " rx=\"3\" fill=\"none\"");
    if (transactions.size() > 1) to.means("key-cell", "a colour for each transaction", to.filled(1));
  }
  [[nodiscard]] std::string svg() const {
    canvas to;
    to.words(says);
    explain(to);
    // Links from lanes to words are drawn only for up to 32 lanes with up to eight transactions.
    bool const links = transactions.size() <= 8 && asked.lanes <= columns && !transactions.empty();
    unsigned const lanes_end = to.y + cell_height;
    if (links) draw_links(to, lanes_end, lanes_end + 44);
    draw_lanes(
        to, asked, [&](unsigned lane) { return transaction_of(lane); },
        [&](unsigned first) { clocks.empty() ? void(to.y += 6) : draw_clocks(to, first); });
    to.y = links ? lanes_end + 44 : to.y + 18;
    draw_scale(to, to.y - 6);
    for (std::size_t k = 0; k != rows.size();)
      if (std::size_t const folded = folded_from(k); folded != 0)
        draw_folded(to, k, folded), k += folded;
      else
        draw_row(to, k++);
    to.legend();
    to.further_words(says);
    return to.finish(says);
  }

  // ---- In a terminal ----

  [[nodiscard]] std::string terminal() const {
    std::string text = words_above(says) + lanes_as_text(asked);
    for (std::size_t n = 0; n != clocks.size(); n += 2) {
      text_row row("clocks");
      for (unsigned half = 0; half != 2; ++half)
        row.edge(16 * half, '['), row.edge(16 * half + 16, ']'),
            row.put(16 * half, 16, counted(clocks[n + half], "clock"));
      text += row.line();
    }
    for (std::size_t k = 0; k != rows.size();) {
      if (std::size_t const folded = folded_from(k); folded != 0) {
        text += std::string(20, ' ') + "  " + decimal(folded) + " more alike\n";
        k += folded;
        continue;
      }
      text_row row(name_of(k));
      for (cell const& part : rows[k].cells)
        if (part.lanes != 0)
          row.put(part.column, part.width, part.lanes);
        else
          for (unsigned at = 0; at != part.width; ++at) row.put(part.column + at, 1, ".");
      for (std::size_t const n : rows[k].transactions) {
        unsigned const from = static_cast<unsigned>(transactions[n].address % line / word);
        row.edge(from, '['), row.edge(from + static_cast<unsigned>(transactions[n].bytes) / word, ']');
      }
      text += row.line(), ++k;
    }
    return text + words_below(says);
  }
};

}  // namespace coalescing::detail::figure
