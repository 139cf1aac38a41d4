// SPDX-License-Identifier: BSL-1.0
#pragma once
#include "random_access.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

// The rules again, slowly and obviously: every byte of every lane in a set. Nothing here is shared with the library.

namespace coalescing_tests {

inline bool is_active(random_access const& access, unsigned lane) { return (access.active >> lane) % 2 == 1; }

/// Every byte that some active lane of the group asks for, once.
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

/// Each aligned piece with the lanes it serves.
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

/// Lanes as the sources print them: "0-3,20-23 4-7,16-19" is two phases of eight lanes.
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

/// Rounds of each phase: the most different words that one bank holds for its lanes; 0 where none is active.
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

// AMD's LDS: the phases of its sources, and a round for a phase without an active lane.

namespace lds_phases {
inline std::string const halves = "0-31 32-63";
inline std::string const quarters = "0-15 16-31 32-47 48-63";
inline std::string const eighths = "0-7 8-15 16-23 24-31 32-39 40-47 48-55 56-63";
inline std::string const crossed =
    "0-3,20-23 4-7,16-19 8-11,28-31 12-15,24-27 32-35,52-55 36-39,48-51 40-43,60-63 44-47,56-59";
}  // namespace lds_phases

/// Rounds of all phases together.
inline std::uint64_t lds_rounds(random_access const& access, unsigned bytes,
                                std::vector<std::vector<unsigned>> const& phases, unsigned banks, unsigned width = 4) {
  std::uint64_t sum = 0;
  for (auto const rounds : bank_rounds(access, bytes, phases, banks, width)) sum += std::max<std::uint64_t>(1, rounds);
  return sum;
}

}  // namespace coalescing_tests
