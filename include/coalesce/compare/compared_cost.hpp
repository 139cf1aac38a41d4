// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/cost.hpp>
#include <coalesce/core/name.hpp>
#include <coalesce/explain/words.hpp>

#include <cstddef>
#include <cstdint>

// A row of a comparison: the numbers that any cost may have, the level and the unit, and the machines that have these
// numbers.

namespace coalescing {

/// Stands for a number of a cost that an instruction does not have.
inline constexpr std::uint64_t not_counted = ~std::uint64_t{0};

/// Why an instruction refuses an access.
enum class refusal { none, address_is_misaligned, access_runs_past_the_end, access_runs_past_the_top };

namespace detail {
struct compared_numbers {
  using sum = std::uint64_t;
};
template <>
inline constexpr std::uint64_t no_number<compared_numbers> = not_counted;
}  // namespace detail

/// Every number that some kind of cost has, for one instruction. A number that this instruction does not have is
/// `not_counted`. Do not compare numbers of two instructions whose levels or units differ.
using compared_cost = detail::every_number<detail::compared_numbers>;

namespace detail {

/// Copies each number of a cost to the member of the same name. Returns how many numbers the cost has.
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

}  // namespace detail

/// The part of a row that is compared. Instructions that stand side by side in the call of compare() share a row if all
/// these members are equal.
struct compared_access : compared_cost {
  text<80> instruction = {};  ///< the name without the machine: load<32>
  coalescing::level level = coalescing::level::dram;
  std::uint64_t unit = 0;   ///< bytes of the smallest transaction, or of a bank
  std::uint64_t lanes = 0;  ///< how many lanes the instruction has
  std::uint64_t bytes = 0;  ///< bytes per lane

  coalescing::refusal refused = refusal::none;  ///< if it is not `none`, no number is counted
  std::uint64_t refused_lane = 0;               ///< the first lane whose address is refused
  std::uint64_t refused_address = 0;            ///< the address of that lane
  std::uint64_t refused_by = 0;                 ///< in bytes: the alignment that is violated, or the size of the memory

  bool operator==(compared_access const&) const = default;
};

namespace detail {

/// The position of a machine in its family's list, from 1 on. 0: the list does not have it.
COALESCE_API constexpr std::uint64_t place_in_family(machine_name const& of) {
  char const* at = of.family.machines;
  for (std::uint64_t place = 1; *at != '\0'; ++place) {
    std::size_t k = 0;
    while (of.name[k] != '\0' && at[k] == of.name[k]) ++k;
    if (of.name[k] == '\0' && (at[k] == ' ' || at[k] == '\0')) return place;
    while (*at != ' ' && *at != '\0') ++at;
    if (*at == ' ') ++at;
  }
  return 0;
}

/// The name of a machine. The family is left out if `before` is of the same family: cc61 after cuda::cc60.
COALESCE_API constexpr char const* name_after(text<80> const& before, text<80> const& name) {
  std::size_t family = 0;
  for (std::size_t k = 0; before.characters[k] != '\0' && before.characters[k] == name.characters[k]; ++k)
    if (before.characters[k] == ':') family = k + 1;
  return name.characters + family;
}

}  // namespace detail

/// A row of a comparison: one machine, or several machines that have the same numbers and stand side by side in the
/// call of compare(). A run is a group of these machines that also follow one another in their family's list: who()
/// writes it by its ends, as "cc60 to cc75".
struct comparison_row : compared_access {
  text<80> first_machine = {};  ///< such as cuda::cc60
  text<80> last_machine = {};   ///< equal to first_machine if the row has one machine
  std::uint64_t machines = 0;   ///< how many machines share the row
  text<16> banked_memory = {};  ///< the family's name for shared memory or LDS; empty stands for LDS

  std::uint64_t place = 0;  ///< the position of last_machine in its family's list, from 1 on; 0: not in the list
  text<200> earlier = {};   ///< the text of who() for all runs but the last one
  std::uint64_t machines_of_earlier = 0;  ///< how many machines `earlier` names
  text<80> run_begins = {};               ///< the first machine of the last run, if there are runs before it

  /// The row's machines in words: "cuda::cc60", "cuda::cc60 and cc61", "cuda::cc60 to cc121", or several runs,
  /// "cuda::cc35, cc60 to cc75, cc90".
  [[nodiscard]] COALESCE_API constexpr text<200> who() const {
    text<200> words;
    if (machines == 2) {
      detail::say(words, first_machine, " and ", detail::name_after(first_machine, last_machine));
    } else {
      words = earlier;
      say_last_run(words);
    }
    return words;
  }
  /// Adds the machine of another row, which has the same numbers. Returns false if who() has no room for its name.
  COALESCE_API constexpr bool take(comparison_row const& next) {
    bool const is_of_family =
        detail::name_after(last_machine, next.first_machine) != static_cast<char const*>(next.first_machine.characters);
    if (place == 0 || next.place != place + 1 || !is_of_family) {
      constexpr std::size_t between = 32;  // for ", " and " to ", and for last names of runs that are longer
      std::size_t const more = 2 * last_machine.length + 2 * next.first_machine.length;
      if (machines != 1 && earlier.length + more + between > 200) return false;
      say_last_run(earlier), earlier.append(", ");
      machines_of_earlier = machines, run_begins = next.first_machine;
    }
    last_machine = next.first_machine, place = next.place, ++machines;
    return true;
  }
  /// The name of the level.
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
        return banked_memory.empty() ? "LDS" : banked_memory.c_str();
    }
    return "";
  }
  bool operator==(comparison_row const&) const = default;

 private:
  COALESCE_API constexpr void say_last_run(text<200>& words) const {
    text<80> const& begin = machines_of_earlier == 0 ? first_machine : run_begins;
    words.append(machines_of_earlier == 0 ? begin.characters : detail::name_after(first_machine, begin));
    std::uint64_t const length = machines - machines_of_earlier;
    if (length > 1) detail::say(words, length == 2 ? ", " : " to ", detail::name_after(begin, last_machine));
  }
};

}  // namespace coalescing
