// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/access.hpp>
#include <coalesce/config.hpp>
#include <coalesce/cost.hpp>
#include <coalesce/explain/numbers.hpp>
#include <coalesce/explain/words.hpp>
#include <coalesce/misuse.hpp>
#include <coalesce/text.hpp>
#include <coalesce/transaction.hpp>

#include <cstddef>
#include <cstdint>

// The same access, asked of many instructions side by side: co::compare(pattern, co::on<Instructions...>()). The
// machines come from their own headers.

namespace coalescing {

/// In the place of a number that an instruction does not have.
inline constexpr std::uint64_t not_counted = ~std::uint64_t{0};

/// Why an instruction does not take an access.
enum class refusal { none, address_is_misaligned, access_runs_past_the_end, access_runs_past_the_top };

/// The numbers of all costs, as of one instruction; `not_counted` where it does not have them. Numbers of rows that are
/// counted at different levels, or in other units, are not to be compared with each other.
struct compared_cost {
  std::uint64_t clocks = not_counted;
  std::uint64_t requests = not_counted;
  std::uint64_t transactions = not_counted;
  std::uint64_t bytes_moved = not_counted;
  std::uint64_t bytes_used = not_counted;
  std::uint64_t lines = not_counted;
  std::uint64_t data_wavefronts = not_counted;
  std::uint64_t tag_wavefronts_at_least = not_counted;
  std::uint64_t quads = not_counted;
  std::uint64_t partial_sectors = not_counted;
  std::uint64_t rounds = not_counted;
  std::uint64_t rounds_at_least = not_counted;
  std::uint64_t conflicts = not_counted;
  std::uint64_t phases = not_counted;
  std::uint64_t ways = not_counted;
  std::uint64_t operations = not_counted;
  std::uint64_t lanes_on_one_address = not_counted;

  using numbers =
      detail::members<&compared_cost::clocks, &compared_cost::requests, &compared_cost::transactions,
                      &compared_cost::bytes_moved, &compared_cost::bytes_used, &compared_cost::lines,
                      &compared_cost::data_wavefronts, &compared_cost::tag_wavefronts_at_least, &compared_cost::quads,
                      &compared_cost::partial_sectors, &compared_cost::rounds, &compared_cost::rounds_at_least,
                      &compared_cost::conflicts, &compared_cost::phases, &compared_cost::ways,
                      &compared_cost::operations, &compared_cost::lanes_on_one_address>;
  bool operator==(compared_cost const&) const = default;
};

/// What neighbours must agree in to share a row.
struct compared_access : compared_cost {
  text<80> instruction = {};  ///< its name without the machine: load<32>
  coalescing::level level = coalescing::level::dram;
  std::uint64_t unit = 0;   ///< bytes, of the smallest transaction, or of a bank
  std::uint64_t lanes = 0;  ///< that the instruction has
  std::uint64_t bytes = 0;  ///< of a lane

  coalescing::refusal refused = refusal::none;  ///< then no number is counted
  std::uint64_t refused_lane = 0;               ///< the first to blame
  std::uint64_t refused_address = 0;
  std::uint64_t refused_by = 0;  ///< bytes: the instruction's alignment, or the end of its memory

  bool operator==(compared_access const&) const = default;
};

/// A row: one machine, or several neighbours in the order in which they were named.
struct comparison_row : compared_access {
  text<80> first_machine = {};  ///< cuda::cc60
  text<80> last_machine = {};   ///< the same where it is one
  std::uint64_t machines = 0;   ///< that share the row

  /// cuda::cc60, cuda::cc60 and cc61, cuda::cc60 to cc121.
  [[nodiscard]] COALESCE_API constexpr text<200> who() const {
    text<200> words;
    detail::say(words, first_machine);
    if (machines == 1) return words;
    std::size_t family = 0;
    for (std::size_t k = 0; first_machine.characters[k] != '\0'; ++k) {
      if (first_machine.characters[k] != last_machine.characters[k]) break;
      if (first_machine.characters[k] == ':') family = k + 1;
    }
    detail::say(words, machines == 2 ? " and " : " to ", last_machine.characters + family);
    return words;
  }
  /// The level in a word.
  [[nodiscard]] COALESCE_API constexpr char const* where() const {
    switch (level) {
      case coalescing::level::dram:
        return "DRAM";
      case coalescing::level::l2:
        return "L2";
      case coalescing::level::l1:
        return "L1";
      case coalescing::level::l0:
        return "L0";
      case coalescing::level::constant_cache:
        return "constant";
      case coalescing::level::lds:
        return detail::begins_with(first_machine.characters, "cuda::") ? "shared" : "LDS";
    }
    return "";
  }
  bool operator==(comparison_row const&) const = default;
};

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
template <class... Words>
COALESCE_API constexpr std::size_t length_of(Words const&... words) {
  text<200> alone;
  detail::say(alone, words...);
  return alone.length;
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

/// The rows, in the order of the machines. Only read its members.
template <unsigned Machines>
struct comparison : detail::fixed_list<comparison_row, Machines> {
  [[nodiscard]] COALESCE_API constexpr comparison_row operator[](std::uint64_t index) const {
    if (index >= this->count) refused::comparison_has_no_such_row(index);
    return this->items[index];
  }
  /// The row of the n-th instruction that was named, from 0 on.
  [[nodiscard]] COALESCE_API constexpr comparison_row of(std::uint64_t n) const {
    std::uint64_t row = 0;
    for (; row != this->count && n >= this->items[row].machines; ++row) n -= this->items[row].machines;
    return (*this)[row];
  }

  /// A table, a line a row: the machines, the instruction, its lanes where those differ, level and unit, and the
  /// numbers that any row has; "-" where one has it not. A row that refuses the access says why.
  [[nodiscard]] COALESCE_API constexpr auto text() const {
    using numbers = detail::numbers_of<compared_cost::numbers>;
    constexpr auto names = numbers::name();
    coalescing::text<600 * (Machines + 1)> out;
    std::size_t machine = 0, instruction = 0, width[numbers::count] = {};
    bool lanes_differ = false;
    for (comparison_row const& row : *this) {
      machine = detail::wider(machine, row.who().length);
      instruction = detail::wider(instruction, row.instruction.length);
      lanes_differ = lanes_differ || row.lanes != this->items[0].lanes;
      auto const values = numbers::value(row);
      for (unsigned k = 0; k != numbers::count; ++k)
        if (values.of[k] != not_counted)
          width[k] = detail::wider(width[k], detail::wider(names.of[k].length, detail::length_of(values.of[k])));
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

namespace detail {

/// What on() makes.
template <class Active, class... Instructions>
struct asked_of {
  static constexpr unsigned count = sizeof...(Instructions);
  Active active;
};
template <class T>
inline constexpr bool is_asked = false;
template <class Active, class... Instructions>
inline constexpr bool is_asked<asked_of<Active, Instructions...>> = true;

/// The name of an instruction, parted: before its "<" the machine has one "::" at most (gcn, cuda::cc90).
struct parted_name {
  text<80> machine = {}, instruction = {};
};
COALESCE_API constexpr parted_name part(text<80> const& name) {
  std::size_t colons = 0, seen = 0;
  for (std::size_t k = 1; k < name.length && name.characters[k] != '<' && seen != 2; ++k)
    if (name.characters[k] == ':' && name.characters[k - 1] == ':') colons = k, ++seen;
  parted_name parted;
  for (std::size_t k = 0; k + 1 < colons; ++k) parted.machine.append_character(name.characters[k]);
  parted.instruction.append(name.characters + colons + 1);
  return parted;
}
template <class Instruction>
inline constexpr parted_name parted_name_of = detail::part(name_of<Instruction>());

/// Each number under its name. How many there were.
template <class Cost>
COALESCE_API constexpr unsigned take_numbers(compared_cost& to, Cost const& from) {
  unsigned taken = 0;
  if constexpr (requires { from.clocks; }) to.clocks = from.clocks, ++taken;
  if constexpr (requires { from.requests; }) to.requests = from.requests, ++taken;
  if constexpr (requires { from.transactions; }) to.transactions = from.transactions, ++taken;
  if constexpr (requires { from.bytes_moved; }) to.bytes_moved = from.bytes_moved, ++taken;
  if constexpr (requires { from.bytes_used; }) to.bytes_used = from.bytes_used, ++taken;
  if constexpr (requires { from.lines; }) to.lines = from.lines, ++taken;
  if constexpr (requires { from.data_wavefronts; }) to.data_wavefronts = from.data_wavefronts, ++taken;
  if constexpr (requires { from.tag_wavefronts_at_least; })
    to.tag_wavefronts_at_least = from.tag_wavefronts_at_least, ++taken;
  if constexpr (requires { from.quads; }) to.quads = from.quads, ++taken;
  if constexpr (requires { from.partial_sectors; }) to.partial_sectors = from.partial_sectors, ++taken;
  if constexpr (requires { from.rounds; }) to.rounds = from.rounds, ++taken;
  if constexpr (requires { from.rounds_at_least; }) to.rounds_at_least = from.rounds_at_least, ++taken;
  if constexpr (requires { from.conflicts; }) to.conflicts = from.conflicts, ++taken;
  if constexpr (requires { from.phases; }) to.phases = from.phases, ++taken;
  if constexpr (requires { from.ways; }) to.ways = from.ways, ++taken;
  if constexpr (requires { from.operations; }) to.operations = from.operations, ++taken;
  if constexpr (requires { from.lanes_on_one_address; }) to.lanes_on_one_address = from.lanes_on_one_address, ++taken;
  return taken;
}

/// Whether an instruction takes the addresses; the first lane to blame where it does not.
template <unsigned Lanes>
COALESCE_API constexpr bool takes(access<Lanes> const& asked, address_limits const& limits, compared_access& row) {
  for (unsigned lane = 0; lane != Lanes; ++lane) {
    if ((asked.active >> lane & 1) == 0) continue;
    std::uint64_t const address = asked.address[lane];
    if (address > limits.last_start())
      row.refused = limits.capacity != 0 ? refusal::access_runs_past_the_end : refusal::access_runs_past_the_top,
      row.refused_by = limits.capacity;
    else if (address % limits.alignment != 0)
      row.refused = refusal::address_is_misaligned, row.refused_by = limits.alignment;
    else
      continue;
    row.refused_lane = lane, row.refused_address = address;
    return false;
  }
  return true;
}

/// Asks one instruction, and appends a row or lets it share the last one.
template <class Instruction, unsigned Machines, class Pattern, class Active>
COALESCE_API constexpr void append_row(comparison<Machines>& rows, Pattern const& pattern, Active const& active) {
  constexpr unsigned lanes = Instruction::lanes;
  if constexpr (detail::well_formed<Pattern, Active, lanes>) {
    comparison_row row;
    row.instruction = parted_name_of<Instruction>.instruction;
    row.first_machine = row.last_machine = parted_name_of<Instruction>.machine;
    row.machines = 1;
    row.level = Instruction::level, row.unit = Instruction::unit;
    row.lanes = lanes, row.bytes = Instruction::bytes;

    auto asked = detail::apply<lanes>(pattern, active, {.bytes = 0, .alignment = 1, .capacity = ~std::uint64_t{0}});
    asked.bytes = Instruction::bytes;
    if (detail::takes(asked, detail::limits_of<Instruction>(), row)) {
      using cost_type = typename Instruction::cost_type;
      constexpr unsigned taken = [] {
        compared_cost nothing;
        return detail::take_numbers(nothing, cost_type{});
      }();
      static_assert(taken == detail::numbers_in<cost_type>::count, "compare: this cost has a number without a column");
      detail::take_numbers(row, Instruction::cost_of(asked));
    }
    if (rows.count != 0 && static_cast<compared_access const&>(rows.items[rows.count - 1]) == row)
      rows.items[rows.count - 1].last_machine = row.first_machine, ++rows.items[rows.count - 1].machines;
    else
      rows.append(row);
  } else {
    detail::ill_formed<bool, Pattern, Active, lanes>();
  }
}
template <unsigned Machines, class Pattern, class Active, class... Instructions>
COALESCE_API constexpr void append_rows(comparison<Machines>& rows, Pattern const& pattern,
                                        asked_of<Active, Instructions...> const& asked) {
  (detail::append_row<Instructions>(rows, pattern, asked.active), ...);
}

}  // namespace detail

/// Instructions for compare(), with the lanes that are active in them (as of cost(): a mask or a predicate).
template <instruction... Instructions, class Active = std::uint64_t>
requires(sizeof...(Instructions) != 0)  //
    [[nodiscard]] COALESCE_API constexpr auto on(Active const& active = all_lanes) {
  return detail::asked_of<Active, Instructions...>{active};
}

/// What the same access costs on many machines. Neighbours with equal numbers share a row. What an instruction refuses
/// for its addresses (misaligned, or past the end of its memory) is a row that says so; what cost() refuses besides is
/// refused here, too.
///
///     co::compare(co::linear{.base = 4, .stride = 4}, co::on<cc13::load<32>, cc90::load<32>,
///     gfx942::global_load<32>>())
///
/// A pattern is asked about the lanes that each instruction has; `co::on<...>(mask)` asks all about the same lanes. Of
/// clang's constexpr steps the 30 capabilities of NVIDIA take under 30,000 (tests/budget).
template <class Pattern, class... Machines>
[[nodiscard]] COALESCE_API constexpr auto compare(Pattern const& pattern, Machines const&... machines) {
  constexpr bool are_asked = sizeof...(Machines) != 0 && (detail::is_asked<Machines> && ...);
  static_assert(are_asked, "compare(pattern, machines...): machines are co::on<Instructions...>([active])");
  if constexpr (are_asked) {
    comparison<(Machines::count + ...)> rows;
    (detail::append_rows(rows, pattern, machines), ...);
    return rows;
  } else {
    return comparison<1>{};
  }
}

}  // namespace coalescing
