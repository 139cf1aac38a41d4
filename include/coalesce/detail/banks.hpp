// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/detail/config.hpp>
#include <coalesce/detail/segments.hpp>

#include <cstdint>

// Engine 2 of 2: banks. A phase is a set of lanes that are served together; each bank delivers one word in a round; so
// a phase takes as many rounds as the most different words that it wants of one bank. Everything about shared memory
// and LDS is this.

namespace coalescing::detail {

/// Which phase serves each lane.
template <unsigned Lanes, unsigned Phases>
struct phase_table {
  static constexpr unsigned phases = Phases;
  unsigned char of[Lanes] = {};
};

void every_lane_must_be_in_exactly_one_phase();  // never defined: stops a wrong table

/// From the masks of lanes that the sources print, in order.
template <unsigned Lanes, unsigned Phases>
consteval phase_table<Lanes, Phases> phases(std::uint64_t const (&masks)[Phases]) {
  phase_table<Lanes, Phases> table;
  for (unsigned lane = 0; lane != Lanes; ++lane) {
    unsigned found = 0;
    for (unsigned phase = 0; phase != Phases; ++phase)
      if ((masks[phase] >> lane & 1) != 0) table.of[lane] = static_cast<unsigned char>(phase), ++found;
    if (found != 1) every_lane_must_be_in_exactly_one_phase();
  }
  return table;
}

/// Phases of consecutive lanes: 0 to Lanes/Phases - 1, and so on.
template <unsigned Lanes, unsigned Phases>
consteval phase_table<Lanes, Phases> consecutive_phases() {
  phase_table<Lanes, Phases> table;
  for (unsigned lane = 0; lane != Lanes; ++lane) table.of[lane] = static_cast<unsigned char>(lane / (Lanes / Phases));
  return table;
}

/// Per phase, the largest number of different words that one bank must serve; 0 where no lane is active.
template <unsigned Phases>
struct bank_degrees {
  unsigned of[Phases] = {};
};

/// Bank = (address / width) mod Banks; every word of a wide access counts, a word that several lanes share counts once.
template <unsigned Banks, unsigned Width, unsigned Lanes, unsigned Phases>
COALESCE_API constexpr bank_degrees<Phases> bank_conflicts(ordered<Lanes> const& lanes,
                                                           phase_table<Lanes, Phases> const& phase) {
  bank_degrees<Phases> degree;
  unsigned words[Phases][Banks] = {};
  std::uint64_t next[Phases] = {};  // the lowest word that the phase has not counted yet
  for (unsigned k = 0; k != lanes.count; ++k) {
    unsigned const p = phase.of[lanes.at[k].lane];
    std::uint64_t const first = lanes.at[k].address / Width,
                        end = (lanes.at[k].address + (lanes.bytes - 1)) / Width + 1;
    for (std::uint64_t word = first < next[p] ? next[p] : first; word < end; ++word)
      if (++words[p][word % Banks] > degree.of[p]) ++degree.of[p];
    next[p] = end;
  }
  return degree;
}

}  // namespace coalescing::detail
