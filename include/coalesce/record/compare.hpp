// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/compare/compared_cost.hpp>
#include <coalesce/compare/table.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/text.hpp>
#include <coalesce/explain/words.hpp>
#include <coalesce/record/journal.hpp>
#include <coalesce/record/recording.hpp>
#include <coalesce/record/refusals.hpp>
#include <coalesce/record/table.hpp>

#include <cstddef>
#include <cstdint>

// The recordings of one kernel on several machines, side by side.

namespace coalescing {

/// A recording for each machine, in the order in which the machines were named. Only read the members. Refused: an
/// index that is not less than the number of machines.
template <unsigned Machines, unsigned MostSites>
struct recorded_comparison {
  recording<MostSites> of[Machines] = {};

  [[nodiscard]] constexpr std::uint64_t size() const { return Machines; }
  [[nodiscard]] constexpr recording<MostSites> const& operator[](std::uint64_t index) const {
    if (index >= Machines) refused::comparison_has_no_such_row(index);
    return of[index];
  }

  /// A table with a line for each site of the first machine, and a column for each machine. The column shows the rounds
  /// of a site in shared memory or LDS, the transactions of any other site, and "-" if neither number is known. The
  /// size of a transaction differs from machine to machine.
  [[nodiscard]] constexpr auto text() const {
    coalescing::text<(detail::site_line + 84 * Machines) * (MostSites + 1)> out;
    std::size_t place = 38, array = 14, access = 20;  // each column has at least this width
    for (site const& s : of[0]) {
      auto const names = detail::names_of(s);
      place = detail::wider(place, names.place.length), array = detail::wider(array, names.array.length);
      access = detail::wider(access, names.access.length);
    }
    detail::put_left(out, "line", place + 2), detail::put_left(out, "array", array + 2);
    detail::put_left(out, "access", access);
    for (auto const& machine : of) detail::put_right(out, detail::words_of(machine.machine), column(machine));
    out.append("\n");
    for (site const& s : of[0]) {
      auto const names = detail::names_of(s);
      detail::put_left(out, names.place, place + 2), detail::put_left(out, names.array, array + 2);
      detail::put_left(out, names.access, access);
      for (auto const& machine : of) detail::put_number(out, number_at(machine, s), column(machine));
      out.append("\n");
    }
    return out;
  }

 private:
  constexpr std::size_t column(recording<MostSites> const& of_machine) const {
    std::size_t width = detail::wider(detail::words_of(of_machine.machine).length, 10);
    for (site const& s : of[0]) width = detail::wider(width, detail::width_of(number_at(of_machine, s)));
    return width + 2;
  }
  /// Whether two sites have the same place in the source, kind of access, bits and name of the array. Several sites of
  /// one machine may have: a place may access two arrays without names.
  static constexpr bool are_alike(site const& one, site const& other) {
    return one.at.line == other.at.line && one.at.column == other.at.column && one.kind == other.kind &&
           one.bits == other.bits && detail::same_words(one.array, other.array) &&
           detail::same_file(one.at.file, other.at.file);
  }
  /// The rounds or transactions that one machine has for a site of the first machine. The n-th site of several that are
  /// alike belongs to the n-th one of the other machine.
  constexpr std::uint64_t number_at(recording<MostSites> const& of_machine, site const& there) const {
    unsigned before = 0;
    for (site const& s : of[0]) {
      if (&s == &there) break;
      before += are_alike(s, there);
    }
    for (site const& s : of_machine)
      if (are_alike(s, there) && before-- == 0)
        return s.cost.rounds != not_counted ? s.cost.rounds : s.cost.transactions;
    return not_counted;
  }
};

}  // namespace coalescing
