// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cuda/shared.hpp>

#include <cstdint>

// Shared memory of CC 1.x: each half-warp is served in steps, and each step broadcasts one word. The numbers are in
// cuda/rows/tesla.hpp.

namespace coalescing::cuda::rules {

using warp_in_order = coalescing::detail::ascending_lanes<every_capability::lanes.value>;

/// What the lanes of a half-warp want of each bank. If a lane's word is wider than a bank, only one 32-bit part of it
/// is counted here. `lanes` counts the lanes that the bank has to serve. `words` counts the different 32-bit words that
/// these lanes want from the bank.
template <unsigned Banks, unsigned Lanes>
struct wanted_words {
  unsigned lanes[Banks] = {};
  unsigned words[Banks] = {};
  unsigned lanes_of_word[Banks][Lanes] = {};  ///< how many lanes want each of a bank's words, the largest number first
};
template <class Row>
using half_warp_words = wanted_words<Row::banks.value, Row::shared_lanes.value>;

/// The words that the lanes of a half-warp want. `offset` selects the 32-bit part of each lane's word: 0 is the first.
template <class Row>
COALESCE_API constexpr half_warp_words<Row> words_of(warp_in_order const& lanes, unsigned offset) {
  constexpr unsigned banks = Row::banks.value, width = Row::bank_bytes.value;
  half_warp_words<Row> wanted;
  for (unsigned k = 0; k != lanes.count; ++k) {
    std::uint64_t const word = lanes.at[k].address / width + offset;
    unsigned const bank = static_cast<unsigned>(word % banks);
    if (k == 0 || lanes.at[k - 1].address / width + offset != word) ++wanted.words[bank];
    ++wanted.lanes[bank];
    ++wanted.lanes_of_word[bank][wanted.words[bank] - 1];
  }
  for (unsigned bank = 0; bank != banks; ++bank)
    for (unsigned word = 1; word < wanted.words[bank]; ++word)
      for (unsigned at = word; at != 0 && wanted.lanes_of_word[bank][at] > wanted.lanes_of_word[bank][at - 1]; --at) {
        unsigned const fewer = wanted.lanes_of_word[bank][at - 1];
        wanted.lanes_of_word[bank][at - 1] = wanted.lanes_of_word[bank][at];
        wanted.lanes_of_word[bank][at] = fewer;
      }
  return wanted;
}

/// The steps of a load if the hardware makes the best choices. Each step broadcasts one word of one bank to all lanes
/// that want this word. The step also serves one lane of every other bank. T steps suffice under two conditions:
/// - Every bank can broadcast s of its words so that at most T - s of the bank's lanes are left. The bank serves these
///   lanes one by one, in the steps in which it does not broadcast. It broadcasts its most wanted words, and its
///   s is the smallest number that suffices.
/// - The sum of s over all banks is at most T, since each step has only one broadcast.
///
/// Example: in bank 0, 3 lanes want one word and 2 lanes another. In bank 1, 2 lanes want one word. T = 2 suffices:
/// bank 0 broadcasts both its words in 2 steps, and bank 1 serves one lane in each. T = 1 does not suffice, since bank
/// 0 has two words.
template <unsigned Banks, unsigned Lanes>
COALESCE_API constexpr unsigned fewest_steps(wanted_words<Banks, Lanes> const& wanted) {
  for (unsigned steps = 0;; ++steps) {
    unsigned broadcasts = 0;
    bool enough = true;
    for (unsigned bank = 0; bank != Banks; ++bank) {
      unsigned left = wanted.lanes[bank], word = 0;
      while (left + word > steps && word != wanted.words[bank]) left -= wanted.lanes_of_word[bank][word++];
      enough = enough && left + word <= steps;
      broadcasts += word;
    }
    if (enough && broadcasts <= steps) return steps;
  }
}

/// The steps of a load if the hardware makes the worst choices. Each step then broadcasts a word that only one lane
/// still wants, as long as there is such a word. A bank with w words allows w such steps. But each step also serves one
/// lane of every other bank, so a bank with n lanes has no lane left after n steps. So in the worst order the banks
/// with the fewest lanes broadcast first.
///
/// Example: bank 0 has two words, each wanted by one lane, and bank 1 has one word, wanted by 3 lanes. Steps 1 and 2
/// broadcast the words of bank 0, and serve one lane of bank 1 each. Step 3 serves the last lane of bank 1. (The best
/// choice is to broadcast the word of bank 1 first: 2 steps.)
template <unsigned Banks, unsigned Lanes>
COALESCE_API constexpr unsigned most_steps(wanted_words<Banks, Lanes> const& wanted) {
  unsigned steps = 0;
  for (unsigned lanes = 1; lanes <= Lanes; ++lanes)
    for (unsigned bank = 0; bank != Banks; ++bank)
      if (wanted.lanes[bank] == lanes) steps = steps + wanted.words[bank] < lanes ? steps + wanted.words[bank] : lanes;
  return steps;
}

/// How many steps a store takes. A step serves one lane of each bank, and broadcasts nothing. If several lanes store to
/// one address, only one of them writes, and only this one takes a step.
template <class Row>
COALESCE_API constexpr unsigned store_steps(warp_in_order const& lanes, unsigned offset) {
  unsigned of_bank[Row::banks.value] = {};
  unsigned most = 0;
  for (unsigned k = 0; k != lanes.count; ++k)
    if (k == 0 || lanes.at[k].address != lanes.at[k - 1].address) {
      unsigned const bank =
          static_cast<unsigned>((lanes.at[k].address / Row::bank_bytes.value + offset) % Row::banks.value);
      if (++of_bank[bank] > most) ++most;
    }
  return most;
}

/// CC 1.x. A word wider than a bank is several accesses, each as wide as a bank.
template <class Row, unsigned Bits, bool Store>
struct one_broadcast_access : shared_memory<Row, Bits> {
  using cost_type = open_bank_cost<>;
  static constexpr unsigned unit = Row::bank_bytes.value;
  static constexpr unsigned period = 2 * Row::banks.value * unit;
  static constexpr open_bank_cost<citations> sources{.rounds = Row::shared_lanes.from,
                                                     .conflicts = Row::shared_lanes.from,
                                                     .phases = Row::shared_lanes.from,
                                                     .ways = Row::shared_lanes.from,
                                                     .rounds_at_least = Row::shared_lanes.from};
  static constexpr fact_list rests_on = shared_memory<Row, Bits>::rests_on.with("lanes a request", Row::shared_lanes);
  static constexpr unsigned halves = Row::lanes.value / Row::shared_lanes.value;
  static constexpr unsigned words = (Bits / 8 + unit - 1) / unit;

  struct steps {
    unsigned most, fewest;
  };
  COALESCE_API static constexpr steps steps_of(warp_in_order const& lanes, unsigned word) {
    if constexpr (Store) {
      unsigned const exactly = store_steps<Row>(lanes, word);
      return {exactly, exactly};
    } else {
      auto const wanted = words_of<Row>(lanes, word);
      return {most_steps(wanted), fewest_steps(wanted)};
    }
  }

  COALESCE_API static constexpr open_bank_cost<> cost_of(access<warp_lanes> const& asked) {
    open_bank_cost<> cost;
    for (unsigned half = 0; half != halves; ++half) {
      auto const lanes =
          coalescing::detail::by_address(asked, coalescing::detail::part_of_wave(half, Row::shared_lanes.value));
      for (unsigned word = 0; lanes.count != 0 && word != words; ++word) {
        auto const [most, fewest] = steps_of(lanes, word);
        ++cost.phases;
        cost.rounds += most;
        cost.rounds_at_least += fewest;
        if (most > cost.ways) cost.ways = most;
      }
    }
    cost.conflicts = cost.rounds - cost.phases;
    return cost;
  }
  /// The phases, if the hardware makes the worst choices. For a load, the busiest bank is the bank with the most words,
  /// and among several such banks the one with the most lanes. For a store, it is the bank with the most addresses.
  COALESCE_API static constexpr auto phases_of(access<warp_lanes> const& asked) {
    constexpr unsigned banks = Row::banks.value;
    phase_list<halves * words> list;
    for (unsigned half = 0; half != halves; ++half) {
      std::uint64_t const group = coalescing::detail::part_of_wave(half, Row::shared_lanes.value);
      auto const lanes = coalescing::detail::by_address(asked, group);
      for (unsigned word = 0; lanes.count != 0 && word != words; ++word) {
        access<warp_lanes> of_word = asked;  // will hold the 32 bits of each word that this phase serves
        of_word.bytes = unit;
        for (std::uint64_t& address : of_word.address) {
          // Stores to different bytes of one word take a step each. So a byte at offset n in its word is moved up by n
          // times the size of shared memory: its bank stays the same, and it counts as another word.
          std::uint64_t const part = Store ? address % unit : 0;
          address = part * one_broadcast_access::capacity + (address / unit + word) * unit;
        }
        auto phase = coalescing::detail::describe_phase<banks, unit>(of_word, group);
        phase.rounds = steps_of(lanes, word).most;
        phase.colliding = 0;
        if constexpr (!Store) {
          auto const wanted = words_of<Row>(lanes, word);
          for (unsigned bank = 0; bank != banks; ++bank)
            if (wanted.words[bank] == wanted.words[phase.bank] && wanted.lanes[bank] > wanted.lanes[phase.bank])
              phase.bank = bank;
        }
        for (unsigned lane = 0; phase.rounds > 1 && lane != Row::lanes.value; ++lane)
          if ((asked.active & group) >> lane & 1 && of_word.address[lane] / unit % banks == phase.bank)
            phase.colliding |= std::uint64_t{1} << lane;
        list.append(phase);
      }
    }
    return list;
  }
};
struct one_broadcast {
  template <class Row, unsigned Bits, shared_mode>
  using load = one_broadcast_access<Row, Bits, false>;
  template <class Row, unsigned Bits, shared_mode>
  using store = one_broadcast_access<Row, Bits, true>;
};

}  // namespace coalescing::cuda::rules
