// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/core/name.hpp>
#include <coalesce/engine/distinct.hpp>
#include <coalesce/engine/segments.hpp>
#include <coalesce/gcn/costs.hpp>
#include <coalesce/gcn/rows.hpp>

#include <cstdint>

// How a wave's accesses to buffers and images become clocks of L1 and requests to L2. The figures are in gcn/rows.hpp,
// the instructions in gcn.hpp.

namespace coalescing::gcn::rules {

using wave = access<row::lanes.value>;

/// An aligned quad of lanes a clock; one without an active lane takes none.
COALESCE_API constexpr std::uint64_t quad_clocks(std::uint64_t active) {
  return coalescing::detail::active_groups(active, row::quad_lanes.value);
}

/// The three cases of the post in one: the active lanes of a quad read within a run of 4 elements. The run starts
/// anywhere; an element is as wide as the access; in any order; repeats are allowed and inactive lanes ignored. A run
/// that holds the first active lane lies within the 7 elements around it:
///
///     element   0 1 2 3 4 5 6     element 3 is the first active lane's, element 0 is `origin`
///     a run       # # # #         `seen`: bit e is set where a lane reads element e
///     no run    #     #   #
///
/// Of a run no bit is more than 3 above the lowest one: seen <= 0b1111 * lowest. (The arithmetic is modulo 2^64, so no
/// address is special.)
template <unsigned Bytes>
COALESCE_API constexpr bool reads_a_run(wave const& asked, unsigned quad) {
  constexpr unsigned elements = row::run_elements.value, reach = (elements - 1) * Bytes;
  std::uint64_t origin = 0, seen = 0, odd = 0, beyond = 0;  // odd: offsets within an element; beyond: past the 7
  for (unsigned lane = quad; lane != quad + row::quad_lanes.value; ++lane)
    if ((asked.active >> lane & 1) != 0)
      origin = seen != 0 ? origin : asked.address[lane] - reach, odd |= (asked.address[lane] - origin) % Bytes,
      beyond |= asked.address[lane] - origin > 2 * reach,
      seen |= std::uint64_t{1} << (asked.address[lane] - origin) / Bytes % 64;
  return (odd | beyond) == 0 && seen <= ((1u << elements) - 1) * (seen & (~seen + 1));
}

/// Whether no run holds both lanes, though they are of one quad: where no two lanes break it, a quad reads a run.
template <unsigned Bytes>
COALESCE_API constexpr bool break_a_run(wave const& asked, unsigned first, unsigned second) {
  if (first / row::quad_lanes.value != second / row::quad_lanes.value ||
      (asked.active >> first & asked.active >> second & 1) == 0)
    return false;
  std::uint64_t const up = asked.address[second] - asked.address[first], distance = up >> 63 != 0 ? 0 - up : up;
  return distance % Bytes != 0 || distance / Bytes >= row::run_elements.value;
}

/// In aligned groups of 16 lanes, one clock where all four quads read such runs. A group that fails is served by quads
/// (the OpenCL guide, 2.4; measured, perftest), and so costs what its active quads cost.
template <unsigned Bytes>
COALESCE_COUNT constexpr std::uint64_t coalesced_clocks(wave const& asked) {
  constexpr unsigned lanes = row::coalesced_lanes.value;
  std::uint64_t clocks = 0;
  for (unsigned group = 0; group != row::lanes.value; group += lanes) {
    std::uint64_t const active = asked.active & coalescing::detail::part_of_wave(group / lanes, lanes);
    bool runs = true;
    for (unsigned quad = group; runs && quad != group + lanes; quad += row::quad_lanes.value)
      runs = reads_a_run<Bytes>(asked, quad);
    clocks += runs ? active != 0 : quad_clocks(active);
  }
  return clocks;
}

/// What all vector memory instructions share.
template <unsigned Bytes>
struct vector_memory {
  static constexpr unsigned clock_lanes = row::coalesced_lanes.value;  ///< whose clocks add up
  static constexpr drawing drawn{.clocks_of_lanes = clock_lanes};
  static constexpr unsigned lanes = row::lanes.value;
  static constexpr unsigned bytes = Bytes;  ///< per lane
  static constexpr unsigned alignment = Bytes < row::aligned_bytes.value ? 1 : row::aligned_bytes.value;
  static constexpr coalescing::level level = coalescing::level::l2;  ///< of the transactions; clocks are L1's
  static constexpr unsigned unit = row::request_bytes.value;
  static constexpr unsigned period = unit;
  static constexpr fact_list rests_on = fact_list{}
                                            .with("bytes a request", row::request_bytes)
                                            .with("lanes a quad", row::quad_lanes)
                                            .with("lanes a wave", row::lanes)
                                            .with("bytes that addresses are a multiple of", row::aligned_bytes);

  COALESCE_API static constexpr load_cost<> load(wave const& asked, std::uint64_t clocks) {
    auto const lines = coalescing::detail::count_touched<unit, bytes, alignment>(asked);
    return {.clocks = clocks,
            .transactions = lines,
            .bytes_moved = lines * unit,
            .bytes_used = coalescing::detail::count_bytes<bytes, alignment>(asked)};
  }
  /// Lanes that store to the same address collapse into one write; of atomics each remains.
  COALESCE_API static constexpr write_cost<> write(wave const& asked, bool atomic) {
    auto const lines = load(asked, quad_clocks(asked.active));
    return {.clocks = lines.clocks,
            .transactions = lines.transactions,
            .bytes_moved = lines.bytes_moved,
            .bytes_used = lines.bytes_used,
            .operations = atomic ? coalescing::detail::count_bits(asked.active)
                                 : coalescing::detail::count_distinct<alignment>(asked)};
  }
  COALESCE_API static constexpr auto transactions_of(wave const& asked) {
    return coalescing::detail::list_touched<unit, bytes, alignment>(asked);
  }

  static constexpr load_cost<citations> sources_of_loads(source const& clocks, source const& lines) {
    return {.clocks = clocks,
            .transactions = lines,
            .bytes_moved = lines,
            .bytes_used = coalescing::detail::counted_from_the_addresses};
  }
  static constexpr write_cost<citations> sources_of_writes(source const& clocks, source const& lines) {
    return {.clocks = clocks,
            .transactions = lines,
            .bytes_moved = lines,
            .bytes_used = coalescing::detail::counted_from_the_addresses,
            .operations = row::one_writer};
  }
};

// ---- The instructions that exist ----

template <unsigned Bits, unsigned Channels>
struct buffer_load : vector_memory<Bits * Channels / 8> {
  using cost_type = load_cost<>;
  static constexpr bool may_coalesce = Channels == 1 && Bits <= row::coalesced_bits.value;
  static constexpr load_cost<citations> sources = buffer_load::sources_of_loads(
      may_coalesce ? row::run_elements.from : row::quad_lanes.from, row::request_bytes.from);
  static constexpr fact_list without_runs =
      vector_memory<Bits * Channels / 8>::rests_on.with("bits of the widest coalesced channel", row::coalesced_bits);
  static constexpr fact_list rests_on =
      may_coalesce
          ? without_runs.with("lanes a coalesced group", row::coalesced_lanes).with("elements a run", row::run_elements)
          : without_runs;

  /// Whether these two lanes alone keep their group of 16 from being coalesced.
  COALESCE_API static constexpr bool break_a_run(wave const& asked, unsigned first,
                                                 unsigned second) requires may_coalesce {
    return rules::break_a_run<Bits / 8>(asked, first, second);
  }
  COALESCE_API static constexpr load_cost<> cost_of(wave const& asked) {
    if constexpr (may_coalesce)
      return buffer_load::load(asked, coalesced_clocks<Bits / 8>(asked));
    else
      return buffer_load::load(asked, quad_clocks(asked.active));
  }
};

template <unsigned Bits, unsigned Channels>
struct buffer_store : vector_memory<Bits * Channels / 8> {
  using cost_type = write_cost<>;
  static constexpr write_cost<citations> sources =
      buffer_store::sources_of_writes(row::store_clocks, row::request_bytes.from);

  COALESCE_API static constexpr write_cost<> cost_of(wave const& asked) { return buffer_store::write(asked, false); }
};

template <unsigned Bits>
struct buffer_atomic : vector_memory<Bits / 8> {
  using cost_type = write_cost<>;
  static constexpr write_cost<citations> sources =
      buffer_atomic::sources_of_writes(row::atomic_clocks, row::atomic_lines);

  COALESCE_API static constexpr write_cost<> cost_of(wave const& asked) { return buffer_atomic::write(asked, true); }
};

template <unsigned Bits>
struct image_load : vector_memory<Bits / 8> {
  using cost_type = load_cost<>;
  static constexpr load_cost<citations> sources =
      image_load::sources_of_loads(row::quad_lanes.from, row::request_bytes.from);

  COALESCE_API static constexpr load_cost<> cost_of(wave const& asked) {
    return image_load::load(asked, quad_clocks(asked.active));
  }
};

template <unsigned Bits>
struct image_sample : vector_memory<Bits / 8> {
  using cost_type = load_cost<>;
  static constexpr unsigned clocks_per_quad = Bits <= row::filtered_bits.value ? 1 : Bits / row::filtered_bits.value;
  static constexpr fact_list rests_on =
      vector_memory<Bits / 8>::rests_on.with("bits of a lane that are filtered in a clock", row::filtered_bits);
  static constexpr load_cost<citations> sources =
      image_sample::sources_of_loads(row::filtered_bits.from, row::named_texels);

  COALESCE_API static constexpr load_cost<> cost_of(wave const& asked) {
    return image_sample::load(asked, clocks_per_quad * quad_clocks(asked.active));
  }
};

template <unsigned Bits>
struct image_store : vector_memory<Bits / 8> {
  using cost_type = write_cost<>;
  static constexpr write_cost<citations> sources =
      image_store::sources_of_writes(row::image_store_clocks, row::request_bytes.from);

  COALESCE_API static constexpr write_cost<> cost_of(wave const& asked) { return image_store::write(asked, false); }
};

}  // namespace coalescing::gcn::rules
