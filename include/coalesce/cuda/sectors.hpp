// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cuda/global.hpp>
#include <coalesce/engine/segments.hpp>
#include <coalesce/engine/words.hpp>

#include <cstdint>

// Global memory of CC 5.0 and later: the sectors that the warp touches. The numbers of each machine are in
// cuda/rows.hpp.

namespace coalescing::cuda::rules {

template <class Row, unsigned Bits>
struct sector_access : global_memory<Row, Bits> {
  static_assert(Row::widest_bits.value / 8 <= Row::sector_bytes.value, "a word lies in one sector");
  static constexpr unsigned unit = Row::sector_bytes.value;
  static constexpr unsigned lanes_per_request = Row::request_lanes.value.of(Bits / 8);
  /// How distinct sectors are counted: in the whole warp at once, so a sector that several requests share counts once.
  static constexpr auto grows_with = coalescing::detail::pieces_of_memory<Row::lanes.value, Row::lanes.value>(unit);
  static constexpr fact_list rests_on = global_memory<Row, Bits>::rests_on.with("bytes a sector", Row::sector_bytes)
                                            .with("bytes a line", Row::line_bytes)
                                            .with("lanes a request", lanes_per_request, Row::request_lanes.from);

  COALESCE_API static constexpr warp_transactions transactions_of(access<warp_lanes> const& asked) {
    return coalescing::detail::segments_of<Row::lanes.value>(asked, unit);
  }
  template <class Cost>
  COALESCE_INLINE static constexpr Cost sectors(access<warp_lanes> const& asked) {
    auto const sectors = coalescing::detail::count_distinct<unit>(asked);
    return {.requests = coalescing::detail::active_groups(asked.active, lanes_per_request),
            .transactions = sectors,
            .bytes_moved = sectors * unit,
            .bytes_used = bytes_used<Bits / 8>(asked, sectors)};
  }
};

/// CC 5.x and 6.x. Before the tags are looked up, the warp is split into requests of 8, 4 or 2 lanes, depending on the
/// word size. A sector that two requests share is counted once; the source of sector_bytes states this assumption.
struct split_warps {
  template <class Row, unsigned Bits, caching Caching>
  struct load : sector_access<Row, Bits> {
    using cost_type = load_cost<>;
    static constexpr coalescing::level level = Row::loads_at.value;
    static constexpr unsigned period = Row::line_bytes.value;
    static constexpr fact_list rests_on =
        sector_access<Row, Bits>::rests_on.with("where sectors are counted", Row::loads_at.from);
    static constexpr load_cost<citations> sources{.requests = Row::request_lanes.from,
                                                  .transactions = Row::sector_bytes.from,
                                                  .bytes_moved = Row::sector_bytes.from,
                                                  .bytes_used = from_the_addresses};
    COALESCE_INLINE static constexpr load_cost<> cost_of(access<warp_lanes> const& asked) {
      return load::template sectors<load_cost<>>(asked);
    }
  };
  template <class Row, unsigned Bits>
  struct store : sector_access<Row, Bits> {
    using cost_type = store_cost<>;
    static constexpr coalescing::level level = Row::stores_at.value;
    static constexpr unsigned period = Row::line_bytes.value;
    static constexpr fact_list rests_on =
        sector_access<Row, Bits>::rests_on.with("where sectors are counted", Row::stores_at.from);
    static constexpr store_cost<citations> sources{.requests = Row::request_lanes.from,
                                                   .transactions = Row::sector_bytes.from,
                                                   .bytes_moved = Row::sector_bytes.from,
                                                   .bytes_used = from_the_addresses,
                                                   .partial_sectors = Row::partial,
                                                   .operations = Row::one_writer};
    COALESCE_INLINE static constexpr store_cost<> cost_of(access<warp_lanes> const& asked) {
      auto const cost = store::template sectors<store_cost<>>(asked);
      return rules::as_store<Row::sector_bytes.value, Bits / 8>(cost, cost.transactions, asked);
    }
  };
};

/// CC 7.0 and later: one request for the warp. The tag stage of L1 looks up four lines in a cycle. The data stage of L1
/// serves hits by the bank rule of shared memory.
template <class Row, unsigned Bits>
struct whole_warp_access : sector_access<Row, Bits> {
  static constexpr unsigned line_bytes = Row::line_bytes.value, banks = Row::banks.value, width = Row::bank_bytes.value,
                            tags = Row::tags_per_cycle.value;
  static constexpr unsigned period = line_bytes > banks* width ? line_bytes : banks* width;
  static constexpr fact<unsigned> data_lanes = Row::data_lanes.of(Bits / 8);
  static constexpr fact_list rests_on = sector_access<Row, Bits>::rests_on.with("tags a cycle", Row::tags_per_cycle)
                                            .with("lanes at a time in the data stage", data_lanes)
                                            .with("banks", Row::banks)
                                            .with("bytes a bank", Row::bank_bytes);
  static constexpr source sector_source() {
    if constexpr (Bits == 256)
      return Row::sectors_of_256_bits;
    else
      return Row::sector_bytes.from;
  }

  template <class Cost>
  COALESCE_INLINE static constexpr Cost stages(access<warp_lanes> const& asked) {
    auto cost = whole_warp_access::template sectors<Cost>(asked);
    auto const lines = coalescing::detail::count_distinct<line_bytes>(asked);
    constexpr auto parts =
        coalescing::detail::consecutive_phases<Row::lanes.value, Row::lanes.value / data_lanes.value>();
    auto const rounds = coalescing::detail::count_rounds<banks, width, Bits / 8>(
        asked, parts, lines == coalescing::detail::count_bits(asked.active));
    std::uint64_t wavefronts = 0;
    for (unsigned const of_part : rounds.rounds) wavefronts += of_part;
    cost.lines = lines;
    cost.data_wavefronts = wavefronts;
    cost.tag_wavefronts_at_least = (lines + tags - 1) / tags;
    return cost;
  }
};
struct whole_warps {
  template <class Row, unsigned Bits, caching Caching>
  struct load : whole_warp_access<Row, Bits> {
    using cost_type = l1_load_cost<>;
    static constexpr coalescing::level level = Row::loads_at.value;
    static constexpr fact_list rests_on =
        whole_warp_access<Row, Bits>::rests_on.with("where sectors are counted", Row::loads_at.from);
    static constexpr l1_load_cost<citations> sources{.requests = Row::request_lanes.from,
                                                     .transactions = load::sector_source(),
                                                     .bytes_moved = load::sector_source(),
                                                     .bytes_used = from_the_addresses,
                                                     .lines = Row::line_bytes.from,
                                                     .data_wavefronts = load::data_lanes.from,
                                                     .tag_wavefronts_at_least = Row::tags_per_cycle.from};
    COALESCE_INLINE static constexpr l1_load_cost<> cost_of(access<warp_lanes> const& asked) {
      return load::template stages<l1_load_cost<>>(asked);
    }
  };
  template <class Row, unsigned Bits>
  struct store : whole_warp_access<Row, Bits> {
    using cost_type = l1_store_cost<>;
    static constexpr coalescing::level level = Row::stores_at.value;
    static constexpr fact_list rests_on =
        whole_warp_access<Row, Bits>::rests_on.with("where sectors are counted", Row::stores_at.from);
    static constexpr l1_store_cost<citations> sources{.requests = Row::request_lanes.from,
                                                      .transactions = store::sector_source(),
                                                      .bytes_moved = store::sector_source(),
                                                      .bytes_used = from_the_addresses,
                                                      .lines = Row::line_bytes.from,
                                                      .data_wavefronts = Row::data_stage_of_stores,
                                                      .tag_wavefronts_at_least = Row::tag_stage_of_stores,
                                                      .partial_sectors = Row::partial,
                                                      .operations = Row::one_writer};
    COALESCE_INLINE static constexpr l1_store_cost<> cost_of(access<warp_lanes> const& asked) {
      auto const cost = store::template stages<l1_store_cost<>>(asked);
      return rules::as_store<Row::sector_bytes.value, Bits / 8>(cost, cost.transactions, asked);
    }
  };
};

}  // namespace coalescing::cuda::rules
