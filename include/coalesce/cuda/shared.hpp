// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cost.hpp>
#include <coalesce/cuda/cost.hpp>
#include <coalesce/cuda/global.hpp>
#include <coalesce/detail/banks.hpp>
#include <coalesce/detail/config.hpp>

#include <cstdint>

// How a warp's accesses to shared memory become rounds over its banks. Which machine follows which rule is the table in
// cuda/machines.hpp. The sources are named in cuda.hpp.

namespace coalescing::cuda {

/// What a kernel or a machine may choose about shared memory. Each machine refuses the modes that it does not have.
enum class shared_mode {
  by_default,
  four_byte_banks,   ///< CC 3.x: cudaSharedMemBankSizeFourByte, its default
  eight_byte_banks,  ///< CC 3.x: cudaSharedMemBankSizeEightByte
  pair_merge  ///< CC 7.0 to 7.5, loads: two parts are one where neighbouring lanes read the same word; NVIDIA employee,
              ///< forum
};

namespace detail {

template <class Row, shared_mode Mode>
inline constexpr bool has_banks =
    (Mode != shared_mode::four_byte_banks && Mode != shared_mode::eight_byte_banks) || Row::eight_byte_banks;

/// What all shared memory instructions share.
template <unsigned Bits>
struct shared_memory {
  static constexpr unsigned lanes = 32;
  static constexpr unsigned bytes = Bits / 8;  ///< per lane
  static constexpr unsigned alignment = bytes;
  static constexpr coalescing::level level = coalescing::level::lds;
};

/// The sum over the phases. A phase without an active lane is none.
template <unsigned Phases>
COALESCE_API constexpr bank_cost<> sum_of(coalescing::detail::bank_degrees<Phases> const& degree) {
  bank_cost<> cost;
  for (unsigned const worst : degree.of) cost.rounds += worst, cost.phases += worst != 0;
  cost.conflicts = cost.rounds - cost.phases;
  return cost;
}

// ---- CC 1.x: 16 banks, half-warps, one broadcast word in each step ----

/// What the lanes of a half-warp want of the banks, 32 bits at a time: how many lanes each bank has to serve, and how
/// many of them are on each of its words.
struct half_warp_words {
  static constexpr unsigned banks = 16;
  unsigned lanes[banks] = {};
  unsigned words[banks] = {};
  unsigned lanes_of_word[banks][16] = {};  ///< most lanes first
};

COALESCE_API constexpr half_warp_words words_of(ordered<32> const& lanes, unsigned offset) {
  half_warp_words wanted;
  for (unsigned k = 0; k != lanes.count; ++k) {
    std::uint64_t const word = lanes.at[k].address / 4 + offset;
    unsigned const bank = static_cast<unsigned>(word % half_warp_words::banks);
    if (k == 0 || lanes.at[k - 1].address / 4 + offset != word) ++wanted.words[bank];
    ++wanted.lanes[bank];
    ++wanted.lanes_of_word[bank][wanted.words[bank] - 1];
  }
  for (unsigned bank = 0; bank != half_warp_words::banks; ++bank)
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
COALESCE_API constexpr unsigned fewest_steps(half_warp_words const& wanted) {
  for (unsigned steps = 0;; ++steps) {
    unsigned broadcasts = 0;
    bool enough = true;
    for (unsigned bank = 0; bank != half_warp_words::banks; ++bank) {
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
COALESCE_API constexpr unsigned most_steps(half_warp_words const& wanted) {
  unsigned steps = 0;
  for (unsigned lanes = 1; lanes <= 16; ++lanes)
    for (unsigned bank = 0; bank != half_warp_words::banks; ++bank)
      if (wanted.lanes[bank] == lanes) steps = steps + wanted.words[bank] < lanes ? steps + wanted.words[bank] : lanes;
  return steps;
}

/// Of stores nothing is broadcast; of lanes that store to one address one remains.
COALESCE_API constexpr unsigned store_steps(ordered<32> const& lanes, unsigned offset) {
  unsigned of_bank[half_warp_words::banks] = {};
  unsigned most = 0;
  for (unsigned k = 0; k != lanes.count; ++k)
    if (k == 0 || lanes.at[k].address != lanes.at[k - 1].address) {
      unsigned const bank = static_cast<unsigned>((lanes.at[k].address / 4 + offset) % half_warp_words::banks);
      if (++of_bank[bank] > most) ++most;
    }
  return most;
}

/// CC 1.x. Words wider than 32 bits are accesses of 32 bits each.
template <class Row, unsigned Bits, bool Store>
struct one_broadcast : shared_memory<Bits> {
  using cost_type = open_bank_cost<>;
  static constexpr unsigned unit = 4;
  static constexpr unsigned period = 128;
  static constexpr open_bank_cost<source> sources{
      .rounds = Row::banks, .conflicts = Row::banks, .phases = Row::banks, .rounds_at_least = Row::banks};

  COALESCE_API static constexpr open_bank_cost<> answer(warp const& asked) {
    open_bank_cost<> cost;
    for (unsigned half = 0; half != 2; ++half) {
      auto const lanes = coalescing::detail::in_order(asked, part_of_warp(half, 16));
      for (unsigned word = 0; lanes.count != 0 && word != (Bits <= 32 ? 1 : Bits / 32); ++word) {
        ++cost.phases;
        if constexpr (Store) {
          auto const steps = store_steps(lanes, word);
          cost.rounds += steps;
          cost.rounds_at_least += steps;
        } else {
          auto const wanted = words_of(lanes, word);
          cost.rounds += most_steps(wanted);
          cost.rounds_at_least += fewest_steps(wanted);
        }
      }
    }
    cost.conflicts = cost.rounds - cost.phases;
    return cost;
  }
};

// ---- CC 2.0 and later: 32 banks, any word is for any number of lanes ----

/// CC 2.x: the whole warp for words of up to 4 bytes, half-warps for 8. For 16 bytes the guide gives a number of ways
/// and no phases: one more than the worst quarter-warp, so 2 where no two lanes of a quarter conflict.
template <class Row, unsigned Bits>
struct fermi_banks : shared_memory<Bits> {
  using cost_type = bank_cost<>;
  static constexpr unsigned unit = 4;
  static constexpr unsigned period = 128;
  static constexpr bank_cost<source> sources{.rounds = Row::banks, .conflicts = Row::banks, .phases = Row::banks};

  COALESCE_API static constexpr bank_cost<> answer(warp const& asked) {
    constexpr auto parts = coalescing::detail::consecutive_phases<32, (Bits <= 32 ? 1 : Bits / 32)>();
    auto const degree = coalescing::detail::bank_conflicts<32, 4>(coalescing::detail::in_order(asked), parts);
    if constexpr (Bits == 128) {
      unsigned worst = 0;
      for (unsigned const quarter : degree.of) worst = quarter > worst ? quarter : worst;
      return worst == 0 ? bank_cost<>{} : bank_cost<>{.rounds = 1 + worst, .conflicts = worst - 1, .phases = 1};
    } else {
      return sum_of(degree);
    }
  }
};

/// CC 3.x: a bank delivers 8 bytes in a round. With 8-byte banks those are one 64-bit word. With 4-byte banks they are
/// two 32-bit words at one place in the halves of an aligned 256 bytes: so the halves are laid over each other before
/// words are told apart.
template <class Row, unsigned Bits, shared_mode Mode>
struct kepler_banks : shared_memory<Bits> {
  using cost_type = bank_cost<>;
  static constexpr bool eight_byte_banks = Mode == shared_mode::eight_byte_banks;
  static constexpr unsigned unit = eight_byte_banks ? 8 : 4;
  static constexpr unsigned period = 256;
  static constexpr source rule = Bits <= 32 ? Row::banks : Row::banks_of_wide_words;
  static constexpr bank_cost<source> sources{.rounds = rule, .conflicts = rule, .phases = rule};

  COALESCE_API static constexpr bank_cost<> answer(warp asked) {
    if constexpr (!eight_byte_banks)
      for (std::uint64_t& address : asked.address) address = address / 256 * 128 + address % 128;
    constexpr auto parts = coalescing::detail::consecutive_phases<32, (Bits <= 64 ? 1 : 2)>();
    return sum_of(coalescing::detail::bank_conflicts<32, unit>(coalescing::detail::in_order(asked), parts));
  }
};

/// Whether each active lane reads what the lane at distance `distance` (1 or 2) reads, or that one is inactive.
COALESCE_API constexpr bool pairs_read_one_address(warp const& asked, unsigned distance) {
  for (unsigned lane = 0; lane != 32; ++lane)
    if ((asked.active >> lane & asked.active >> (lane ^ distance) & 1) != 0 &&
        asked.address[lane] != asked.address[lane ^ distance])
      return false;
  return true;
}

/// CC 5.0 and later: the warp for words of up to 4 bytes, half-warps for 8, quarter-warps for 16. Only lanes of one
/// part conflict.
template <class Row, unsigned Bits, shared_mode Mode>
struct word_banks : shared_memory<Bits> {
  using cost_type = bank_cost<>;
  static constexpr unsigned unit = 4;
  static constexpr unsigned period = 128;
  static constexpr unsigned parts = Bits <= 32 ? 1 : Bits / 32;
  static constexpr source merged{
      "NVIDIA employee, forum 77228, for the merge; which parts merge: measured on Turing only", evidence::inferred};
  static constexpr source rule = Bits <= 32                        ? Row::banks
                                 : Mode == shared_mode::pair_merge ? merged
                                 : Bits == 64                      ? Row::banks_of_8_bytes
                                                                   : Row::banks_of_16_bytes;
  static constexpr bank_cost<source> sources{.rounds = rule, .conflicts = rule, .phases = rule};

  template <unsigned Parts>
  COALESCE_API static constexpr bank_cost<> in_parts(warp const& asked) {
    constexpr auto lanes_of_part = coalescing::detail::consecutive_phases<32, Parts>();
    return sum_of(coalescing::detail::bank_conflicts<32, 4>(coalescing::detail::in_order(asked), lanes_of_part));
  }
  COALESCE_API static constexpr bank_cost<> answer(warp const& asked) {
    if constexpr (Mode == shared_mode::pair_merge && parts > 1)
      if (pairs_read_one_address(asked, 1) || pairs_read_one_address(asked, 2)) return in_parts<parts / 2>(asked);
    return in_parts<parts>(asked);
  }
};

/// Atomics, CC 2.0 and later. Rounds are those of the loads; how long the operations on one address take is not in
/// them.
template <class Row, class Load>
struct shared_atomic_of : Load {
  using cost_type = shared_atomic_cost<>;
  static constexpr shared_atomic_cost<source> sources{.rounds = Row::shared_atomics,
                                                      .conflicts = Row::shared_atomics,
                                                      .phases = Row::shared_atomics,
                                                      .operations = Row::serialized,
                                                      .lanes_on_one_address = Row::serialized};
  COALESCE_API static constexpr shared_atomic_cost<> answer(warp const& asked) {
    auto const load = Load::answer(asked);
    auto const lanes = coalescing::detail::in_order(asked);
    return {load.rounds, load.conflicts, load.phases, lanes.count, coalescing::detail::most_on_one_address(lanes)};
  }
};

// ---- The rules of each family of machines ----

struct half_warp_rules {
  template <class Row, unsigned Bits, caching>
  using load = half_warp_access<Row, Bits>;
  template <class Row, unsigned Bits>
  using store = half_warp_access<Row, Bits>;
  template <class Row, unsigned Bits, shared_mode>
  using shared_load = one_broadcast<Row, Bits, false>;
  template <class Row, unsigned Bits, shared_mode>
  using shared_store = one_broadcast<Row, Bits, true>;
};
struct request_rules {
  template <class Row, unsigned Bits, caching Caching>
  using load = request_load<Row, Bits, Caching>;
  template <class Row, unsigned Bits>
  using store = request_store<Row, Bits>;
  template <class Row, unsigned Bits, shared_mode>
  using shared_load = fermi_banks<Row, Bits>;
  template <class Row, unsigned Bits, shared_mode>
  using shared_store = fermi_banks<Row, Bits>;
};
struct kepler_rules : request_rules {
  template <class Row, unsigned Bits, shared_mode Mode>
  using shared_load = kepler_banks<Row, Bits, Mode>;
  template <class Row, unsigned Bits, shared_mode Mode>
  using shared_store = kepler_banks<Row, Bits, Mode>;
};
struct split_rules {
  template <class Row, unsigned Bits, caching>
  using load = split_load<Row, Bits>;
  template <class Row, unsigned Bits>
  using store = split_store<Row, Bits>;
  template <class Row, unsigned Bits, shared_mode Mode>
  using shared_load = word_banks<Row, Bits, Mode>;
  template <class Row, unsigned Bits, shared_mode Mode>
  using shared_store = word_banks<Row, Bits, Mode>;
};
struct whole_warp_rules : split_rules {
  template <class Row, unsigned Bits, caching>
  using load = whole_load<Row, Bits>;
  template <class Row, unsigned Bits>
  using store = whole_store<Row, Bits>;
};

}  // namespace detail
}  // namespace coalescing::cuda
