// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/transaction.hpp>
#include <coalesce/engine/distinct.hpp>
#include <coalesce/engine/order.hpp>

#include <cstdint>

// Engine 2 of 2, for shared memory and LDS: banks. A phase is a set of lanes that the memory serves together. Each bank
// delivers one word per round, so a phase takes as many rounds as the largest number of different words that its lanes
// want from one bank.

namespace coalescing::detail {

/// Takes away the accesses that one round serves, and returns the others. Bit b stands for an access whose words lie in
/// place b % Places, which is one or more neighbouring banks. A round serves each place's lowest bit.
template <unsigned Places>
COALESCE_API constexpr std::uint64_t beyond_the_lowest(std::uint64_t bits) {
  std::uint64_t above = 0;
  if constexpr (Places < 64) above = bits << Places;
  for (unsigned have = Places; have < 64; have *= 2) above |= above << have;
  return bits & above;
}

/// For each lane, the number of the phase that serves it.
template <unsigned Lanes, unsigned Phases>
struct phase_table {
  static constexpr unsigned phases = Phases;
  unsigned char phase_of_lane[Lanes] = {};
};

void every_lane_must_be_in_exactly_one_phase();  // never defined: its call stops the compilation of a wrong table

/// Makes the table from one mask of lanes for each phase, in order. The facts of a machine contain such masks.
template <unsigned Lanes, unsigned Phases>
consteval phase_table<Lanes, Phases> phases_of_masks(std::uint64_t const (&masks)[Phases]) {
  phase_table<Lanes, Phases> table;
  for (unsigned lane = 0; lane != Lanes; ++lane) {
    unsigned found = 0;
    for (unsigned phase = 0; phase != Phases; ++phase)
      if ((masks[phase] >> lane & 1) != 0) table.phase_of_lane[lane] = static_cast<unsigned char>(phase), ++found;
    if (found != 1) every_lane_must_be_in_exactly_one_phase();
  }
  for (std::uint64_t const mask : masks)
    if ((mask & ~wave_mask<Lanes>) != 0) every_lane_must_be_in_exactly_one_phase();
  return table;
}

/// Phases of consecutive lanes: 0 to Lanes/Phases - 1, and so on.
template <unsigned Lanes, unsigned Phases>
consteval phase_table<Lanes, Phases> consecutive_phases() {
  static_assert(Phases != 0 && Lanes % Phases == 0);
  phase_table<Lanes, Phases> table;
  for (unsigned lane = 0; lane != Lanes; ++lane)
    table.phase_of_lane[lane] = static_cast<unsigned char>(lane / (Lanes / Phases));
  return table;
}

/// The rounds of each phase; 0 for a phase without an active lane.
template <unsigned Phases>
struct rounds_by_phase {
  unsigned rounds[Phases] = {};
};

/// Counts the rounds of each phase. Bank = (address / Width) mod Banks. Every word of a wide access counts; a word that
/// several lanes share counts once.
///
/// Accesses are aligned to their size. So two accesses of a phase want the same words, or have no word in common, and
/// it suffices to count the different accesses. The row of banks is cut into places. A place is as wide as an access
/// (96 bits count as 128), or as wide as a bank if a bank is wider:
///
///     banks      0 1 2 3 4 5 6 7 ... 31        4-byte banks, 16-byte accesses: 8 places
///     places     0       1       ... 7
///
/// The number of rounds of a phase is the number of different accesses to its busiest place. `apart` says that no two
/// active lanes make the same access, so the function need not look for equal accesses.
template <unsigned Banks, unsigned Width, unsigned Alignment, unsigned Lanes, unsigned Phases>
COALESCE_COUNT constexpr rounds_by_phase<Phases> count_rounds(access<Lanes> const& asked,
                                                              phase_table<Lanes, Phases> const& table,
                                                              bool apart = false) {
  constexpr unsigned place = Alignment < Width ? Width : Alignment, places = Banks * Width / place;
  static_assert(places != 0 && Phases <= place, "so a number of accesses and phases fits 64 bits");
  static_assert((places & (places - 1)) == 0, "so 64 accesses lie in whole rows, or in a part of one");
  rounds_by_phase<Phases> count;
  if (Phases == 1 && asked.differ / (Banks * Width) == 0) {  // all in one row of banks: no two words share a bank
    count.rounds[0] = asked.active != 0;
    return count;
  }
  if (asked.differ / place < 64) {  // all in 64 neighbouring blocks of `place` bytes: a bit for each block
    std::uint64_t wants[Phases] = {};
    for (unsigned lane = 0; lane != Lanes; ++lane)
      if ((asked.active >> lane & 1) != 0)
        wants[Phases == 1 ? 0 : table.phase_of_lane[lane]] |= std::uint64_t{1} << asked.address[lane] / place % 64;
    for (unsigned phase = 0; phase != Phases; ++phase)
      for (; wants[phase] != 0; ++count.rounds[phase]) wants[phase] &= detail::beyond_the_lowest<places>(wants[phase]);
    return count;
  }
  unsigned char wanted[Phases * places] = {};
  if (!apart && detail::ascends(asked)) {
    std::uint64_t next[Phases] = {};  // by phase: address / place of the last counted access, plus 1
    for (unsigned lane = 0; lane != Lanes; ++lane)
      if (unsigned const phase = Phases == 1 ? 0 : table.phase_of_lane[lane];
          (asked.active >> lane & 1) != 0 && asked.address[lane] / place >= next[phase])
        next[phase] = asked.address[lane] / place + 1,
        count.rounds[phase] += ++wanted[asked.address[lane] / place % places * Phases + phase] > count.rounds[phase];
    return count;
  }
  first_lanes<Lanes> first;
  for (unsigned lane = 0; lane != Lanes; ++lane)
    if (unsigned const phase = Phases == 1 ? 0 : table.phase_of_lane[lane];
        (asked.active >> lane & 1) != 0 && (apart || first(asked.address[lane] / place * Phases + phase, lane) == lane))
      count.rounds[phase] += ++wanted[asked.address[lane] / place % places * Phases + phase] > count.rounds[phase];
  return count;
}

/// Describes the phase that serves the lanes of `group` (a mask): its rounds, its busiest bank and the lanes that
/// collide there. (This is used to list phases; count_rounds is faster if only the count is needed.)
template <unsigned Banks, unsigned Width, unsigned Lanes>
COALESCE_API constexpr bank_phase describe_phase(access<Lanes> const& asked, std::uint64_t group) {
  auto const lanes = detail::by_address(asked, group);
  std::uint64_t words[Banks] = {}, wanted_by[Banks] = {}, next = 0;
  bank_phase phase{.lanes = asked.active & group};
  for (unsigned k = 0; k != lanes.count; ++k) {
    std::uint64_t const end = (lanes.at[k].address + (lanes.bytes - 1)) / Width + 1;
    for (std::uint64_t word = lanes.at[k].address / Width; word < end; ++word) {
      words[word % Banks] += word >= next;
      wanted_by[word % Banks] |= std::uint64_t{1} << lanes.at[k].lane;
    }
    next = end;
  }
  for (unsigned bank = 0; bank != Banks; ++bank)
    if (words[bank] > phase.rounds) phase.rounds = words[bank], phase.bank = bank;
  if (phase.rounds > 1) phase.colliding = wanted_by[phase.bank];
  return phase;
}

/// Describes every phase of a table.
template <unsigned Banks, unsigned Width, unsigned Lanes, unsigned Phases>
COALESCE_API constexpr phase_list<Phases> describe_phases(access<Lanes> const& asked,
                                                          phase_table<Lanes, Phases> const& table) {
  phase_list<Phases> list;
  for (unsigned phase = 0; phase != Phases; ++phase) {
    std::uint64_t group = 0;
    for (unsigned lane = 0; lane != Lanes; ++lane)
      if (table.phase_of_lane[lane] == phase) group |= std::uint64_t{1} << lane;
    list.append(detail::describe_phase<Banks, Width>(asked, group));
  }
  return list;
}

}  // namespace coalescing::detail
