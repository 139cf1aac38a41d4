// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cuda/global.hpp>
#include <coalesce/engine/segments.hpp>
#include <coalesce/engine/words.hpp>

// Global memory of CC 2.x and 3.x. A request serves the whole warp, a half-warp or a quarter-warp, depending on the
// word size. Each request moves lines of L1 (128 bytes) or segments of L2 (32 bytes). The numbers of each machine are
// in cuda/rows.hpp.

namespace coalescing::cuda::rules {

/// An access in which each part of the warp is a request of its own. A request moves aligned pieces of PieceBytes
/// bytes.
template <class Row, unsigned Bits, unsigned PieceBytes>
struct parts_access : global_memory<Row, Bits> {
  static constexpr unsigned lanes_per_request = Row::request_lanes.value.of(Bits / 8);
  static constexpr unsigned unit = PieceBytes;
  static constexpr auto grows_with = coalescing::detail::pieces_of_memory<Row::lanes.value, lanes_per_request>(unit);
  static constexpr unsigned period = largest_piece<Row>;
  static constexpr fact_list rests_on =
      global_memory<Row, Bits>::rests_on.with("lanes a request", lanes_per_request, Row::request_lanes.from);

  COALESCE_API static constexpr warp_transactions transactions_of(access<warp_lanes> const& asked) {
    warp_transactions list;
    for (unsigned part = 0; part != Row::lanes.value / lanes_per_request; ++part)
      coalescing::detail::list_segments(
          coalescing::detail::by_address(asked, coalescing::detail::part_of_wave(part, lanes_per_request)), PieceBytes,
          list);
    return list;
  }
  template <class Cost>
  COALESCE_INLINE static constexpr Cost pieces(access<warp_lanes> const& asked) {
    auto const count = coalescing::detail::count_by_parts<PieceBytes, lanes_per_request>(asked);
    return {.requests = coalescing::detail::active_groups(asked.active, lanes_per_request),
            .transactions = count,
            .bytes_moved = count * PieceBytes,
            .bytes_used = bytes_used<Bits / 8>(asked)};
  }
};

/// The size of the piece of memory that a load moves: a line for loads through L1, a sector for loads past L1.
template <class Row, caching Caching>
COALESCE_API constexpr fact<unsigned> piece_of() {
  if constexpr (Caching == caching::l1)
    return Row::line_bytes;
  else
    return Row::sector_bytes;
}

template <class Row, unsigned Bits, caching Caching>
struct load_of_parts : parts_access<Row, Bits, piece_of<Row, Caching>().value> {
  using cost_type = load_cost<>;
  static constexpr coalescing::level level = Caching == caching::l1 ? coalescing::level::l1 : coalescing::level::l2;
  /// The word of co::explain for a piece of 128 bytes. (Its word for a piece of 32 bytes is "sector".)
  static constexpr char const* piece = "line";
  static constexpr source piece_from = piece_of<Row, Caching>().from;
  static constexpr fact_list rests_on = parts_access<Row, Bits, piece_of<Row, Caching>().value>::rests_on.with(
      Caching == caching::l1 ? "bytes a line" : "bytes a segment", piece_of<Row, Caching>());
  static constexpr load_cost<citations> sources{.requests = Row::request_lanes.from,
                                                .transactions = piece_from,
                                                .bytes_moved = piece_from,
                                                .bytes_used = from_the_addresses};
  COALESCE_INLINE static constexpr load_cost<> cost_of(access<warp_lanes> const& asked) {
    return load_of_parts::template pieces<load_cost<>>(asked);
  }
};

struct parts_of_a_warp {
  template <class Row, unsigned Bits, caching Caching>
  struct load : load_of_parts<Row, Bits, Caching> {};
  template <class Row, unsigned Bits>
  struct load<Row, Bits, caching::by_default> : load_of_parts<Row, Bits, Row::default_caching.value> {
    static constexpr fact_list rests_on = load_of_parts<Row, Bits, Row::default_caching.value>::rests_on.with(
        "where loads are cached", Row::default_caching.from);
  };

  template <class Row, unsigned Bits>
  struct store : parts_access<Row, Bits, Row::sector_bytes.value> {
    using cost_type = store_cost<>;
    static constexpr coalescing::level level = coalescing::level::l2;
    static constexpr fact_list rests_on =
        parts_access<Row, Bits, Row::sector_bytes.value>::rests_on.with("bytes a segment", Row::sector_bytes);
    static constexpr store_cost<citations> sources{.requests = Row::request_lanes.from,
                                                   .transactions = Row::stores,
                                                   .bytes_moved = Row::stores,
                                                   .bytes_used = from_the_addresses,
                                                   .partial_sectors = Row::partial,
                                                   .operations = Row::one_writer};
    COALESCE_INLINE static constexpr store_cost<> cost_of(access<warp_lanes> const& asked) {
      constexpr unsigned sector = Row::sector_bytes.value;
      return rules::as_store<sector, Bits / 8>(store::template pieces<store_cost<>>(asked),
                                               coalescing::detail::count_distinct<sector>(asked), asked);
    }
  };
};

}  // namespace coalescing::cuda::rules
