// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/cost.hpp>
#include <coalesce/total/visits.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "random_access.hpp"

// The oracles of claims/any.hpp. In small cases: every combination of choices, one by one. In large ones: a maximum
// flow from a source through the lanes and the words to a sink, found by searching the network node by node.

namespace coalescing_tests {

/// The addresses that lanes choose from.
struct random_choices {
  std::array<std::array<std::uint64_t, 4>, max_lanes> address{};
  std::uint64_t active = 0;
  unsigned choices = 1;
  std::uint64_t operator()(unsigned lane, unsigned choice) const { return address[lane][choice]; }
};
/// Choices of all lanes; those that pick together have one.
struct one_combination {
  random_choices const& from;
  std::array<unsigned, max_lanes> choice{};
  unsigned together = 1;
  std::uint64_t operator()(unsigned lane) const { return from(lane, choice[lane / together]); }
};

/// Small tables, tables of each lane, and rows that neighbours share; 3 to 5 lanes.
template <class Instruction>
class random_choices_of {
 public:
  explicit random_choices_of(unsigned seed) : engine_(seed) {}

  random_choices next(unsigned together) {
    random_choices made;
    made.choices = 1 + below(4);
    unsigned const lanes = Instruction::lanes, first = below(lanes), apart = 1 + below(8);
    for (unsigned k = 0, count = 3 + below(3); k != count; ++k)
      made.active |= std::uint64_t{1} << (first + k * (k % 2 == 0 ? 1 : apart)) % lanes;
    std::uint64_t const step =
        std::array<std::uint64_t, 4>{Instruction::alignment, Instruction::unit, Instruction::period, 4}[below(4)];
    std::uint64_t const range = 1 + below(12);
    unsigned const kind = below(3);
    for (unsigned lane = 0; lane != lanes; ++lane)
      for (unsigned choice = 0; choice != 4; ++choice) {
        std::uint64_t const row = kind == 2 ? 2 * Instruction::period * (choice + below(2) * (lane / together)) : 0;
        std::uint64_t const at = kind == 0   ? step * below(range)
                                 : kind == 1 ? step * (lane + choice * range)
                                             : row + lane % together * Instruction::unit;
        made.address[lane][choice] = at / Instruction::alignment * Instruction::alignment;
      }
    return made;
  }

 private:
  unsigned below(std::uint64_t bound) { return static_cast<unsigned>(engine_() % bound); }
  std::mt19937_64 engine_;
};

/// The highest of each number over all combinations.
template <class Instruction>
typename Instruction::cost_type worst_of_all(random_choices const& made, unsigned together) {
  std::set<unsigned> who;  // pick: lanes / together
  for (unsigned lane = 0; lane != Instruction::lanes; ++lane)
    if ((made.active >> lane & 1) != 0) who.insert(lane / together);
  std::vector<unsigned> const pickers(who.begin(), who.end());
  one_combination picked{made, {}, together};
  std::uint64_t combinations = 1;
  for (std::size_t k = 0; k != pickers.size(); ++k) combinations *= made.choices;
  coalescing::detail::outermost<true, typename Instruction::cost_type> most;
  for (std::uint64_t k = 0; k != combinations; ++k) {
    std::uint64_t rest = k;
    for (unsigned const picker : pickers)
      picked.choice[picker] = static_cast<unsigned>(rest % made.choices), rest /= made.choices;
    most.take(coalescing::cost<Instruction>(picked, made.active), {});
  }
  return most.result().cost;
}

/// A table of words for 64 lanes: each lane can want some of them.
class many_choices {
 public:
  explicit many_choices(std::mt19937_64& engine) {
    choices = 2 + static_cast<unsigned>(engine() % 39);
    std::uint64_t const range = 8 + engine() % 600, own = engine() % 3 == 0 ? 0 : engine() % 40;
    bool const in_banks = engine() % 2 == 0;
    active = engine() % 3 == 0 ? engine() : ~std::uint64_t{0};
    for (auto& of_lane : words_) {
      of_lane.resize(choices);
      std::uint64_t const here = own == 0 ? 0 : engine() % own;
      for (auto& word : of_lane) word = in_banks ? (here + engine() % 12) * 32 + engine() % 2 : here + engine() % range;
    }
  }
  std::uint64_t word(unsigned lane, unsigned choice) const { return words_[lane][choice]; }

  unsigned choices = 0;
  std::uint64_t active = 0;

 private:
  std::array<std::vector<std::uint64_t>, 64> words_;
};

/// The most different words (or runs of `run` words) of one bank that the lanes of a mask can want: the largest flow.
/// Without `undoing`, no lane gives its word back: a control.
inline std::uint64_t most_flow(many_choices const& made, std::uint64_t lanes, unsigned banks, unsigned run = 1,
                               bool undoing = true) {
  std::map<std::uint64_t, std::map<std::uint64_t, std::set<unsigned>>> wanted;  // by bank and word: the lanes
  for (unsigned lane = 0; lane != 64; ++lane)
    for (unsigned choice = 0; (lanes >> lane & 1) != 0 && choice != made.choices; ++choice) {
      std::uint64_t const piece = made.word(lane, choice) / run;
      wanted[piece % banks][piece].insert(lane);
    }
  std::uint64_t most = 0;
  for (auto const& [bank, words] : wanted) {
    std::map<unsigned, std::uint64_t> word_of;  // the flow: lane to word
    std::set<std::uint64_t> taken;
    for (bool more = true; more;) {  // one more unit, by the shortest way
      more = false;
      std::map<std::uint64_t, unsigned> lane_before;  // the way: which lane led to a word
      std::map<unsigned, bool> seen;
      std::vector<unsigned> ways;
      for (unsigned lane = 0; lane != 64; ++lane)
        if ((lanes >> lane & 1) != 0 && !word_of.contains(lane)) seen[lane] = true, ways.push_back(lane);
      for (std::size_t k = 0; k != ways.size() && !more; ++k)
        for (auto const& [word, by] : words) {
          if (!by.contains(ways[k]) || lane_before.contains(word)) continue;
          lane_before[word] = ways[k];
          if (!taken.contains(word)) {
            taken.insert(word);
            for (std::uint64_t at = word;;) {
              unsigned const lane = lane_before[at];
              auto const old = word_of.find(lane);
              bool const ends = old == word_of.end();
              std::uint64_t const next = ends ? 0 : old->second;
              word_of[lane] = at;
              if (ends) break;
              at = next;
            }
            more = true;
            break;
          }
          if (undoing)
            for (auto const& [lane, its] : word_of)
              if (its == word && !seen[lane]) seen[lane] = true, ways.push_back(lane);
        }
    }
    most = std::max<std::uint64_t>(most, word_of.size());
  }
  return most;
}

}  // namespace coalescing_tests
