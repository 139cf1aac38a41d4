// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Finds the known names that are nearest to an unknown one.

namespace coalescing::detail {

/// How many characters must be inserted, removed or replaced to make one word of the other (Levenshtein's distance).
inline std::size_t edits(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  for (std::size_t k = 0; k != row.size(); ++k) row[k] = k;
  for (std::size_t i = 0; i != from.size(); ++i) {
    std::size_t before = std::exchange(row[0], i + 1);  // the distance of from[0, i) and to[0, k)
    for (std::size_t k = 0; k != to.size(); ++k)
      before = std::exchange(
          row[k + 1], std::min({row[k + 1] + 1, row[k] + 1, before + static_cast<std::size_t>(from[i] != to[k])}));
  }
  return row.back();
}

/// How many characters two words have in common at their beginnings: 2 for cc90 and cc11.
inline std::size_t common_beginning(std::string_view a, std::string_view b) {
  std::size_t length = 0;
  while (length != a.size() && length != b.size() && a[length] == b[length]) ++length;
  return length;
}

/// The three names of `known` that are nearest to `name`, as words: "cc90, cc11 and cc21". Among equally near names,
/// the one with the longest common beginning comes first. Among equal beginnings, the order is that of `known`.
inline std::string nearest(std::string_view name, std::vector<std::string> const& known) {
  // for each known name: its distance, how many characters of `name` follow the common beginning, and its index
  std::vector<std::array<std::size_t, 3>> ranks;
  for (std::size_t k = 0; k != known.size(); ++k)
    if (std::find(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(k), known[k]) ==
        known.begin() + static_cast<std::ptrdiff_t>(k))
      ranks.push_back({detail::edits(name, known[k]), name.size() - detail::common_beginning(name, known[k]), k});
  std::sort(ranks.begin(), ranks.end());
  if (ranks.size() > 3) ranks.resize(3);
  std::string words;
  for (std::size_t k = 0; k != ranks.size(); ++k)
    words += (k == 0 ? "" : k + 1 == ranks.size() ? " and " : ", ") + known[ranks[k][2]];
  return words;
}

}  // namespace coalescing::detail
