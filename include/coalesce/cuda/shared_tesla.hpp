// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cuda/shared.hpp>

#include <cstdint>

// Shared memory of CC 1.x: half-warps, with one broadcast word in each step. The figures are in cuda/rows/tesla.hpp.

namespace coalescing::cuda::rules {

using warp_in_order = coalescing::detail::ascending_lanes<every_capability::lanes.value>;

/// What a half-warp wants of the banks, 32 bits at a time: how many lanes each bank has to serve, how many different
/// words they want there, and how many lanes want each of those words.
template <unsigned Banks, unsigned Lanes>
struct wanted_words {
  unsigned lanes[Banks] = {};
  unsigned words[Banks] = {};
  unsigned lanes_of_word[Banks][Lanes] = {};  ///< how many lanes want each word, most first
};
template <class Row>
using half_warp_words = wanted_words<Row::banks.value, Row::shared_lanes.value>;

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

/// The rounds of a load if the hardware makes the best choices. Each step serves all lanes of one word, the broadcast
/// one, and one lane of every other bank. T steps suffice under two conditions. A bank that broadcasts s of its words,
/// the most wanted ones, has at most T - s lanes left, one for each other step. And all banks together need at most T
/// broadcasts.
///
/// Example: bank 0 has words of 3 and 2 lanes, bank 1 a word of 2. T = 2 does: bank 0 broadcasts its word of 3 and then
/// has one step for 2 lanes, so it broadcasts that too; bank 1 serves its 2 lanes one by one: 2 broadcasts in 2 steps.
/// T = 1 does not: bank 1 would need a broadcast of its own.
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

/// The rounds of a load if the hardware makes the worst choices. Every step then broadcasts a word that only one lane
/// still wants, as long as there is such a word. A bank with w words can give w such steps. But each step serves a lane
/// of every bank, so a bank has no lanes left after as many steps as it has lanes. So the banks with the fewest lanes
/// broadcast first.
///
/// Example: bank 0 has two words of one lane, bank 1 one word of 3 lanes. Bank 0 gives steps 1 and 2, in which bank 1
/// serves two of its lanes; bank 1 gives step 3 with its last lane. (The best: broadcasting bank 1's word, 2 steps.)
template <unsigned Banks, unsigned Lanes>
COALESCE_API constexpr unsigned most_steps(wanted_words<Banks, Lanes> const& wanted) {
  unsigned steps = 0;
  for (unsigned lanes = 1; lanes <= Lanes; ++lanes)
    for (unsigned bank = 0; bank != Banks; ++bank)
      if (wanted.lanes[bank] == lanes) steps = steps + wanted.words[bank] < lanes ? steps + wanted.words[bank] : lanes;
  return steps;
}

/// The steps of a store. Nothing is broadcast. If several lanes store to one address, only one of them writes, and
/// takes a step.
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
  /// The phases with the worst choices. The busiest bank is the one with the most words (for stores: addresses); among
  /// equals, the one with the most lanes.
  COALESCE_API static constexpr auto phases_of(access<warp_lanes> const& asked) {
    constexpr unsigned banks = Row::banks.value;
    phase_list<halves * words> list;
    for (unsigned half = 0; half != halves; ++half) {
      std::uint64_t const group = coalescing::detail::part_of_wave(half, Row::shared_lanes.value);
      auto const lanes = coalescing::detail::by_address(asked, group);
      for (unsigned word = 0; lanes.count != 0 && word != words; ++word) {
        access<warp_lanes> of_word = asked;  // the 32 bits of each lane's word that this phase serves
        of_word.bytes = unit;
        for (std::uint64_t& address : of_word.address) {
          // Stores to different bytes of a word take a step each, so each byte gets a word of its own.
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
