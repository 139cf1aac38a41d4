// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/compare/compared_cost.hpp>
#include <coalesce/explain/numbers.hpp>

#include <cstddef>
#include <cstdint>

// The list of the rows of a comparison, and its text() as a table.

namespace coalescing {

namespace refused {

[[noreturn]] COALESCE_API inline void comparison_has_no_such_row(std::uint64_t) {
  detail::refuse("the index is not less than the number of rows, or machines, that were compared");
}

}  // namespace refused

namespace detail {

COALESCE_API constexpr std::size_t wider(std::size_t a, std::size_t b) { return a < b ? b : a; }
template <std::size_t Capacity>
COALESCE_API constexpr void pad(text<Capacity>& out, std::size_t length, std::size_t width) {
  for (; length < width; ++length) out.append_character(' ');
}
template <std::size_t Capacity, class Words>
COALESCE_API constexpr void put_left(text<Capacity>& out, Words const& words, std::size_t width) {
  std::size_t const before = out.length;
  detail::say(out, words);
  detail::pad(out, out.length - before, width);
}
template <std::size_t Capacity, class Words>
COALESCE_API constexpr void put_right(text<Capacity>& out, Words const& words, std::size_t width) {
  text<80> alone;
  detail::say(alone, words);
  detail::pad(out, alone.length, width);
  detail::say(out, alone);
}
COALESCE_API constexpr text<200> refusal_of(comparison_row const& row) {
  text<200> words;
  detail::say(words, "refused: lane ", row.refused_lane, " at byte ", row.refused_address);
  if (row.refused == refusal::address_is_misaligned)
    detail::say(words, ", no multiple of ", row.refused_by);
  else if (row.refused == refusal::access_runs_past_the_end)
    detail::say(words, " runs past the end of the memory, ", row.refused_by, " bytes");
  else
    words.append(" runs past the top of the address space");
  return words;
}

}  // namespace detail

/// The rows, in the order in which the machines stand in the call of compare(). The members are only for reading.
/// Refused: an index past the last row or machine.
template <unsigned Machines>
struct comparison : detail::fixed_list<comparison_row, Machines> {
  [[nodiscard]] COALESCE_API constexpr comparison_row operator[](std::uint64_t index) const {
    if (index >= this->count) refused::comparison_has_no_such_row(index);
    return this->items[index];
  }
  /// Adds a row of one machine. If the last row has the same instruction, level, unit and numbers (all members of
  /// compared_access), the last row stands for this machine too.
  COALESCE_API constexpr void add(comparison_row const& row) {
    comparison_row* const last = this->count == 0 ? nullptr : &this->items[this->count - 1];
    if (last == nullptr || static_cast<compared_access const&>(*last) != row || !last->take(row)) this->append(row);
  }
  /// The row of the n-th instruction that was compared. n counts from 0.
  [[nodiscard]] COALESCE_API constexpr comparison_row of(std::uint64_t n) const {
    std::uint64_t row = 0;
    for (; row != this->count && n >= this->items[row].machines; ++row) n -= this->items[row].machines;
    return (*this)[row];
  }

  /// A table with a line for each row: the machines, the instruction, its lanes (if the numbers of lanes differ between
  /// rows), level, unit, and each number that at least one row has. "-" stands for a number that the row does not have.
  /// If the row refuses the access, its line says why.
  [[nodiscard]] COALESCE_API constexpr auto text() const {
    using numbers = detail::numbers_of<compared_cost::numbers>;
    auto const& names = numbers::name();
    coalescing::text<600 * (Machines + 1)> out;
    std::size_t machine = 0, instruction = 0, width[numbers::count] = {};
    bool lanes_differ = false;
    for (comparison_row const& row : *this) {
      machine = detail::wider(machine, row.who().length);
      instruction = detail::wider(instruction, row.instruction.length);
      lanes_differ = lanes_differ || row.lanes != this->items[0].lanes;
      auto const values = numbers::value(row);
      for (unsigned k = 0; k != numbers::count; ++k)
        if (values.of[k] != not_counted) width[k] = names.of[k].length;  // a number is never wider than its name
    }
    detail::pad(out, 0, machine + 2 + instruction);
    out.append(lanes_differ ? "  lanes  level     unit" : "  level     unit");
    for (unsigned k = 0; k != numbers::count; ++k)
      if (width[k] != 0) out.append("  "), detail::put_right(out, names.of[k], width[k]);
    out.append("\n");
    for (comparison_row const& row : *this) {
      detail::put_left(out, row.who(), machine + 2);
      detail::put_left(out, row.instruction, instruction);
      if (lanes_differ) detail::put_right(out, row.lanes, 7);
      out.append("  ");
      detail::put_left(out, row.where(), 8);
      detail::put_right(out, row.unit, 6);
      auto const values = numbers::value(row);
      if (row.refused != refusal::none) detail::say(out, "  ", detail::refusal_of(row));
      for (unsigned k = 0; k != numbers::count && row.refused == refusal::none; ++k) {
        if (width[k] == 0) continue;
        out.append("  ");
        if (values.of[k] == not_counted)
          detail::put_right(out, "-", width[k]);
        else
          detail::put_right(out, values.of[k], width[k]);
      }
      out.append("\n");
    }
    return out;
  }
};

}  // namespace coalescing
