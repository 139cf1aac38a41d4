// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/access.hpp>
#include <coalesce/engine/distinct.hpp>

#include <cstdint>
#include <string>

// Finds the pattern of an access from its addresses, and writes the pattern as users do: "lane * 128", "lane % 16 * 128
// + lane / 16 * 16". If no such expression gives the addresses, the first few addresses are written.

namespace coalescing::detail::figure {

/// Lanes written as ranges: "0-3 20-23".
inline std::string ranges(std::uint64_t lanes) {
  std::string text;
  for (unsigned lane = 0; lane != 64; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    unsigned last = lane;
    while (last != 63 && (lanes >> (last + 1) & 1) != 0) ++last;
    text += (text.empty() ? "" : " ") + std::to_string(lane) +
            (last == lane ? "" : (last == lane + 1 ? " " : "-") + std::to_string(last));
    lane = last;
  }
  return text;
}

/// Adds the summand `of_lane` * `factor` to an expression. A factor of 1 is not written. If the factor is 0, nothing is
/// added.
inline void add_term(std::string& text, char const* of_lane, std::uint64_t factor) {
  if (factor == 0) return;
  text += text.empty() ? "" : " + ";
  text += of_lane;
  if (factor != 1) text += " * " + std::to_string(static_cast<std::int64_t>(factor));
}

/// A pattern of lanes in rows of `row` lanes. Neighbouring lanes of a row are `along` bytes apart, and neighbouring
/// rows are `across` bytes apart.
struct rows_of_lanes {
  unsigned row;
  std::uint64_t first, along, across;

  [[nodiscard]] std::uint64_t at(unsigned lane) const { return first + lane % row * along + lane / row * across; }
  [[nodiscard]] std::string text(unsigned lanes) const {
    std::string const by = std::to_string(row);
    std::string terms;
    add_term(terms, row < lanes ? ("lane % " + by).c_str() : "lane", along);
    add_term(terms, ("lane / " + by).c_str(), across);
    if (terms.empty()) return std::to_string(first);
    if (first == 0) return terms;
    bool const below = static_cast<std::int64_t>(first) < 0;
    return terms + (below ? " - " : " + ") + std::to_string(below ? 0 - first : first);
  }
};

/// Lanes in words: "lanes 0-15", or "17 lanes" if the ranges are too long.
inline std::string lanes_in_words(std::uint64_t lanes) {
  std::string const which = ranges(lanes);
  if (which.size() > 24) return std::to_string(detail::count_bits(lanes)) + " lanes";
  return ((lanes & (lanes - 1)) == 0 ? "lane " : "lanes ") + which;
}

/// The text that follows an instruction's name: the pattern, as in " at lane * 128", and the active lanes if some lane
/// is inactive.
template <unsigned Lanes>
std::string pattern_of(access<Lanes> const& asked) {
  std::uint64_t const active = asked.active & wave_mask<Lanes>;
  if (active == 0) return ", no lane";
  std::string const whose = active == wave_mask<Lanes> ? "" : ", " + lanes_in_words(active);
  auto const gives = [&](rows_of_lanes const& all) {
    for (unsigned lane = 0; lane != Lanes; ++lane)
      if ((active >> lane & 1) != 0 && all.at(lane) != asked.address[lane]) return false;
    return true;
  };
  unsigned one = 0, last = Lanes - 1;  // the first and the last active lane
  while ((active >> one & 1) == 0) ++one;
  while ((active >> last & 1) == 0) --last;
  auto const apart = static_cast<std::int64_t>(asked.address[last] - asked.address[one]);
  auto const stride = static_cast<std::uint64_t>(last == one ? 0 : apart / static_cast<std::int64_t>(last - one));
  rows_of_lanes const line{.row = Lanes, .first = asked.address[one] - one * stride, .along = stride, .across = 0};
  if (gives(line)) return " at " + line.text(Lanes) + whose;
  if constexpr (Lanes > 1)
    for (unsigned row = 2; row < Lanes; row *= 2)
      if ((active & 1) != 0 && (active >> 1 & 1) != 0 && (active >> row & 1) != 0) {
        rows_of_lanes const rows{.row = row,
                                 .first = asked.address[0],
                                 .along = asked.address[1] - asked.address[0],
                                 .across = asked.address[row] - asked.address[0]};
        if (gives(rows)) return " at " + rows.text(Lanes) + whose;
      }
  std::string listed;
  unsigned count = 0;
  for (unsigned lane = 0; lane != Lanes; ++lane)
    if ((active >> lane & 1) != 0 && count++ < 4)
      listed += (listed.empty() ? "" : ", ") + std::to_string(asked.address[lane]);
  return " at " + listed + (count > 4 ? ", ..." : "") + whose;
}

}  // namespace coalescing::detail::figure
