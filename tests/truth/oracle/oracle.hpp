// SPDX-License-Identifier: BSL-1.0
#pragma once
#include "random_access.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

// The rules once more, written slowly and plainly, with every byte of every lane in a set. This oracle shares no code
// with the library.

namespace coalescing_tests {

inline bool is_active(random_access const& access, unsigned lane) { return (access.active >> lane) % 2 == 1; }

/// The bytes that the active lanes of the group access, each once.
inline std::vector<std::uint64_t> touched_bytes(random_access const& access, unsigned bytes,
                                                std::uint64_t group = ~std::uint64_t{0}) {
  std::vector<std::uint64_t> all;
  for (unsigned lane = 0; lane != max_lanes; ++lane)
    if (is_active(access, lane) && (group >> lane) % 2 == 1)
      for (unsigned byte = 0; byte != bytes; ++byte) all.push_back(access.address[lane] + byte);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

/// The aligned pieces that hold those bytes.
inline std::vector<std::uint64_t> touched_pieces(std::vector<std::uint64_t> const& bytes, std::uint64_t size) {
  std::vector<std::uint64_t> pieces;
  for (auto const byte : bytes)
    if (pieces.empty() || pieces.back() != byte - byte % size) pieces.push_back(byte - byte % size);
  return pieces;
}

/// Each aligned piece with the lanes that it serves.
inline std::map<std::uint64_t, std::uint64_t> served_lanes(random_access const& access, unsigned bytes,
                                                           std::uint64_t size) {
  std::map<std::uint64_t, std::uint64_t> lanes;
  for (unsigned lane = 0; lane != max_lanes; ++lane)
    if (is_active(access, lane))
      for (unsigned byte = 0; byte != bytes; ++byte) {
        auto const address = access.address[lane] + byte;
        lanes[address - address % size] |= std::uint64_t{1} << lane;
      }
  return lanes;
}

/// Reads lanes as the sources print them: "0-3,20-23 4-7,16-19" is two phases of eight lanes.
inline std::vector<std::vector<unsigned>> lane_lists(std::string const& text) {
  std::vector<std::vector<unsigned>> lists(1);
  std::size_t at = 0;
  auto const number = [&] {
    unsigned value = 0;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9')
      value = value * 10 + static_cast<unsigned>(text[at++] - '0');
    return value;
  };
  while (at < text.size()) {
    if (text[at] == ' ') lists.emplace_back(), ++at;
    if (text[at] == ',') ++at;
    unsigned const first = number();
    unsigned last = first;
    if (at < text.size() && text[at] == '-') ++at, last = number();
    for (unsigned lane = first; lane <= last; ++lane) lists.back().push_back(lane);
  }
  return lists;
}

/// The rounds of each phase: the largest number of different words that its lanes access in one bank; 0 without an
/// active lane.
inline std::vector<std::uint64_t> bank_rounds(random_access const& access, unsigned bytes,
                                              std::vector<std::vector<unsigned>> const& phases, unsigned banks,
                                              unsigned width) {
  std::vector<std::uint64_t> rounds;
  for (auto const& phase : phases) {
    std::map<std::uint64_t, std::set<std::uint64_t>> words_of_bank;
    for (unsigned const lane : phase)
      if (is_active(access, lane))
        for (unsigned byte = 0; byte != bytes; ++byte) {
          auto const word = (access.address[lane] + byte) / width;
          words_of_bank[word % banks].insert(word);
        }
    std::size_t worst = 0;
    for (auto const& [bank, words] : words_of_bank) worst = std::max(worst, words.size());
    rounds.push_back(worst);
  }
  return rounds;
}

// AMD's LDS: the phases that its sources print. A phase without an active lane takes one round; a wave without an
// active lane takes no round.

namespace lds_phases {
inline std::string const halves = "0-31 32-63";
inline std::string const quarters = "0-15 16-31 32-47 48-63";
inline std::string const eighths = "0-7 8-15 16-23 24-31 32-39 40-47 48-55 56-63";
inline std::string const crossed =
    "0-3,20-23 4-7,16-19 8-11,28-31 12-15,24-27 32-35,52-55 36-39,48-51 40-43,60-63 44-47,56-59";
}  // namespace lds_phases

/// Whether some phase has an active lane. Otherwise the instruction is not issued.
inline bool is_issued(random_access const& access, std::vector<std::vector<unsigned>> const& phases) {
  for (auto const& phase : phases)
    for (unsigned const lane : phase)
      if (is_active(access, lane)) return true;
  return false;
}

/// The rounds of all phases, the rounds of the worst phase, and the number of phases.
struct lds_rounds {
  std::uint64_t sum = 0, worst = 0, phases = 0;
  lds_rounds(random_access const& access, unsigned bytes, std::vector<std::vector<unsigned>> const& lists,
             unsigned banks, unsigned width = 4) {
    if (!is_issued(access, lists)) return;
    for (auto const rounds : bank_rounds(access, bytes, lists, banks, width)) {
      sum += std::max<std::uint64_t>(1, rounds);
      worst = std::max({worst, std::uint64_t{1}, rounds});
      ++phases;
    }
  }
};

/// How a phase without an active lane is listed: not at all (NVIDIA), with 0 rounds, or with one round (AMD). AMD's
/// phase takes its round only if another phase has an active lane.
enum class empty_phases { left_out, with_no_round, with_a_round };
inline constexpr auto left_out = empty_phases::left_out, with_empty = empty_phases::with_no_round,
                      with_a_round = empty_phases::with_a_round;

/// A phase, counted lane by lane and byte by byte: its lanes, its rounds, the lowest of its busiest banks, and the
/// lanes that access that bank if the phase takes several rounds.
struct slow_phase {
  std::uint64_t lanes = 0, rounds = 0, bank = 0, colliding = 0;
  bool operator==(slow_phase const&) const = default;
};
inline std::vector<slow_phase> slow_phases(empty_phases empty, random_access const& access, unsigned bytes,
                                           std::vector<std::vector<unsigned>> const& phases, unsigned banks,
                                           unsigned width) {
  std::vector<slow_phase> list;
  if (empty == empty_phases::with_a_round && !is_issued(access, phases)) return list;
  for (auto const& phase : phases) {
    slow_phase made;
    std::map<std::uint64_t, std::set<std::uint64_t>> words_of_bank;
    std::map<std::uint64_t, std::uint64_t> lanes_of_bank;
    for (unsigned const lane : phase)
      if (is_active(access, lane)) {
        made.lanes |= std::uint64_t{1} << lane;
        for (unsigned byte = 0; byte != bytes; ++byte) {
          auto const word = (access.address[lane] + byte) / width;
          words_of_bank[word % banks].insert(word);
          lanes_of_bank[word % banks] |= std::uint64_t{1} << lane;
        }
      }
    for (auto const& [number, words] : words_of_bank)
      if (words.size() > made.rounds) made.rounds = words.size(), made.bank = number;
    if (made.rounds > 1) made.colliding = lanes_of_bank[made.bank];
    if (made.lanes == 0 && empty == empty_phases::left_out) continue;
    if (made.lanes == 0 && empty == empty_phases::with_a_round) made.rounds = 1;
    list.push_back(made);
  }
  return list;
}

/// Whether a list of phases equals the slow one.
template <class List>
bool lists_phases(List const& list, empty_phases empty, random_access const& access, unsigned bytes,
                  std::vector<std::vector<unsigned>> const& phases, unsigned banks, unsigned width) {
  auto const expected = slow_phases(empty, access, bytes, phases, banks, width);
  if (list.size() != expected.size()) return false;
  for (std::size_t k = 0; k != expected.size(); ++k) {
    auto const [lanes, rounds, bank, colliding] = list[k];
    if (slow_phase{lanes, rounds, bank, colliding} != expected[k]) return false;
  }
  return true;
}

}  // namespace coalescing_tests
