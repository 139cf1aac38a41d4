// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/memory.hpp>
#include <coalesce/rdna/costs.hpp>
#include <coalesce/rdna/rows.hpp>

#include <cstdint>
#include <type_traits>

// Counts the lines of L0, the first cache, that a wave's global accesses touch, and on gfx1030 also the clocks of L0.
// For scalar loads, counts the lines of the scalar cache. The facts are in rdna/rows.hpp, the instructions in rdna.hpp.

namespace coalescing::rdna::rules {

/// The facts of an access to the first cache, or of an atomic, which is done in L2.
template <class Row>
COALESCE_API constexpr amd::memory_facts global_facts(unsigned alignment, coalescing::level level) {
  return {.level = level, .unit = Row::line_bytes.value, .alignment = alignment};
}

/// The facts on which every cost of global memory rests.
template <class Row, unsigned Lanes>
inline constexpr fact_list facts_of_memory = [] {
  auto const of_half_waves = fact_list{}
                                 .with("bytes a line", Row::line_bytes)
                                 .with("lanes a half wave", Row::lanes)
                                 .with("bytes that addresses are a multiple of", Row::aligned_bytes);
  return Lanes == Row::lanes.value ? of_half_waves : of_half_waves.with("waves of 64 lanes", Row::wave64.from);
}();

/// A load or store. A wave of 64 lanes is two halves, which access memory one after the other.
template <class Row, unsigned Lanes, unsigned Bits>
struct global_access : amd::memory<Lanes, Bits / 8,
                                   rules::global_facts<Row>(amd::alignment_up_to(Row::aligned_bytes.value, Bits / 8),
                                                            coalescing::level::l0),
                                   Row::lanes.value> {
  using cost_type = memory_cost<>;
  static constexpr memory_cost<citations> sources =
      global_access::template cite<memory_cost<citations>>(Row::lines_of_a_wave);
  static constexpr fact_list rests_on = facts_of_memory<Row, Lanes>;
  COALESCE_API static constexpr memory_cost<> cost_of(access<Lanes> const& asked) {
    return global_access::template count<memory_cost<>>(asked);
  }
};

/// Loads and stores through a buffer descriptor. The pattern gives the final address in memory: the descriptor's base,
/// the offsets and the index are added up already. A lane outside the descriptor's range accesses no memory, so it must
/// not be active. Buffers whose descriptor swizzles addresses are not covered. The cost has no clocks, because no
/// source gives the clocks of buffer accesses.
template <class Row, unsigned Lanes, unsigned Bits>
struct buffer_access : global_access<Row, Lanes, Bits> {
  static constexpr fact_list rests_on = facts_of_memory<Row, Lanes>.with("buffer accesses", Row::buffer_accesses);
};

/// An atomic, which L2 performs. Its addresses are naturally aligned (LLVM).
template <class Row, unsigned Lanes, unsigned Bits>
struct global_atomic
    : amd::memory<Lanes, Bits / 8, rules::global_facts<Row>(Bits / 8, coalescing::level::l2), Row::lanes.value> {
  using cost_type = atomic_cost<>;
  static constexpr atomic_cost<citations> sources = [] {
    auto cited = global_atomic::template cite<atomic_cost<citations>>(Row::atomic_lines);
    cited.operations = coalescing::detail::counted_from_the_addresses;
    return cited;
  }();
  static constexpr fact_list rests_on = facts_of_memory<Row, Lanes>;
  COALESCE_API static constexpr atomic_cost<> cost_of(access<Lanes> const& asked) {
    auto cost = global_atomic::template count<atomic_cost<>>(asked);
    cost.operations = global_atomic::template operations<true>(asked);
    return cost;
  }
};

// ---- Clocks of gfx1030's L0 ----

template <class Row>
concept has_clocks = requires {
  Row::clocks;
};

/// A load that hits L0. In a clock each bank of tags looks up one line, and each bank of data reads one dword. Loads of
/// 64 bits were measured only at multiples of 8 bytes, so other addresses are refused.
template <class Row, unsigned Lanes, unsigned Bits>
struct clocked_load
    : amd::memory<Lanes, Bits / 8, rules::global_facts<Row>(Bits / 8, coalescing::level::l0), Row::lanes.value> {
  using cost_type = clocked_load_cost<>;
  static constexpr unsigned period = Row::tag_banks.value * clocked_load::unit;
  /// The number of lanes whose clocks are counted together. A wave64 takes the sum of the clocks of its two halves.
  static constexpr unsigned clock_lanes = Row::lanes.value;
  // `grows_with` tells which words decide an instruction's cost (engine/words.hpp). It is empty here, because the
  // clocks depend on the lines in the tag banks, too.
  static constexpr coalescing::detail::counted_words<Lanes> grows_with{};
  static constexpr clocked_load_cost<citations> sources = [] {
    auto cited = clocked_load::template cite<clocked_load_cost<citations>>(Row::lines_of_a_wave);
    cited.clocks = Lanes == Row::lanes.value ? Row::clocks
                                             : taken_over(Row::clocks, "that a wave64 takes the clocks of both halves");
    return cited;
  }();

  static constexpr fact_list rests_on = facts_of_memory<Row, Lanes>.with("banks of tags", Row::tag_banks)
                                            .with("banks of data", Row::data_banks)
                                            .with("lines a clock", Row::lines_of_one_clock);

  /// The clocks of 32 lanes that touch `lines` lines. A half of a wave64 without an active lane is skipped, and takes
  /// no clock (ISA3 3.2.3).
  COALESCE_API static constexpr std::uint64_t clocks_of(access<clock_lanes> const& asked, std::uint64_t lines) {
    constexpr auto all = coalescing::detail::consecutive_phases<clock_lanes, 1>();
    constexpr unsigned line = clocked_load::unit, word = 4;
    auto const tags = coalescing::detail::count_rounds<Row::tag_banks.value, line, line>(asked, all);
    auto const words =
        coalescing::detail::count_rounds<Row::data_banks.value, word, clocked_load::alignment>(asked, all);
    std::uint64_t const least = lines > Row::lines_of_one_clock.value ? 2 : lines != 0,
                        most = tags.rounds[0] > words.rounds[0] ? tags.rounds[0] : words.rounds[0];
    return most > least ? most : least;
  }
  COALESCE_API static constexpr clocked_load_cost<> cost_of(access<Lanes> const& asked) {
    std::uint64_t clocks = 0, lines = 0;
    for (unsigned k = 0; k != Lanes / clock_lanes; ++k) {
      auto&& half = coalescing::detail::part_of<clock_lanes>(asked, k);
      std::uint64_t const of_half = clocked_load::pieces(half);
      lines += of_half, clocks += clocked_load::clocks_of(half, of_half);
    }
    auto cost = clocked_load::template numbers<clocked_load_cost<>>(asked, lines);
    cost.clocks = clocks;
    return cost;
  }
};

template <class Row, unsigned Lanes, unsigned Bits>
using global_load = std::conditional_t<has_clocks<Row> && (Bits == 32 || Bits == 64), clocked_load<Row, Lanes, Bits>,
                                       global_access<Row, Lanes, Bits>>;

template <class Row>
concept has_lines = requires {
  Row::line_bytes;
};

// ---- Scalar loads ----

template <class Row>
COALESCE_API constexpr amd::memory_facts scalar_facts() {
  return {.level = coalescing::level::constant_cache,  // the level of AMD's scalar cache, too
          .unit = Row::scalar_line_bytes.value,
          .alignment = Row::aligned_bytes.value};
}
template <class Row, unsigned Lanes, unsigned Dwords>
struct scalar_load : amd::scalar_load<Lanes, Dwords, rules::scalar_facts<Row>()> {
  static constexpr memory_cost<citations> sources =
      scalar_load::template cite<memory_cost<citations>>(Row::scalar_line_bytes.from);
  static constexpr fact_list facts() {
    auto const all = fact_list{}
                         .with("bytes a line", Row::scalar_line_bytes)
                         .with("lanes a wave", Row::lanes)
                         .with("bytes that addresses are a multiple of", Row::aligned_bytes);
    if constexpr (Dwords == 3)
      return all.with("loads of 96 bits", Row::scalar_load_b96);
    else
      return all;
  }
  static constexpr fact_list rests_on = facts();
};

}  // namespace coalescing::rdna::rules
