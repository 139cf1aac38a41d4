// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/engine/distinct.hpp>
#include <coalesce/figure/caption.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// Writes SVG: one element on a line, in whole pixels. So equal pictures are equal texts, and a small change makes a
// short diff.
//
// The font is monospaced, so the width of a text is known here: a letter is 0.6 of the font size wide. The colours
// (hues) are those of Okabe and Ito, which colour-blind readers can tell apart. Colour never stands alone: each fill
// also has a pattern of its own (a motif), and each cell names its lanes. A legend says what the boxes mean.

namespace coalescing::detail::figure {

/// The grid of every figure, in pixels. It has 32 columns, which are lanes, words of a 128-byte line, or banks.
inline constexpr unsigned columns = 32, column_width = 20, left = 128, page_width = 800, margin = 16;
inline constexpr unsigned grid_width = columns * column_width, cell_height = 18;
inline constexpr unsigned hues = 7, motifs = 4, fills = hues * motifs;
inline constexpr unsigned dark_hue = 4;  ///< the index of the hue on which letters are white

/// The left edge of a column, in pixels.
inline unsigned x_of(unsigned column) { return left + column * column_width; }

inline std::string escaped(std::string_view text) {
  std::string safe;
  for (char const letter : text)
    if (letter == '&')
      safe += "&amp;";
    else if (letter == '<')
      safe += "&lt;";
    else if (letter == '>')
      safe += "&gt;";
    else if (letter == '"')
      safe += "&quot;";
    else
      safe += letter;
  return safe;
}

/// Breaks a text at spaces into lines of at most `letters` letters.
inline list<std::string> wrapped(std::string_view text, std::size_t letters) {
  list<std::string> lines;
  while (text.size() > letters) {
    std::size_t space = text.rfind(' ', letters);
    if (space == std::string_view::npos) space = letters;
    lines.push_back(std::string(text.substr(0, space)));
    text.remove_prefix(space + (text[space] == ' '));
  }
  lines.push_back(std::string(text));
  return lines;
}

/// How many paragraphs of a caption stand above the drawing: those that fit into three lines. The others stand below
/// the drawing.
inline std::size_t paragraphs_above(caption_words const& of, std::size_t letters) {
  std::size_t paragraphs = 0, lines = 0;
  while (paragraphs != of.lines.size() && (lines += wrapped(of.lines[paragraphs], letters).size()) <= 3) ++paragraphs;
  return paragraphs;
}

class canvas {
 public:
  unsigned y = 0;  ///< top of the next drawing, in pixels

  template <class... Parts>
  void element(Parts const&... parts) {
    (add(parts), ...);
    body += '\n';
  }
  /// Draws a rectangle. `more` has further attributes, each after a space. `tip` is the text that appears when the
  /// reader points at the rectangle.
  void box(char const* kind, unsigned x, unsigned top, unsigned width, unsigned height, std::string const& more = "",
           std::string const& tip = "") {
    element("<rect class=\"", kind, "\" x=\"", x, "\" y=\"", top, "\" width=\"", width, "\" height=\"", height, "\"",
            more, tip.empty() ? "/>" : "><title>" + escaped(tip) + "</title></rect>");
  }
  void text(char const* kind, unsigned x, unsigned baseline, std::string const& words) {
    element("<text class=\"", kind, "\" x=\"", x, "\" y=\"", baseline, "\">", escaped(words), "</text>");
  }
  void line(char const* kind, unsigned x1, unsigned y1, unsigned x2, unsigned y2) {
    element("<path class=\"", kind, "\" d=\"M", x1, ' ', y1, 'L', x2, ' ', y2, "\"/>");
  }
  /// Writes the lanes of a cell: as ranges if they fit, else how many they are.
  void name(unsigned x, unsigned top, unsigned width, std::uint64_t lanes, std::uint64_t fill) {
    std::string words = ranges(lanes);
    if (6 * words.size() + 4 > width) {
      words = "\u00d7" + decimal(count_bits(lanes));
      means("m", "as many lanes", "\u00d7n", sample::letters);
    }
    text(("n k" + decimal(fill % hues)).c_str(), x + width / 2, top + 13, words);
  }
  /// The fill attribute for number n. Each number has its own pair of hue and motif, until the pairs repeat.
  std::string filled(std::uint64_t n) {
    unsigned const fill = static_cast<unsigned>(n % fills);
    used[fill] = true;
    return " fill=\"url(#f" + decimal(fill) + ")\"";
  }
  /// Writes the title and, below it, the paragraphs of the caption that fit into three lines.
  void words(caption_words const& of) {
    y += margin - 2;
    for (std::string const& part : wrapped(of.title, (page_width - 2 * margin) / 8)) text("h", margin, y += 16, part);
    paragraphs(of, 0, paragraphs_above(of, letters));
    y += 14;
  }
  /// Writes the rest of the caption, below the legend.
  void further_words(caption_words const& of) {
    std::size_t const above = paragraphs_above(of, letters);
    if (above == of.lines.size()) return;
    y += 8;
    paragraphs(of, above, of.lines.size());
  }
  /// Draws the legend's entries, as many to a line as fit.
  void legend() {
    unsigned x = left;
    y += 12;
    for (key const& entry : keys) {
      unsigned const width = 26 + 6 * static_cast<unsigned>(entry.words.size());
      if (x != left && x + width > page_width - margin) x = left, y += 18;
      if (entry.shape == sample::box)
        box(entry.kind, x, y, 20, 12, entry.more);
      else if (entry.shape == sample::letters)
        text(entry.kind, x + 10, y + 10, entry.more);
      else
        element("<path class=\"", entry.kind, "\" d=\"M", x, ' ', y + 4, 'v', 4u, 'H', x + 20, 'v', "-4\"/>");
      text("r", x + 26, y + 10, entry.words);
      x += width + 18;
    }
    if (!keys.empty()) y += 12;
  }
  enum class sample { box, bracket, letters };
  /// Adds an entry to the legend, unless it is there already: a sample of class `kind`, and what the sample means.
  /// `more` has the further attributes of a box, or the letters of a sample that is text.
  void means(char const* kind, std::string const& words, std::string const& more = "", sample shape = sample::box) {
    for (key const& known : keys)
      if (known.words == words) return;
    keys.push_back({kind, words, more, shape});
  }
  [[nodiscard]] std::string finish(caption_words const& of) const {
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + decimal(page_width) + ' ' +
           decimal(y + margin) + "\" width=\"" + decimal(page_width) + "\" height=\"" + decimal(y + margin) +
           "\" role=\"img\">\n<title>" + escaped(of.title) + "</title>\n" + style() + definitions() +
           "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n" + body + "</svg>\n";
  }

 private:
  static constexpr std::size_t letters = (page_width - 2 * margin) / 7;  ///< the maximum length of a caption line

  void paragraphs(caption_words const& of, std::size_t from, std::size_t to) {
    for (std::size_t k = from; k != to; ++k)
      for (std::string const& line : wrapped(of.lines[k], letters)) text(k == 0 ? "c" : "c r", margin, y += 16, line);
  }

  struct key {
    char const* kind;
    std::string words, more;
    sample shape;
  };
  list<key> keys;
  std::string body;
  bool used[fills] = {};

  void add(std::string_view part) { body += part; }
  void add(char part) { body += part; }
  void add(unsigned part) { body += decimal(part); }

  static constexpr char const* hue[hues] = {"#e69f00", "#56b4e9", "#009e73", "#f0e442",
                                            "#0072b2", "#d55e00", "#cc79a7"};

  /// The style sheet. It has dark colours for a reader whose system is dark; cells and their letters keep their
  /// colours. Letters on a cell have a rim in the hue of the cell, to stand out from the motif. Other letters have a
  /// rim in the colour of the page, to stand out from lines.
  static std::string style() {
    std::string text =
        "<style>\n"
        "text{font:10px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#222;paint-order:stroke}\n"
        ".h{font-size:13px;font-weight:bold}\n.c{font-size:11px}\n.l{text-anchor:end}\n"
        ".n,.m{text-anchor:middle;stroke-width:3}\n.m{stroke:#fff}\n.m,.r{fill:#666}\n";
    for (unsigned k = 0; k != hues; ++k)
      text += ".k" + decimal(k) + "{stroke:" + hue[k] + ";fill:" + (k == dark_hue ? "#fff" : "#000") + "}\n";
    return text +
           ".motif{stroke:#fff;stroke-opacity:.3}\n.on{stroke:#000;stroke-opacity:.3}\n"
           ".page,.frame{fill:#fff}\n.round{fill:none}\n.frame,.round,.tick{stroke:#ccc}\n"
           ".off,.key-off{fill:none;stroke:#888;stroke-dasharray:2 2}\n"
           ".cell,.word,.key-cell{stroke:#222;stroke-width:.5}\n"
           ".again,.key-again{stroke:#000;stroke-width:2}\n.unused,.key-unused{fill:url(#unused)}\n"
           ".key-unused{stroke:#888;stroke-width:.5}\n.hatch{stroke:#888}\n"
           ".transaction,.key-transaction{stroke:#222;stroke-width:2}\n.link{stroke:#888}\n"
           ".bracket,.key-bracket{fill:none;stroke:#666}\n"
           ".written,.key-written{fill:none;stroke:#222;stroke-width:1.5}\n.s{font-size:8px;stroke-width:2}\n"
           "@media(prefers-color-scheme:dark){\n"
           "text{fill:#ddd}\n.m{stroke:#16181c}\n.m,.r{fill:#aaa}\n.page,.frame{fill:#16181c}\n"
           ".frame,.round,.tick{stroke:#444}\n.transaction,.key-transaction,.written,.key-written{stroke:#eee}\n"
           ".again,.key-again{stroke:#fff}\n.link,.bracket,.key-bracket{stroke:#999}\n.hatch{stroke:#777}\n"
           "}\n</style>\n";
  }
  [[nodiscard]] std::string definitions() const {
    constexpr char const* motif[motifs] = {"", "<path d=\"M0 1H6\"/>", "<path d=\"M1 0V6\"/>",
                                           "<path d=\"M0 6L6 0\"/>"};
    std::string text =
        "<defs>\n<pattern id=\"unused\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
        "<path class=\"hatch\" d=\"M-1 7L7 -1M-1 1L1 -1M5 7L7 5\"/></pattern>\n";
    for (unsigned fill = 0; fill != fills; ++fill)
      if (used[fill])
        text += "<pattern class=\"motif" + std::string(fill % hues == dark_hue ? " on\"" : "\"") + " id=\"f" +
                decimal(fill) +
                "\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"><rect width=\"6\" height=\"6\" "
                "stroke=\"none\" fill=\"" +
                hue[fill % hues] + "\"/>" + motif[fill % motifs] + "</pattern>\n";
    return text + "</defs>\n";
  }
};

}  // namespace coalescing::detail::figure
