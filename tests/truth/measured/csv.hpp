// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

// Tables of comma-separated values, read strictly: what is not understood is refused, with its place.

namespace coalescing_tests {

struct malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One row: its cells by column, and where it stands.
struct csv_row {
  std::map<std::string, std::string> cells;
  std::string where;
  std::string const& operator[](std::string const& column) const { return cells.at(column); }
};

/// The cells of a line: `a,"b, and ""c""",d`. A row is one line.
inline std::vector<std::string> cells_of(std::string const& line, std::string const& where) {
  std::vector<std::string> cells{""};
  bool quoted = false;
  for (std::size_t at = 0; at != line.size(); ++at) {
    char const c = line[at];
    if (c == '"' && quoted && at + 1 != line.size() && line[at + 1] == '"')
      cells.back() += line[++at];
    else if (c == '"' && !quoted && !cells.back().empty())
      throw malformed(where + "a quote in the middle of a cell");
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      cells.emplace_back();
    else
      cells.back() += c;
  }
  if (quoted) throw malformed(where + "a quote that does not end");
  return cells;
}

/// The table of a file, whose columns must be these, in this order.
inline std::vector<csv_row> read_csv(std::string const& path, std::vector<std::string> const& columns) {
  std::ifstream in{path};
  if (!in) throw malformed(path + ": cannot be read");
  std::vector<csv_row> rows;
  std::string line;
  for (unsigned number = 1; std::getline(in, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    auto const where = path + ":" + std::to_string(number) + ": ";
    auto const cells = cells_of(line, where);
    for (std::size_t k = 0; k != cells.size() && k != columns.size() && number == 1; ++k)
      if (cells[k] != columns[k])
        throw malformed(where + "unknown column " + cells[k] + " in the place of " + columns[k]);
    if (cells.size() != columns.size())
      throw malformed(where + std::to_string(cells.size()) + " cells, and there are " + std::to_string(columns.size()) +
                      " columns");
    if (number == 1) continue;
    rows.push_back({{}, where});
    for (std::size_t k = 0; k != cells.size(); ++k) rows.back().cells[columns[k]] = cells[k];
  }
  return rows;
}

}  // namespace coalescing_tests
