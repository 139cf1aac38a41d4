// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cuda/global.hpp>
#include <coalesce/engine/words.hpp>

#include <cstdint>

// How a warp's accesses to shared memory become rounds over the banks. The numbers of each machine are in
// cuda/rows.hpp.

namespace coalescing::cuda {

/// How shared memory serves a warp, on machines where there is a choice. On CC 3.x the program chooses how wide the
/// banks are. For CC 5.0 and later the mode says whether a load may merge two parts of the warp, so that they are
/// served together. A machine refuses the modes that it does not have.
enum class shared_mode {
  by_default,
  four_byte_banks,   ///< CC 3.x: cudaSharedMemBankSizeFourByte, the default of these machines
  eight_byte_banks,  ///< CC 3.x: cudaSharedMemBankSizeEightByte
  pair_merge,  ///< CC 5.0 on, loads: two parts of the warp merge if the lanes of every pair read one address; pairs are
               ///< the lanes n and n ^ 1, or n and n ^ 2
  no_merge  ///< CC 5.0 on, loads: parts of the warp never merge, so the rounds are an upper bound for the other modes
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
    case shared_mode::no_merge:
      return "no_merge";
  }
  return "";
}

namespace rules {

/// The members that all instructions on shared memory have.
template <class Row, unsigned Bits>
struct shared_memory {
  using row = Row;
  static constexpr unsigned lanes = Row::lanes.value;
  static constexpr unsigned bytes = Bits / 8;  ///< bytes per lane
  static constexpr unsigned alignment = bytes;
  /// The size of shared memory in bytes. An access past the end is refused.
  static constexpr std::uint64_t capacity = Row::shared_bytes.value;
  static constexpr coalescing::level level = coalescing::level::lds;
  static constexpr unsigned banks = Row::banks.value;
  static constexpr fact_list rests_on = fact_list{}
                                            .with("banks", Row::banks)
                                            .with("bytes a bank", Row::bank_bytes)
                                            .with("lanes a warp", Row::lanes)
                                            .with("bits of the widest word", Row::widest_shared_bits)
                                            .with("bytes of shared memory", Row::shared_bytes);
};

/// The sources of the four numbers of a bank_cost: `from` for each of them.
COALESCE_API constexpr bank_cost<citations> sources_of_banks(source const& from) {
  return {.rounds = from, .conflicts = from, .phases = from, .ways = from};
}

/// The cost of all phases together. Phases without an active lane are not counted.
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
/// Returns the phases that have an active lane. There are at most Capacity of them.
template <unsigned Capacity, unsigned Phases>
COALESCE_API constexpr phase_list<Capacity> active_phases(phase_list<Phases> const& all) {
  phase_list<Capacity> active;
  for (bank_phase const& phase : all)
    if (phase.lanes != 0) active.append(phase);
  return active;
}

// ---- CC 2.0 and later: a bank serves one word to any number of lanes at once ----

/// The warp, cut into phases of LanesOfPhase consecutive lanes.
template <class Row, unsigned LanesOfPhase>
COALESCE_API constexpr auto parts_of() {
  return coalescing::detail::consecutive_phases<Row::lanes.value, Row::lanes.value / LanesOfPhase>();
}

/// CC 2.x. For words of up to 8 bytes, each phase is the warp or a half-warp. For words of 16 bytes the guide states no
/// phases. It says only that if the worst quarter-warp has an n-way conflict, the warp has an (n + 1)-way conflict. We
/// count the warp as one phase of n + 1 rounds: 2 rounds if no two lanes of a quarter-warp conflict.
struct parts_and_one {
  template <class Row, unsigned Bits, shared_mode>
  struct load : shared_memory<Row, Bits> {
    using cost_type = bank_cost<>;
    static constexpr unsigned unit = Row::bank_bytes.value;
    static constexpr unsigned period = Row::banks.value * unit;
    static constexpr bank_cost<citations> sources = sources_of_banks(Row::shared_lanes.from);
    static constexpr unsigned more_ways = Row::more_ways.value.of(Bits / 8);
    static constexpr fact_list rests_on =
        shared_memory<Row, Bits>::rests_on
            .with("lanes a phase", Row::shared_lanes.value.of(Bits / 8), Row::shared_lanes.from)
            .with("more ways than the worst phase", more_ways, Row::more_ways.from);
    static constexpr auto parts = parts_of<Row, Row::shared_lanes.value.of(Bits / 8)>();
    static constexpr auto grows_with = coalescing::detail::words_in_banks<Row::banks.value, unit, Bits / 8>(parts);

    COALESCE_API static constexpr bank_cost<> cost_of(access<warp_lanes> const& asked) {
      constexpr auto table = parts;
      auto const cost = sum_of(coalescing::detail::count_rounds<Row::banks.value, unit, Bits / 8>(asked, table));
      if (more_ways == 0 || cost.ways == 0) return cost;
      std::uint64_t const ways = cost.ways + more_ways;
      return {.rounds = ways, .conflicts = ways - 1, .phases = 1, .ways = ways};
    }
    COALESCE_API static constexpr auto phases_of(access<warp_lanes> const& asked) {
      constexpr auto table = parts;
      auto list =
          active_phases<parts.phases>(coalescing::detail::describe_phases<Row::banks.value, unit>(asked, table));
      if constexpr (more_ways == 0) return list;
      // The one phase is the whole warp. Its colliding lanes are those of the worst quarter-warp.
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

/// CC 3.x: a bank delivers 8 bytes in a round. With 8-byte banks these 8 bytes are one 64-bit word. With 4-byte banks
/// they are two 32-bit words that lie 128 bytes apart in an aligned piece of 256 bytes. So the two halves of each piece
/// are laid over each other before different words are counted.
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
    static constexpr auto grows_with = coalescing::detail::words_in_banks<Row::banks.value, unit, Bits / 8>(parts);

    COALESCE_API static constexpr access<warp_lanes> seen_by_banks(access<warp_lanes> asked) {
      constexpr unsigned row_of_banks = Row::banks.value * unit;
      if constexpr (!eight_byte_banks) {
        for (std::uint64_t& address : asked.address) address = address / period * row_of_banks + address % row_of_banks;
        asked.differ = ~std::uint64_t{0};  // folded addresses may differ in any bit
      }
      return asked;
    }
    COALESCE_API static constexpr bank_cost<> cost_of(access<warp_lanes> const& asked) {
      constexpr auto table = parts;
      return sum_of(coalescing::detail::count_rounds<Row::banks.value, unit, Bits / 8>(seen_by_banks(asked), table));
    }
    COALESCE_API static constexpr auto phases_of(access<warp_lanes> const& asked) {
      constexpr auto table = parts;
      return active_phases<parts.phases>(
          coalescing::detail::describe_phases<Row::banks.value, unit>(seen_by_banks(asked), table));
    }
  };
  template <class Row, unsigned Bits, shared_mode Mode>
  using store = load<Row, Bits, Mode>;
};

/// Whether the two lanes of each pair read one address. Pairs are lanes n and n ^ distance, where `distance` is 1 or 2.
/// A pair with an inactive lane is ignored.
COALESCE_API constexpr bool pairs_read_one_address(access<warp_lanes> const& asked, unsigned distance) {
  for (unsigned lane = 0; lane != every_capability::lanes.value; ++lane)
    if ((asked.active >> lane & asked.active >> (lane ^ distance) & 1) != 0 &&
        asked.address[lane] != asked.address[lane ^ distance])
      return false;
  return true;
}

COALESCE_API constexpr bool parts_merge(access<warp_lanes> const& asked) {
  return pairs_read_one_address(asked, 1) || pairs_read_one_address(asked, 2);
}

/// CC 5.0 and later. The warp is served as a whole for words of up to 4 bytes, in half-warps for words of 8 bytes, in
/// quarter-warps for words of 16 bytes. Only lanes of one part conflict. In a load, parts may merge into one: the two
/// half-warps, or the two quarter-warps of each half-warp. They merge if the lanes n and n ^ 1 read one address for
/// every n, or if the lanes n and n ^ 2 do so for every n. With shared_mode::by_default, parts merge only on machines
/// where merging was measured or NVIDIA states it. Where merging is only inferred, parts do not merge. The parts of a
/// store never merge.
struct word_banks {
  template <class Row, unsigned Bits, shared_mode Mode>
  struct load : shared_memory<Row, Bits> {
    using cost_type = bank_cost<>;
    static constexpr unsigned unit = Row::bank_bytes.value;
    static constexpr unsigned period = Row::banks.value * unit;
    static constexpr fact<unsigned> lanes_of_phase = Row::shared_lanes.of(Bits / 8);
    static constexpr fact<unsigned> merged_parts = Row::merged_parts.of(Bits / 8);
    static constexpr bool may_merge = merged_parts.value > 1 && (Mode == shared_mode::pair_merge ||
                                                                 (Mode == shared_mode::by_default &&
                                                                  merged_parts.from.evidence != evidence::inferred));
    static constexpr bank_cost<citations> sources =
        sources_of_banks(may_merge ? merged_parts.from : lanes_of_phase.from);
    static constexpr fact_list alone = shared_memory<Row, Bits>::rests_on.with("lanes a phase", lanes_of_phase);
    static constexpr fact_list rests_on = may_merge ? alone.with("phases that may merge", merged_parts) : alone;
    static constexpr auto grows_with = coalescing::detail::words_in_banks<Row::banks.value, unit, Bits / 8>(
        parts_of<Row, lanes_of_phase.value>(), may_merge ? merged_parts.value : 1);

    template <unsigned LanesOfPhase>
    COALESCE_API static constexpr bank_cost<> in_parts(access<warp_lanes> const& asked) {
      constexpr auto table = parts_of<Row, LanesOfPhase>();
      return sum_of(coalescing::detail::count_rounds<Row::banks.value, unit, Bits / 8>(asked, table));
    }
    template <unsigned LanesOfPhase>
    COALESCE_API static constexpr auto list_in_parts(access<warp_lanes> const& asked) {
      constexpr auto table = parts_of<Row, LanesOfPhase>();
      return active_phases<Row::lanes.value / lanes_of_phase.value>(
          coalescing::detail::describe_phases<Row::banks.value, unit>(asked, table));
    }
    COALESCE_API static constexpr bank_cost<> cost_of(access<warp_lanes> const& asked) {
      if constexpr (may_merge)
        if (parts_merge(asked)) return in_parts<lanes_of_phase.value * merged_parts.value>(asked);
      return in_parts<lanes_of_phase.value>(asked);
    }
    /// An access has one of two costs: cost_if_merged if parts of the warp merge, else cost_if_apart. If some lanes may
    /// be inactive, count both costs with all lanes active. The larger value of each number is then an upper bound,
    /// because no number of either cost grows if lanes become inactive. Both costs are needed, because the parts may
    /// merge once the lanes that prevent it are inactive.
    COALESCE_API static constexpr bool merges(access<warp_lanes> const& asked) { return parts_merge(asked); }
    COALESCE_API static constexpr bank_cost<> cost_if_apart(access<warp_lanes> const& asked) {
      return in_parts<lanes_of_phase.value>(asked);
    }
    COALESCE_API static constexpr bank_cost<> cost_if_merged(access<warp_lanes> const& asked) {
      return in_parts<lanes_of_phase.value * merged_parts.value>(asked);
    }
    COALESCE_API static constexpr auto phases_of(access<warp_lanes> const& asked) {
      if constexpr (may_merge)
        if (parts_merge(asked)) return list_in_parts<lanes_of_phase.value * merged_parts.value>(asked);
      return list_in_parts<lanes_of_phase.value>(asked);
    }
  };
  template <class Row, unsigned Bits, shared_mode>
  using store = load<Row, Bits, shared_mode::no_merge>;
};

}  // namespace rules
}  // namespace coalescing::cuda
