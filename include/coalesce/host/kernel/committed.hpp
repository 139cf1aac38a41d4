// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/recording.hpp>
#include <coalesce/record/table.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <tuple>
#include <vector>

// Keeps the numbers of a recording in a file of the user's repository. If a change of the kernel changes the numbers, a
// test shows the changed lines, without a GPU.

namespace coalescing::detail {

/// A number as text; "-" if it was not counted.
inline std::string number_or_dash(std::uint64_t number) { return number == not_counted ? "-" : std::to_string(number); }
/// A row of the committed file. `line` is the line of the kernel's source that the row is about. It is not compared,
/// because it changes when someone adds a comment above that line.
struct committed_row {
  std::string file, words;
  unsigned line = 0;
};
/// The rows of a recording, ordered by their lines. A row adds up the accesses of one line to one array, if they have
/// the same kind and width. Source columns are left out, since compilers differ about them.
template <class Recording>
std::vector<committed_row> committed_rows(Recording const& seen) {
  std::map<std::tuple<std::string, unsigned, std::string>, recorded_cost> costs;
  for (site const& s : seen)
    detail::add_up(costs[{detail::file_name(s.at.file), s.at.line,
                          std::string(s.array) + ", " + detail::names_of(s).access.c_str() +
                              (s.per_iteration == 0 ? "" : ", in each round of a loop")}],
                   s.cost);
  std::vector<committed_row> rows;
  for (auto const& [key, cost] : costs) {
    auto const& [file, line, access] = key;
    rows.push_back({file,
                    access + (cost.at_most ? ": at most issued " : ": issued ") + std::to_string(cost.issued) +
                        ", transactions " + number_or_dash(cost.transactions) + ", rounds " +
                        number_or_dash(cost.rounds) + ", conflicts " + number_or_dash(cost.conflicts),
                    line});
  }
  return rows;
}
inline std::string line_of(committed_row const& row) {
  return row.file + ":" + std::to_string(row.line) + ": " + row.words + "\n";
}

}  // namespace coalescing::detail

namespace coalescing::host {

/// Compares a recording with the file of its committed numbers. Returns "" if they are equal. Otherwise it returns the
/// lines that only the file has, after "- ", and those that only the recording has, after "+ ". Lines of the source
/// that have only moved make no difference. With the environment variable COALESCE_COMMIT=1 the file is written
/// instead.
///
///     CHECK(co::host::changed_numbers(seen, "tests/transpose.numbers") == "");
template <class Recording>
[[nodiscard]] std::string changed_numbers(Recording const& seen, std::string const& file) {
  std::vector<detail::committed_row> const now = detail::committed_rows(seen);
  if (char const* const commit = std::getenv("COALESCE_COMMIT"); commit != nullptr && std::string(commit) == "1") {
    std::ofstream out(file);
    for (detail::committed_row const& row : now) out << detail::line_of(row);
    return out.good() ? "" : file + " cannot be written\n";
  }
  std::ifstream in(file);
  if (!in) return file + " cannot be read: COALESCE_COMMIT=1 writes it\n";
  // The row without the number of its line, which stands between the first two colons.
  auto const compared = [](std::string const& line) {
    auto const first = line.find(':'), second = line.find(':', first + 1);
    return second == std::string::npos ? line : line.substr(0, first) + line.substr(second);
  };
  std::vector<std::string> before, after;
  for (std::string line; std::getline(in, line);) before.push_back(line);
  for (detail::committed_row const& row : now) {
    after.push_back(detail::line_of(row));
    after.back().pop_back();
  }
  std::string changes;
  auto const put = [&](char const* sign, std::vector<std::string> const& some, std::vector<std::string> others) {
    for (std::string const& line : some) {
      auto const equal = std::find_if(others.begin(), others.end(),
                                      [&](std::string const& other) { return compared(other) == compared(line); });
      if (equal != others.end())
        others.erase(equal);
      else
        changes += sign + line + "\n";
    }
  };
  put("- ", before, after), put("+ ", after, before);
  return changes;
}

}  // namespace coalescing::host
