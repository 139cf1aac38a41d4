// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/compare/compared_cost.hpp>
#include <coalesce/compare/table.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/text.hpp>
#include <coalesce/explain/words.hpp>
#include <coalesce/record/sums.hpp>

#include <cstddef>
#include <cstdint>

// Writes a recording as a table with a line for each site, like the source view of a profiler.

namespace coalescing::detail {

COALESCE_API constexpr char const* word_of(touch kind) {
  switch (kind) {
    case touch::load:
      return "load";
    case touch::store:
      return "store";
    case touch::atomic:
      return "atomic";
    case touch::issued:
      return "issued";
  }
  return "";
}
COALESCE_API constexpr char const* word_of(memory_space space) {
  switch (space) {
    case memory_space::global:
      return "global";
    case memory_space::shared:
      return "shared";
  }
  return "";
}

/// The name of a file without its folders.
COALESCE_API constexpr char const* file_name(char const* path) {
  char const* name = path;
  for (; *path != '\0'; ++path)
    if (*path == '/' || *path == '\\') name = path + 1;
  return name;
}

/// Appends at most the first `most` characters of a string.
template <std::size_t Capacity>
COALESCE_API constexpr void put_first(text<Capacity>& out, char const* words, std::size_t most) {
  for (std::size_t k = 0; k != most && words[k] != '\0'; ++k) out.append_character(words[k]);
}

/// The text in the first three columns of a line: the place in the source, the array and the kind of access.
struct named_site {
  text<120> place = {}, array = {}, access = {};
};
template <class Site>
COALESCE_API constexpr named_site names_of(Site const& s) {
  named_site names;
  if (s.at.line != 0) {
    detail::put_first(names.place, detail::file_name(s.at.file), 40);
    names.place.append(":"), detail::put_digits(names.place, s.at.line);
    if (s.at.column != 0) names.place.append(":"), detail::put_digits(names.place, s.at.column);
  }
  if (s.offset != not_counted) names.place.append(s.at.line != 0 ? " " : ""), names.place.append_hexadecimal(s.offset);
  detail::put_first(names.array, s.array, 30);
  if (s.kind == touch::issued)
    detail::put_first(names.access, s.instruction, 60);
  else
    detail::say(names.access, detail::word_of(s.space), " ", detail::word_of(s.kind), " ", std::uint64_t{s.bits});
  if (s.opcode[0] != '\0') names.access.append(" "), detail::put_first(names.access, s.opcode, 40);
  return names;
}

/// How many characters a number takes: 65,536 takes 6, "<= 65,536" 9, and "-" one.
COALESCE_API constexpr std::size_t width_of(std::uint64_t number, bool is_bound = false) {
  if (number == not_counted) return 1;
  std::size_t digits = 1;
  while ((number /= 10) != 0) ++digits;
  return digits + (digits - 1) / 3 + (is_bound ? 3 : 0);
}
template <std::size_t Capacity>
COALESCE_API constexpr void put_number(text<Capacity>& out, std::uint64_t number, std::size_t width,
                                       bool is_bound = false) {
  if (number == not_counted) return detail::put_right(out, "-", width);
  if (!is_bound) return detail::put_right(out, number, width);
  text<40> words;
  detail::say(words, "<= ", number);
  detail::put_right(out, words, width);
}

/// The numbers of a line, with their names in the heading. Global memory has no rounds and no conflicts, shared memory
/// no transactions. `ideal` is in rounds if the site has rounds, otherwise in transactions. `worst` is site::worst.
struct site_numbers {
  static constexpr unsigned count = 6;
  static constexpr char const* names[count] = {"issued", "transactions", "rounds", "conflicts", "ideal", "worst"};
  /// The index of "ideal". This column never shows "<=". If lanes or addresses are unknown, the other numbers are upper
  /// bounds. But the ideal is the cost of a different access, in which nothing is unknown: all lanes that may be active
  /// access neighbouring words.
  static constexpr unsigned ideal = 4;
  std::uint64_t of[count] = {};
};
template <class Site>
COALESCE_API constexpr site_numbers numbers_of_site(Site const& s) {
  bool const has_rounds = s.cost.rounds != not_counted;
  return {{s.cost.issued, s.cost.transactions, s.cost.rounds, s.cost.conflicts,
           has_rounds ? s.ideal.rounds : s.ideal.transactions, s.worst}};
}

/// The widths of the columns. Each column is as wide as its widest cell, and at least as wide as given here.
struct site_columns {
  std::size_t place = 4, array = 5, access = 0;
  std::size_t number[site_numbers::count] = {10, 14, 8, 11, 8, 7};  // the width includes two blanks before the number
  template <class Site>
  COALESCE_API constexpr void fit(Site const& s) {
    named_site const names = detail::names_of(s);
    place = detail::wider(place, names.place.length), array = detail::wider(array, names.array.length);
    access = detail::wider(access, names.access.length);
    site_numbers const numbers = detail::numbers_of_site(s);
    unsigned const shown = s.cost.is_counted ? site_numbers::count : 1;
    for (unsigned k = 0; k != shown; ++k)
      number[k] = detail::wider(number[k], detail::width_of(numbers.of[k], s.at_most && k != site_numbers::ideal) + 2);
  }
};
/// A line has fewer characters than this: texts of 81, 30 and 101 characters, 6 numbers of up to 31 characters each,
/// remarks of 80 characters, and blanks.
inline constexpr std::size_t site_line = 560;

template <std::size_t Capacity>
COALESCE_API constexpr void put_heading(text<Capacity>& out, site_columns const& columns) {
  detail::put_left(out, "line", columns.place + 2), detail::put_left(out, "array", columns.array + 2);
  detail::put_left(out, "access", columns.access);
  for (unsigned k = 0; k != site_numbers::count; ++k) detail::put_right(out, site_numbers::names[k], columns.number[k]);
  out.append("\n");
}
template <std::size_t Capacity, class Site>
COALESCE_API constexpr void put_site(text<Capacity>& out, site_columns const& columns, Site const& s) {
  named_site const names = detail::names_of(s);
  detail::put_left(out, names.place, columns.place + 2), detail::put_left(out, names.array, columns.array + 2);
  detail::put_left(out, names.access, columns.access);
  site_numbers const numbers = detail::numbers_of_site(s);
  detail::put_number(out, numbers.of[0], columns.number[0], s.at_most);
  if (!s.cost.is_counted) return out.append("  no source tells what it costs\n");
  for (unsigned k = 1; k != site_numbers::count; ++k)
    detail::put_number(out, numbers.of[k], columns.number[k], s.at_most && k != site_numbers::ideal);
  if (s.uneven) out.append("  uneven");
  if (s.unwritten) out.append("  reads what nothing wrote");
  if (s.per_iteration != 0)
    out.append("  in each round of the loop at line "), detail::put_digits(out, s.per_iteration);
  out.append("\n");
}

template <unsigned MostSites, class Recording>
COALESCE_API constexpr auto table_of(Recording const& of) {
  text<site_line*(MostSites + 1)> out;
  site_columns columns;
  for (auto const& s : of) columns.fit(s);
  detail::put_heading(out, columns);
  for (auto const& s : of) detail::put_site(out, columns, s);
  return out;
}

}  // namespace coalescing::detail
