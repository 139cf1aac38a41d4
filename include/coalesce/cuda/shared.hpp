// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/core/name.hpp>
#include <coalesce/cuda/costs.hpp>
#include <coalesce/cuda/global.hpp>
#include <coalesce/cuda/rows.hpp>
#include <coalesce/engine/banks.hpp>
#include <coalesce/engine/order.hpp>

#include <cstdint>

// How a warp's accesses to shared memory become rounds over its banks. The figures are in cuda/rows.hpp.

namespace coalescing::cuda {

/// What a kernel or a machine may choose about shared memory. Each machine refuses the modes that it does not have.
enum class shared_mode {
  by_default,
  four_byte_banks,   ///< CC 3.x: cudaSharedMemBankSizeFourByte, its default
  eight_byte_banks,  ///< CC 3.x: cudaSharedMemBankSizeEightByte
  pair_merge         ///< CC 7.0 to 7.5, loads: two parts are one where neighbouring lanes read the same word
};

COALESCE_API constexpr char const* words_of(shared_mode mode) {
  switch (mode) {
    case shared_mode::by_default:
      return "";
    case shared_mode::four_byte_banks:
      return "four_byte_banks";
    case shared_mode::eight_byte_banks:
      return "eight_byte_banks";
    case shared_mode::pair_merge:
      return "pair_merge";
  }
  return "";
}

namespace rules {

/// What all shared memory instructions share.
template <class Row, unsigned Bits>
struct shared_memory {
  static constexpr unsigned lanes = Row::lanes.value;
  static constexpr unsigned bytes = Bits / 8;  ///< per lane
  static constexpr unsigned alignment = bytes;
  static constexpr std::uint64_t capacity = Row::shared_bytes.value;  ///< bytes: an offset beyond is refused
  static constexpr coalescing::level level = coalescing::level::lds;
  static constexpr unsigned banks = Row::banks.value;
  static constexpr fact_list rests_on = fact_list{}
                                            .with("banks", Row::banks)
                                            .with("bytes a bank", Row::bank_bytes)
                                            .with("lanes a warp", Row::lanes)
                                            .with("bits of the widest word", Row::widest_shared_bits)
                                            .with("bytes of shared memory", Row::shared_bytes);
};

/// The four numbers rest on one fact.
COALESCE_API constexpr bank_cost<citations> sources_of_banks(source const& from) {
  return {.rounds = from, .conflicts = from, .phases = from, .ways = from};
}

/// The sum over the phases. A phase without an active lane is not counted.
template <unsigned Phases>
COALESCE_API constexpr bank_cost<> sum_of(coalescing::detail::rounds_by_phase<Phases> const& count) {
  std::uint64_t rounds = 0, phases = 0, ways = 0;
  for (unsigned const of_phase : count.rounds) {
    rounds += of_phase;
    phases += of_phase != 0;
    if (of_phase > ways) ways = of_phase;
  }
  return {.rounds = rounds, .conflicts = rounds - phases, .phases = phases, .ways = ways};
}
/// The phases that have an active lane, as a list of at most so many.
template <unsigned Capacity, unsigned Phases>
COALESCE_API constexpr phase_list<Capacity> active_phases(phase_list<Phases> const& all) {
  phase_list<Capacity> active;
  for (bank_phase const& phase : all)
    if (phase.lanes != 0) active.append(phase);
  return active;
}

// ---- CC 1.x: half-warps, one broadcast word in each step ----

using warp_in_order = coalescing::detail::ascending_lanes<every_capability::lanes.value>;

/// What the lanes of a half-warp want of the banks, 32 bits at a time: how many lanes each bank has to serve, and how
/// many of them are on each of its words.
template <unsigned Banks, unsigned Lanes>
struct wanted_words {
  unsigned lanes[Banks] = {};
  unsigned words[Banks] = {};
  unsigned lanes_of_word[Banks][Lanes] = {};  ///< most lanes first
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

/// Each step serves all lanes of one word, the broadcast one, and one lane of every other bank. With the best choices T
/// steps suffice if each bank can have all but T of its lanes broadcast away: a bank that broadcasts s of its words,
/// the most wanted ones, has T - s steps for its other lanes; and there are T broadcasts for all banks together.
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

/// With the worst choices every step broadcasts a word that only one lane still wants, as long as there is one: a bank
/// with w words can give w steps that way, but not after as many steps as it has lanes, since each step serves one of
/// them. So the banks that run dry first go first.
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

/// Of stores nothing is broadcast; of lanes that store to one address one remains.
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

/// CC 1.x. Words wider than a bank are accesses of a bank's width each.
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
  static constexpr drawing drawn{.rounds_are_stacks = words == 1};

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

  COALESCE_API static constexpr open_bank_cost<> cost_of(warp const& asked) {
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
  /// With the worst choices. The busiest bank is that with the most words of lanes (of stores, addresses), of several
  /// that with the most lanes.
  COALESCE_API static constexpr auto phases_of(warp const& asked) {
    constexpr unsigned banks = Row::banks.value;
    phase_list<halves * words> list;
    for (unsigned half = 0; half != halves; ++half) {
      std::uint64_t const group = coalescing::detail::part_of_wave(half, Row::shared_lanes.value);
      auto const lanes = coalescing::detail::by_address(asked, group);
      for (unsigned word = 0; lanes.count != 0 && word != words; ++word) {
        warp of_word = asked;  // the 32 bits of each lane's word that this phase is about
        of_word.bytes = unit;
        for (std::uint64_t& address : of_word.address) {
          std::uint64_t const part = Store ? address % unit : 0;  // as if each byte of a word were a word of its bank
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

// ---- CC 2.0 and later: any word is for any number of lanes ----

/// The warp in phases of so many consecutive lanes.
template <class Row, unsigned LanesOfPhase>
COALESCE_API constexpr auto parts_of() {
  return coalescing::detail::consecutive_phases<Row::lanes.value, Row::lanes.value / LanesOfPhase>();
}

/// CC 2.x. For words of 16 bytes the guide gives a number of ways and no phases: one more than the worst quarter-warp,
/// so 2 where no two lanes of a quarter conflict. We call that one phase.
struct parts_and_one {
  template <class Row, unsigned Bits, shared_mode>
  struct load : shared_memory<Row, Bits> {
    using cost_type = bank_cost<>;
    static constexpr unsigned unit = Row::bank_bytes.value;
    static constexpr unsigned period = Row::banks.value * unit;
    static constexpr bank_cost<citations> sources = sources_of_banks(Row::shared_lanes.from);
    static constexpr unsigned more_ways = Row::more_ways.value.of(Bits / 8);
    static constexpr drawing drawn{.rounds_are_stacks = more_ways == 0};
    static constexpr fact_list rests_on =
        shared_memory<Row, Bits>::rests_on
            .with("lanes a phase", Row::shared_lanes.value.of(Bits / 8), Row::shared_lanes.from)
            .with("more ways than the worst phase", more_ways, Row::more_ways.from);
    static constexpr auto parts = parts_of<Row, Row::shared_lanes.value.of(Bits / 8)>();

    COALESCE_API static constexpr bank_cost<> cost_of(warp const& asked) {
      constexpr auto table = parts;
      auto const cost = sum_of(coalescing::detail::count_rounds<Row::banks.value, unit, Bits / 8>(asked, table));
      if (more_ways == 0 || cost.ways == 0) return cost;
      std::uint64_t const ways = cost.ways + more_ways;
      return {.rounds = ways, .conflicts = ways - 1, .phases = 1, .ways = ways};
    }
    COALESCE_API static constexpr auto phases_of(warp const& asked) {
      constexpr auto table = parts;
      auto list =
          active_phases<parts.phases>(coalescing::detail::describe_phases<Row::banks.value, unit>(asked, table));
      if constexpr (more_ways == 0) return list;
      // The one phase is the whole warp; the lanes that collide are those of its worst quarter.
      phase_list<parts.phases> one;
      for (bank_phase const& quarter : list)
        if (one.empty() || quarter.rounds > one.items[0].rounds) one.items[0] = quarter, one.count = 1;
      if (!one.empty()) {
        one.items[0].lanes = asked.active;
        one.items[0].rounds += more_ways;
      }
      return one;
    }
  };
  template <class Row, unsigned Bits, shared_mode Mode>
  using store = load<Row, Bits, Mode>;
};

/// CC 3.x: a bank delivers 8 bytes in a round. With 8-byte banks those are one 64-bit word. With 4-byte banks they are
/// two 32-bit words at one place in the halves of an aligned 256 bytes: so the halves are laid over each other before
/// words are told apart.
///
///     byte        0 ... 127 | 128 ... 255 | 256 ...
///     folded to   0 ... 127 |   0 ... 127 | 128 ...
struct wide_banks {
  template <class Row, unsigned Bits, shared_mode Mode>
  struct load : shared_memory<Row, Bits> {
    using cost_type = bank_cost<>;
    static constexpr bool eight_byte_banks = Mode == shared_mode::eight_byte_banks;
    static constexpr unsigned unit = eight_byte_banks ? Row::wide_bank_bytes.value : Row::bank_bytes.value;
    static constexpr unsigned period = Row::banks.value * Row::delivered_bytes.value;
    static constexpr fact<unsigned> lanes_of_phase = Row::shared_lanes.of(Bits / 8);
    static constexpr bank_cost<citations> sources = sources_of_banks(
        eight_byte_banks && lanes_of_phase.from.evidence == evidence::documented ? Row::wide_bank_bytes.from
                                                                                 : lanes_of_phase.from);
    static constexpr fact_list with_both = shared_memory<Row, Bits>::rests_on.with("lanes a phase", lanes_of_phase)
                                               .with("bytes that a bank delivers", Row::delivered_bytes);
    static constexpr fact_list rests_on =
        eight_byte_banks ? with_both.with("bytes a wide bank", Row::wide_bank_bytes) : with_both;
    static constexpr auto parts = parts_of<Row, lanes_of_phase.value>();

    COALESCE_API static constexpr warp seen_by_banks(warp asked) {
      constexpr unsigned row_of_banks = Row::banks.value * unit;
      if constexpr (!eight_byte_banks) {
        for (std::uint64_t& address : asked.address) address = address / period * row_of_banks + address % row_of_banks;
        asked.differ = ~std::uint64_t{0};  // they may, anywhere
      }
      return asked;
    }
    COALESCE_API static constexpr bank_cost<> cost_of(warp const& asked) {
      constexpr auto table = parts;
      return sum_of(coalescing::detail::count_rounds<Row::banks.value, unit, Bits / 8>(seen_by_banks(asked), table));
    }
    COALESCE_API static constexpr auto phases_of(warp const& asked) {
      constexpr auto table = parts;
      return active_phases<parts.phases>(
          coalescing::detail::describe_phases<Row::banks.value, unit>(seen_by_banks(asked), table));
    }
  };
  template <class Row, unsigned Bits, shared_mode Mode>
  using store = load<Row, Bits, Mode>;
};

/// Whether each active lane reads what the lane at distance `distance` (1 or 2) reads, or that one is inactive.
COALESCE_API constexpr bool pairs_read_one_address(warp const& asked, unsigned distance) {
  for (unsigned lane = 0; lane != every_capability::lanes.value; ++lane)
    if ((asked.active >> lane & asked.active >> (lane ^ distance) & 1) != 0 &&
        asked.address[lane] != asked.address[lane ^ distance])
      return false;
  return true;
}

COALESCE_API constexpr bool parts_merge(warp const& asked) {
  return pairs_read_one_address(asked, 1) || pairs_read_one_address(asked, 2);
}

/// CC 5.0 and later: the warp for words of up to 4 bytes, half-warps for 8, quarter-warps for 16. Only lanes of one
/// part conflict.
struct word_banks {
  template <class Row, unsigned Bits, shared_mode Mode>
  struct load : shared_memory<Row, Bits> {
    using cost_type = bank_cost<>;
    static constexpr unsigned unit = Row::bank_bytes.value;
    static constexpr unsigned period = Row::banks.value * unit;
    static constexpr fact<unsigned> lanes_of_phase = Row::shared_lanes.of(Bits / 8);
    static constexpr bool may_merge = Mode == shared_mode::pair_merge && lanes_of_phase.value < Row::lanes.value;
    static constexpr source from() {
      if constexpr (may_merge)
        return Row::merged_parts.from;
      else
        return lanes_of_phase.from;
    }
    static constexpr bank_cost<citations> sources = sources_of_banks(from());
    static constexpr fact_list facts() {
      auto const all = shared_memory<Row, Bits>::rests_on.with("lanes a phase", lanes_of_phase);
      if constexpr (may_merge)
        return all.with("phases that may merge", Row::merged_parts);
      else
        return all;
    }
    static constexpr fact_list rests_on = facts();

    template <unsigned LanesOfPhase>
    COALESCE_API static constexpr bank_cost<> in_parts(warp const& asked) {
      constexpr auto table = parts_of<Row, LanesOfPhase>();
      return sum_of(coalescing::detail::count_rounds<Row::banks.value, unit, Bits / 8>(asked, table));
    }
    template <unsigned LanesOfPhase>
    COALESCE_API static constexpr auto list_in_parts(warp const& asked) {
      constexpr auto table = parts_of<Row, LanesOfPhase>();
      return active_phases<Row::lanes.value / lanes_of_phase.value>(
          coalescing::detail::describe_phases<Row::banks.value, unit>(asked, table));
    }
    COALESCE_API static constexpr bank_cost<> cost_of(warp const& asked) {
      if constexpr (may_merge)
        if (parts_merge(asked)) return in_parts<lanes_of_phase.value * Row::merged_parts.value>(asked);
      return in_parts<lanes_of_phase.value>(asked);
    }
    COALESCE_API static constexpr auto phases_of(warp const& asked) {
      if constexpr (may_merge)
        if (parts_merge(asked)) return list_in_parts<lanes_of_phase.value * Row::merged_parts.value>(asked);
      return list_in_parts<lanes_of_phase.value>(asked);
    }
  };
  template <class Row, unsigned Bits, shared_mode Mode>
  using store = load<Row, Bits, Mode>;
};

}  // namespace rules
}  // namespace coalescing::cuda
