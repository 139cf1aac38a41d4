// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/compare/rows.hpp>
#include <coalesce/compare/table.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/text.hpp>
#include <coalesce/explain/words.hpp>
#include <coalesce/record/sums.hpp>

#include <cstddef>
#include <cstdint>

// A recording as a table: a line for each site, as a profiler shows a source.

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

/// Appends words, at most `most` characters of them.
template <std::size_t Capacity>
COALESCE_API constexpr void put_first(text<Capacity>& out, char const* words, std::size_t most) {
  for (std::size_t k = 0; k != most && words[k] != '\0'; ++k) out.append_character(words[k]);
}

/// The first words of a line: place, array, access.
struct named_site {
  text<80> place = {}, array = {}, access = {};
};
template <class Site>
COALESCE_API constexpr named_site names_of(Site const& s) {
  named_site names;
  detail::put_first(names.place, detail::file_name(s.at.file), 40);
  names.place.append(":"), detail::put_digits(names.place, s.at.line);
  names.place.append(":"), detail::put_digits(names.place, s.at.column);
  detail::put_first(names.array, s.array, 30);
  if (s.kind == touch::issued)
    detail::put_first(names.access, s.instruction, 60);
  else
    detail::say(names.access, detail::word_of(s.space), " ", detail::word_of(s.kind), " ", std::uint64_t{s.bits});
  return names;
}

template <std::size_t Capacity>
COALESCE_API constexpr void put_number(text<Capacity>& out, std::uint64_t number, std::size_t width) {
  if (number == not_counted)
    detail::put_right(out, "-", width);
  else
    detail::put_right(out, number, width);
}

/// The table: instructions; transactions, or rounds of shared memory; the ideal; the worst access of one warp.
template <unsigned MostSites, class Recording>
COALESCE_API constexpr auto table_of(Recording const& of) {
  text<240 * (MostSites + 1)> out;
  std::size_t place = 0, array = 5, access = 0;
  for (auto const& s : of) {
    named_site const names = detail::names_of(s);
    place = detail::wider(place, names.place.length), array = detail::wider(array, names.array.length),
    access = detail::wider(access, names.access.length);
  }
  detail::put_left(out, "line", place + 2), detail::put_left(out, "array", array + 2);
  detail::put_left(out, "access", access);
  out.append("    issued  transactions  rounds  conflicts   ideal  worst\n");
  for (auto const& s : of) {
    named_site const names = detail::names_of(s);
    detail::put_left(out, names.place, place + 2), detail::put_left(out, names.array, array + 2);
    detail::put_left(out, names.access, access);
    detail::put_number(out, s.cost.issued, 10);
    if (!s.cost.is_counted) {
      out.append("  no source tells what it costs\n");
      continue;
    }
    bool const has_rounds = s.cost.rounds != not_counted;
    detail::put_number(out, s.cost.transactions, 14), detail::put_number(out, s.cost.rounds, 8);
    detail::put_number(out, s.cost.conflicts, 11);
    detail::put_number(out, has_rounds ? s.ideal.rounds : s.ideal.transactions, 8);
    detail::put_number(out, s.worst, 7);
    if (s.uneven) out.append("  uneven");
    out.append("\n");
  }
  return out;
}

}  // namespace coalescing::detail
