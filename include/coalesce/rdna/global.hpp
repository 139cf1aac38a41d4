// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/engine/banks.hpp>
#include <coalesce/engine/distinct.hpp>
#include <coalesce/engine/segments.hpp>
#include <coalesce/rdna/costs.hpp>
#include <coalesce/rdna/rows.hpp>

#include <cstdint>

// How a wave's global accesses become lines of L0, the first cache, and on gfx1030
// clocks of it; how a scalar load becomes lines of the scalar cache. The figures are in rdna/rows.hpp, the instructions
// in rdna.hpp.

namespace coalescing::rdna::rules {

/// What loads, stores and atomics share. A wave of 64 lanes is two halves, one after the other.
template <class Row, unsigned Lanes, unsigned Bits>
struct global_memory {
  using wave = access<Lanes>;
  static constexpr unsigned lanes = Lanes;
  static constexpr unsigned bytes = Bits / 8;  ///< per lane
  static constexpr unsigned alignment = bytes < Row::aligned_bytes.value ? bytes : Row::aligned_bytes.value;
  static constexpr coalescing::level level = coalescing::level::l0;
  static constexpr unsigned unit = Row::line_bytes.value;
  static constexpr unsigned period = unit;

  static constexpr fact_list of_half_waves = fact_list{}
                                                 .with("bytes a line", Row::line_bytes)
                                                 .with("lanes a half wave", Row::lanes)
                                                 .with("bytes that addresses are a multiple of", Row::aligned_bytes);
  static constexpr fact_list rests_on =
      Lanes == Row::lanes.value ? of_half_waves : of_half_waves.with("waves of 64 lanes", Row::wave64.from);

  static constexpr unsigned half = Row::lanes.value, halves = Lanes / half;
  COALESCE_API static constexpr memory_cost<> count(wave const& asked) {
    std::uint64_t lines = 0;
    for (unsigned k = 0; k != halves; ++k)
      lines += coalescing::detail::count_touched<unit, bytes, alignment>(coalescing::detail::part_of<half>(asked, k));
    return {.transactions = lines,
            .bytes_moved = lines * unit,
            .bytes_used = coalescing::detail::count_bytes<bytes, alignment>(asked)};
  }
  COALESCE_API static constexpr auto transactions_of(wave const& asked) {
    transaction_list<bytes <= alignment ? Lanes : 2 * Lanes> list;
    for (unsigned k = 0; k != halves; ++k)
      coalescing::detail::list_segments(
          coalescing::detail::by_address(asked, coalescing::detail::part_of_wave(k, half)), unit, list);
    return list;
  }
};

/// Loads and stores.
template <class Row, unsigned Lanes, unsigned Bits>
struct global_access : global_memory<Row, Lanes, Bits> {
  using cost_type = memory_cost<>;
  static constexpr memory_cost<citations> sources{.transactions = Row::lines_of_a_wave,
                                                  .bytes_moved = Row::lines_of_a_wave,
                                                  .bytes_used = coalescing::detail::counted_from_the_addresses};
  COALESCE_API static constexpr memory_cost<> cost_of(access<Lanes> const& asked) {
    return global_access::count(asked);
  }
};

/// Atomics: in L2, naturally aligned (LLVM).
template <class Row, unsigned Lanes, unsigned Bits>
struct global_atomic : global_memory<Row, Lanes, Bits> {
  using cost_type = atomic_cost<>;
  static constexpr unsigned alignment = Bits / 8;
  static constexpr coalescing::level level = coalescing::level::l2;
  static constexpr atomic_cost<citations> sources{.transactions = Row::atomic_lines,
                                                  .bytes_moved = Row::atomic_lines,
                                                  .bytes_used = coalescing::detail::counted_from_the_addresses,
                                                  .operations = coalescing::detail::counted_from_the_addresses};
  COALESCE_API static constexpr atomic_cost<> cost_of(access<Lanes> const& asked) {
    auto const lines = global_atomic::count(asked);
    return {.transactions = lines.transactions,
            .bytes_moved = lines.bytes_moved,
            .bytes_used = lines.bytes_used,
            .operations = coalescing::detail::count_bits(asked.active)};
  }
};

// ---- Clocks of gfx1030's L0 ----

template <class Row>
concept has_clocks = requires {
  Row::clocks;
};

/// A load that hits L0: of the lines that it wants, one of each tag bank in a clock; of the words, one of each data
/// bank. The doubles that were measured are naturally aligned, so these loads are asked for so.
template <class Row, unsigned Lanes, unsigned Bits>
struct clocked_load : global_memory<Row, Lanes, Bits> {
  using memory = global_memory<Row, Lanes, Bits>;
  using cost_type = clocked_load_cost<>;
  static constexpr unsigned alignment = memory::bytes;
  static constexpr unsigned period = Row::tag_banks.value * memory::unit;
  static constexpr unsigned clock_lanes = Row::lanes.value;  ///< whose clocks add up
  static constexpr source clocks_from = Lanes == Row::lanes.value
                                            ? Row::clocks
                                            : taken_over(Row::clocks, "that a wave64 takes the clocks of both halves");
  static constexpr clocked_load_cost<citations> sources{.clocks = clocks_from,
                                                        .transactions = Row::lines_of_a_wave,
                                                        .bytes_moved = Row::lines_of_a_wave,
                                                        .bytes_used = coalescing::detail::counted_from_the_addresses};

  static constexpr fact_list rests_on = memory::rests_on.with("banks of tags", Row::tag_banks)
                                            .with("banks of data", Row::data_banks)
                                            .with("lines a clock", Row::lines_of_one_clock);

  /// Of 32 lanes that want so many lines; of none nothing, as a half without an active lane is skipped (ISA3 3.2.3).
  COALESCE_API static constexpr std::uint64_t clocks_of(access<memory::half> const& asked, std::uint64_t lines) {
    constexpr auto all = coalescing::detail::consecutive_phases<memory::half, 1>();
    constexpr unsigned line = memory::unit, word = 4;
    std::uint64_t const tags = coalescing::detail::count_rounds<Row::tag_banks.value, line, line>(asked, all).rounds[0],
                        words = coalescing::detail::count_rounds<Row::data_banks.value, word, alignment>(asked, all)
                                    .rounds[0],
                        least = lines > Row::lines_of_one_clock.value ? 2 : lines != 0,
                        most = tags > words ? tags : words;
    return most > least ? most : least;
  }
  COALESCE_API static constexpr clocked_load_cost<> cost_of(access<Lanes> const& asked) {
    std::uint64_t clocks = 0, lines = 0;
    for (unsigned k = 0; k != memory::halves; ++k) {
      auto&& half = coalescing::detail::part_of<memory::half>(asked, k);
      std::uint64_t const of_half = coalescing::detail::count_distinct<memory::unit>(half);
      lines += of_half, clocks += clocked_load::clocks_of(half, of_half);
    }
    return {.clocks = clocks,
            .transactions = lines,
            .bytes_moved = lines * memory::unit,
            .bytes_used = coalescing::detail::count_bytes<memory::bytes, alignment>(asked)};
  }
};

template <class Row, unsigned Lanes, unsigned Bits>
struct load_rule {
  using type = global_access<Row, Lanes, Bits>;
};
template <class Row, unsigned Lanes, unsigned Bits>
requires(has_clocks<Row> && (Bits == 32 || Bits == 64)) struct load_rule<Row, Lanes, Bits> {
  using type = clocked_load<Row, Lanes, Bits>;
};

template <class Row>
concept has_lines = requires {
  Row::line_bytes;
};

// ---- Scalar loads ----

/// One address for the wave: one lane.
template <class Row, unsigned Lanes, unsigned Dwords>
struct scalar_load {
  using cost_type = memory_cost<>;
  static constexpr unsigned lanes = 1, wave_lanes = Lanes;
  static constexpr unsigned bytes = 4 * Dwords;
  static constexpr unsigned alignment = 4;
  static constexpr coalescing::level level = coalescing::level::constant_cache;  ///< the scalar cache
  static constexpr unsigned unit = Row::scalar_line_bytes.value;
  static constexpr unsigned period = unit;
  static constexpr fact_list facts() {
    auto const all = fact_list{}.with("bytes a line", Row::scalar_line_bytes).with("lanes a wave", Row::lanes);
    if constexpr (Dwords == 3)
      return all.with("loads of 96 bits", Row::scalar_load_b96);
    else
      return all;
  }
  static constexpr fact_list rests_on = facts();
  static constexpr memory_cost<citations> sources{.transactions = Row::scalar_line_bytes.from,
                                                  .bytes_moved = Row::scalar_line_bytes.from,
                                                  .bytes_used = coalescing::detail::counted_from_the_addresses};

  COALESCE_API static constexpr memory_cost<> cost_of(access<1> const& asked) {
    auto const lines = coalescing::detail::count_touched<unit, bytes, alignment>(asked);
    return {.transactions = lines,
            .bytes_moved = lines * unit,
            .bytes_used = coalescing::detail::count_bytes<bytes, alignment>(asked)};
  }
  COALESCE_API static constexpr auto transactions_of(access<1> const& asked) {
    return coalescing::detail::list_touched<unit, bytes, alignment>(asked);
  }
};

}  // namespace coalescing::rdna::rules
