// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna/costs.hpp>
#include <coalesce/cdna/rows.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/engine/distinct.hpp>
#include <coalesce/engine/segments.hpp>

#include <cstdint>

// How a wave's global accesses become requests between L1 and L2. The figures are in cdna/rows.hpp, the instructions in
// cdna.hpp.

namespace coalescing::cdna::rules {

using asked_by_wave = access<every_chip::lanes.value>;

/// What all share: pieces of so many bytes.
template <class Row, unsigned Bits, unsigned PieceBytes>
struct global_memory {
  static constexpr unsigned lanes = Row::lanes.value;
  static constexpr unsigned bytes = Bits / 8;  ///< per lane
  static constexpr unsigned alignment = bytes < Row::aligned_bytes.value ? bytes : Row::aligned_bytes.value;
  static constexpr coalescing::level level = coalescing::level::l2;  ///< requests from L1
  static constexpr unsigned unit = PieceBytes;
  static constexpr unsigned period = unit;

  static constexpr fact_list rests_on = fact_list{}
                                            .with("lanes a quad", Row::quad_lanes)
                                            .with("lanes a wave", Row::lanes)
                                            .with("bytes that addresses are a multiple of", Row::aligned_bytes);

  COALESCE_API static constexpr load_cost<> count(asked_by_wave const& asked) {
    auto const pieces = coalescing::detail::count_touched<unit, bytes, alignment>(asked);
    return {.transactions = pieces,
            .bytes_moved = pieces * unit,
            .bytes_used = coalescing::detail::count_bytes<bytes, alignment>(asked),
            .quads = coalescing::detail::active_groups(asked.active, Row::quad_lanes.value)};
  }
  COALESCE_API static constexpr auto transactions_of(asked_by_wave const& asked) {
    return coalescing::detail::list_touched<unit, bytes, alignment>(asked);
  }
};

template <class Row, unsigned Bits>
struct load : global_memory<Row, Bits, Row::line_bytes.value> {
  using cost_type = load_cost<>;
  static constexpr load_cost<citations> sources{.transactions = Row::loads,
                                                .bytes_moved = Row::loads,
                                                .bytes_used = coalescing::detail::counted_from_the_addresses,
                                                .quads = Row::quad_lanes.from};
  static constexpr fact_list rests_on =
      global_memory<Row, Bits, Row::line_bytes.value>::rests_on.with("bytes a line", Row::line_bytes);
  COALESCE_API static constexpr load_cost<> cost_of(asked_by_wave const& asked) { return load::count(asked); }
};

/// Stores and atomics.
template <class Row, unsigned Bits, bool Atomic>
struct write : global_memory<Row, Bits, Row::write_bytes.value> {
  using cost_type = write_cost<>;
  /// Atomics are naturally aligned (LLVM).
  static constexpr unsigned alignment = Atomic ? Bits / 8 : global_memory<Row, Bits, Row::write_bytes.value>::alignment;
  static constexpr write_cost<citations> sources{
      .transactions = Row::writes,
      .bytes_moved = Row::writes,
      .bytes_used = coalescing::detail::counted_from_the_addresses,
      .quads = Row::quad_lanes.from,
      .operations = Atomic ? coalescing::detail::counted_from_the_addresses : Row::one_writer};
  static constexpr fact_list rests_on =
      global_memory<Row, Bits, Row::write_bytes.value>::rests_on.with("bytes a request", Row::write_bytes);

  COALESCE_API static constexpr write_cost<> cost_of(asked_by_wave const& asked) {
    auto const pieces = write::count(asked);
    return {.transactions = pieces.transactions,
            .bytes_moved = pieces.bytes_moved,
            .bytes_used = pieces.bytes_used,
            .quads = pieces.quads,
            .operations = Atomic ? coalescing::detail::count_bits(asked.active)
                                 : coalescing::detail::count_distinct<alignment>(asked)};
  }
};

}  // namespace coalescing::cdna::rules
