// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cost.hpp>
#include <coalesce/cuda/cost.hpp>
#include <coalesce/detail/banks.hpp>
#include <coalesce/detail/config.hpp>
#include <coalesce/detail/segments.hpp>

#include <cstdint>

// How a warp's global accesses become transactions: five rules in twenty years. Which machine follows which, and with
// what figures, is the table in cuda/machines.hpp. The sources are named in cuda.hpp.

namespace coalescing::cuda {

/// Where a load of CC 2.x or 3.x is cached: nvcc's -dlcm=ca (L1 and L2) and -dlcm=cg (L2 only).
enum class caching {
  by_default,  ///< the compiler's default on that device
  l1,
  l2
};

namespace detail {

using coalescing::detail::ordered;
using warp = access<32>;
using warp_transactions = transaction_list<32>;  // a naturally aligned word of up to 32 bytes lies in one piece

inline constexpr unsigned sector_bytes = 32;
inline constexpr unsigned line_bytes = 128;

inline constexpr source by_definition = coalescing::detail::counted_from_the_addresses;

/// The lanes of part `index` when a warp is served `lanes` at a time.
COALESCE_API constexpr std::uint64_t part_of_warp(unsigned index, unsigned lanes) {
  return (~std::uint64_t{0} >> (64 - lanes)) << index * lanes;
}
/// Sectors that hold a byte that is not written. Words are naturally aligned, so two of them are one or apart.
COALESCE_API constexpr std::uint64_t partial_sectors(ordered<32> const& lanes) {
  std::uint64_t partial = 0, written = 0;
  for (unsigned k = 0; k != lanes.count; ++k) {
    if (k == 0 || lanes.at[k].address != lanes.at[k - 1].address) written += lanes.bytes;
    if (k + 1 == lanes.count || lanes.at[k + 1].address / sector_bytes != lanes.at[k].address / sector_bytes) {
      partial += written != sector_bytes;
      written = 0;
    }
  }
  return partial;
}

COALESCE_API constexpr warp_transactions sectors_of(warp const& asked, std::uint64_t group = all_lanes) {
  return coalescing::detail::segments_of<32>(asked, sector_bytes, group);
}

/// What all global instructions share.
template <unsigned Bits>
struct global_memory {
  static constexpr unsigned lanes = 32;
  static constexpr unsigned bytes = Bits / 8;  ///< per lane
  /// Words are naturally aligned; the hardware gives wrong results or faults on others (CUDA programming guide, device
  /// memory accesses, size and alignment requirement). We refuse them.
  static constexpr unsigned alignment = bytes;
  static constexpr unsigned period = line_bytes;
};

COALESCE_API constexpr load_cost<> totals(ordered<32> const& lanes, warp_transactions const& list,
                                          std::uint64_t requests) {
  std::uint64_t moved = 0;
  for (transaction const& piece : list) moved += piece.bytes;
  return {requests, list.size(), moved, coalescing::detail::count_bytes(lanes)};
}
COALESCE_API constexpr store_cost<> store_totals(ordered<32> const& lanes, load_cost<> const& pieces) {
  return {pieces.requests,   pieces.transactions,    pieces.bytes_moved,
          pieces.bytes_used, partial_sectors(lanes), coalescing::detail::count_addresses(lanes)};
}

// ---- CC 1.x: half-warps, each issued on its own, loads and stores alike ----

/// Row::protocol says how a half-warp is served.
template <class Row, unsigned Bits>
struct half_warp_access : global_memory<Bits> {
  using cost_type = load_cost<>;
  static constexpr coalescing::level level = coalescing::level::dram;  // no cache on the way
  static constexpr unsigned unit = sector_bytes;                       // the smallest transaction
  static constexpr load_cost<source> sources{.requests = Row::parts,
                                             .transactions = Row::transactions,
                                             .bytes_moved = Row::transactions,
                                             .bytes_used = by_definition};

  COALESCE_API static constexpr warp_transactions list(warp const& asked) {
    warp_transactions list;
    for (unsigned half = 0; half != 2; ++half)
      Row::protocol::template serve<Bits / 8>(asked, part_of_warp(half, 16), list);
    return list;
  }
  COALESCE_API static constexpr load_cost<> answer(warp const& asked) {
    return totals(coalescing::detail::in_order(asked), list(asked),
                  coalescing::detail::active_groups(asked.active, 16));
  }
};

/// CC 1.0 and 1.1. The half-warp is coalesced if every active lane k reads word k from one base, and the base is
/// aligned to the segment: 16 words of 4 bytes are one segment of 64 bytes, of 8 bytes one of 128, of 16 bytes two of
/// 128, whole segments even where lanes are inactive (so a transaction may serve no lane). Anything else, and every 1-
/// or 2-byte word: 32 bytes for each active lane. (For 16-byte words PG2.0 wants base % 256 == 0; PG3.2 and later, whom
/// we follow, % 128.)
struct in_order_words {
  template <unsigned Bytes>
  COALESCE_API static constexpr void serve(warp const& asked, std::uint64_t half, warp_transactions& list) {
    constexpr unsigned segment = Bytes == 4 ? 64 : 128, segments = Bytes == 16 ? 2 : 1;
    auto const lanes = coalescing::detail::in_order(asked, half);
    if (lanes.count == 0) return;

    bool coalesced = Bytes >= 4;
    std::uint64_t const base = lanes.at[0].address - Bytes * (lanes.at[0].lane % 16);
    for (unsigned k = 0; k != lanes.count; ++k)
      coalesced = coalesced && lanes.at[k].address == base + Bytes * (lanes.at[k].lane % 16);

    if (coalesced && base % segment == 0)
      for (unsigned n = 0; n != segments; ++n) {
        // Two segments around address 0 are listed in ascending order too.
        unsigned const part = base + segment < base ? segments - 1 - n : n;
        coalescing::detail::append(
            list, {base + part * segment, segment, asked.active & half & lanes_of_segment(half, part, segments)});
      }
    else
      for (unsigned k = 0; k != lanes.count; ++k)
        coalescing::detail::append(list, {lanes.at[k].address / sector_bytes * sector_bytes, sector_bytes,
                                          std::uint64_t{1} << lanes.at[k].lane});
  }
  /// The first or the second half of the half-warp where it takes two segments, else all of it.
  COALESCE_API static constexpr std::uint64_t lanes_of_segment(std::uint64_t half, unsigned part, unsigned segments) {
    return segments == 1 ? half : part == 0 ? half & 0x00ff00ff : half & 0xff00ff00;
  }
};

/// CC 1.2 and 1.3. The half-warp takes each segment (of 32, 64 or 128 bytes by word size) that its lanes touch, in any
/// order, and of a segment the smallest aligned 32, 64 or 128 bytes that hold what they use.
struct shrinking_segments {
  template <unsigned Bytes>
  COALESCE_API static constexpr void serve(warp const& asked, std::uint64_t half, warp_transactions& list) {
    constexpr unsigned segment = Bytes == 1 ? 32 : Bytes == 2 ? 64 : 128;
    warp_transactions const sectors = sectors_of(asked, half);
    transaction grown;
    for (transaction const& sector : sectors) {
      if (grown.bytes != 0 && sector.address / segment == grown.address / segment) {
        while (sector.address - grown.address >= grown.bytes)  // an aligned piece twice as large, until it holds both
          grown.bytes *= 2, grown.address = grown.address / grown.bytes * grown.bytes;
        grown.lanes |= sector.lanes;
      } else {
        if (grown.bytes != 0) coalescing::detail::append(list, grown);
        grown = sector;
      }
    }
    if (grown.bytes != 0) coalescing::detail::append(list, grown);
  }
};

// ---- CC 2.x and 3.x: lines of L1, or segments of L2, for the warp, its halves or its quarters ----

/// Words of up to 4 bytes are one request of the warp, of 8 bytes two, of 16 bytes four, each issued on its own.
template <class Row, unsigned Bits, unsigned Piece>
struct request_access : global_memory<Bits> {
  static constexpr unsigned lanes_per_request = Bits <= 32 ? 32 : Bits == 64 ? 16 : 8;
  static constexpr coalescing::level level = Piece == line_bytes ? coalescing::level::l1 : coalescing::level::l2;
  static constexpr unsigned unit = Piece;

  COALESCE_API static constexpr warp_transactions list(warp const& asked) {
    warp_transactions list;
    for (unsigned part = 0; part != 32 / lanes_per_request; ++part)
      coalescing::detail::list_segments(coalescing::detail::in_order(asked, part_of_warp(part, lanes_per_request)),
                                        Piece, list);
    return list;
  }
  COALESCE_API static constexpr load_cost<> pieces(warp const& asked, ordered<32> const& in_order) {
    return totals(in_order, list(asked), coalescing::detail::active_groups(asked.active, lanes_per_request));
  }
};
template <class Row, unsigned Bits, caching Caching>
inline constexpr unsigned cached_piece = (Caching == caching::by_default ? Row::default_caching
                                                                         : Caching) == caching::l1
                                             ? line_bytes
                                             : sector_bytes;

template <class Row, unsigned Bits, caching Caching>
struct request_load : request_access<Row, Bits, cached_piece<Row, Bits, Caching>> {
  using cost_type = load_cost<>;
  static constexpr load_cost<source> sources{.requests = Row::parts,
                                             .transactions = Row::transactions,
                                             .bytes_moved = Row::transactions,
                                             .bytes_used = by_definition};
  COALESCE_API static constexpr load_cost<> answer(warp const& asked) {
    return request_load::pieces(asked, coalescing::detail::in_order(asked));
  }
};
template <class Row, unsigned Bits>
struct request_store : request_access<Row, Bits, sector_bytes> {
  using cost_type = store_cost<>;
  static constexpr store_cost<source> sources{.requests = Row::parts,
                                              .transactions = Row::stores,
                                              .bytes_moved = Row::stores,
                                              .bytes_used = by_definition,
                                              .partial_sectors = Row::partial,
                                              .operations = Row::one_writer};
  COALESCE_API static constexpr store_cost<> answer(warp const& asked) {
    auto const in_order = coalescing::detail::in_order(asked);
    return store_totals(in_order, request_store::pieces(asked, in_order));
  }
};

// ---- CC 5.0 and later: the 32-byte sectors of the warp ----

template <class Row, unsigned Bits>
struct sector_access : global_memory<Bits> {
  static constexpr coalescing::level level = Row::sector_level;
  static constexpr unsigned unit = sector_bytes;
  /// Sectors of a full warp whose lanes name different words with no gap: NCU 2.11.2 for 32, 64 and 128 bits, inferred
  /// for the others.
  static constexpr unsigned ideal_transactions = global_memory<Bits>::lanes * Bits / 8 / sector_bytes;

  COALESCE_API static constexpr warp_transactions list(warp const& asked) { return sectors_of(asked); }
};

/// CC 5.x and 6.x. Before the tags are looked up, the warp is broken into requests of 8, 4 or 2 lanes by word size.
/// Sectors that two requests share are counted once: that is what NVIDIA's figures show.
template <class Row, unsigned Bits>
struct split_load : sector_access<Row, Bits> {
  using cost_type = load_cost<>;
  static constexpr unsigned lanes_per_request = Bits <= 32 ? 8 : Bits == 64 ? 4 : 2;
  static constexpr load_cost<source> sources{.requests = Row::parts,
                                             .transactions = Row::transactions,
                                             .bytes_moved = Row::transactions,
                                             .bytes_used = by_definition};
  COALESCE_API static constexpr load_cost<> count(warp const& asked, ordered<32> const& in_order) {
    auto const sectors = coalescing::detail::count_segments(in_order, sector_bytes);
    return {coalescing::detail::active_groups(asked.active, lanes_per_request), sectors, sectors * sector_bytes,
            coalescing::detail::count_bytes(in_order)};
  }
  COALESCE_API static constexpr load_cost<> answer(warp const& asked) {
    return count(asked, coalescing::detail::in_order(asked));
  }
};
template <class Row, unsigned Bits>
struct split_store : sector_access<Row, Bits> {
  using cost_type = store_cost<>;
  static constexpr coalescing::level level = coalescing::level::l2;  // that L1 takes stores is known from CC 7.0 on
  static constexpr store_cost<source> sources{.requests = Row::parts,
                                              .transactions = Row::transactions,
                                              .bytes_moved = Row::transactions,
                                              .bytes_used = by_definition,
                                              .partial_sectors = Row::partial,
                                              .operations = Row::one_writer};
  COALESCE_API static constexpr store_cost<> answer(warp const& asked) {
    auto const in_order = coalescing::detail::in_order(asked);
    return store_totals(in_order, split_load<Row, Bits>::count(asked, in_order));
  }
};

/// CC 7.0 and later: one request for the warp. The tag stage compares four lines a cycle; the data stage serves hits by
/// the bank rule of shared memory: 32 banks of 4 bytes, the warp in as many equal parts as a word has 4 bytes.
template <class Row, unsigned Bits>
struct whole_load : sector_access<Row, Bits> {
  using cost_type = volta_load_cost<>;
  static constexpr unsigned tags_per_cycle = 4;
  static constexpr source transactions = Bits == 256 ? Row::sectors_of_256_bits : Row::transactions;
  static constexpr source data_stage = Bits < 32    ? Row::data_stage_of_narrow_words
                                       : Bits <= 64 ? Row::data_stage
                                                    : Row::data_stage_of_wide_words;
  static constexpr volta_load_cost<source> sources{.requests = Row::parts,
                                                   .transactions = transactions,
                                                   .bytes_moved = transactions,
                                                   .bytes_used = by_definition,
                                                   .lines = transactions,
                                                   .data_wavefronts = data_stage,
                                                   .tag_wavefronts_at_least = Row::tag_stage};
  COALESCE_API static constexpr volta_load_cost<> count(warp const& asked, ordered<32> const& lanes) {
    auto const sectors = coalescing::detail::count_segments(lanes, sector_bytes);
    auto const lines = coalescing::detail::count_segments(lanes, line_bytes);
    constexpr auto parts = coalescing::detail::consecutive_phases<32, (Bits <= 32 ? 1 : Bits / 32)>();
    auto const degree = coalescing::detail::bank_conflicts<32, 4>(lanes, parts);
    std::uint64_t wavefronts = 0;
    for (unsigned const of_part : degree.of) wavefronts += of_part;
    return {asked.active != 0,
            sectors,
            sectors * sector_bytes,
            coalescing::detail::count_bytes(lanes),
            lines,
            wavefronts,
            (lines + tags_per_cycle - 1) / tags_per_cycle};
  }
  COALESCE_API static constexpr volta_load_cost<> answer(warp const& asked) {
    return count(asked, coalescing::detail::in_order(asked));
  }
};
template <class Row, unsigned Bits>
struct whole_store : sector_access<Row, Bits> {
  using cost_type = volta_store_cost<>;
  using load = whole_load<Row, Bits>;
  static constexpr volta_store_cost<source> sources{.requests = Row::parts,
                                                    .transactions = load::transactions,
                                                    .bytes_moved = load::transactions,
                                                    .bytes_used = by_definition,
                                                    .lines = load::transactions,
                                                    .data_wavefronts = Row::data_stage_of_stores,
                                                    .tag_wavefronts_at_least = Row::tag_stage,
                                                    .partial_sectors = Row::partial,
                                                    .operations = Row::one_writer};
  COALESCE_API static constexpr volta_store_cost<> answer(warp const& asked) {
    auto const lanes = coalescing::detail::in_order(asked);
    auto const same = load::count(asked, lanes);
    return {same.requests,
            same.transactions,
            same.bytes_moved,
            same.bytes_used,
            same.lines,
            same.data_wavefronts,
            same.tag_wavefronts_at_least,
            partial_sectors(lanes),
            coalescing::detail::count_addresses(lanes)};
  }
};

// ---- Atomics and constants ----

/// Atomics pass L1 and are done in L2: sectors of the warp, whatever the machine's rule for loads.
template <class Row, unsigned Bits>
struct l2_atomic : global_memory<Bits> {
  using cost_type = atomic_cost<>;
  static constexpr coalescing::level level = coalescing::level::l2;
  static constexpr unsigned unit = sector_bytes;
  static constexpr atomic_cost<source> sources{.transactions = Row::atomics,
                                               .bytes_moved = Row::atomics,
                                               .bytes_used = by_definition,
                                               .operations = Row::serialized,
                                               .lanes_on_one_address = Row::serialized};
  COALESCE_API static constexpr warp_transactions list(warp const& asked) { return sectors_of(asked); }
  COALESCE_API static constexpr atomic_cost<> answer(warp const& asked) {
    auto const lanes = coalescing::detail::in_order(asked);
    auto const sectors = coalescing::detail::count_segments(lanes, sector_bytes);
    return {sectors, sectors * sector_bytes, coalescing::detail::count_bytes(lanes), lanes.count,
            coalescing::detail::most_on_one_address(lanes)};
  }
};

/// One request for each different address, of the warp or (CC 1.x) of each half-warp.
template <class Row, unsigned Bits>
struct constant_access : global_memory<Bits> {
  using cost_type = constant_cost<>;
  static constexpr coalescing::level level = coalescing::level::constant_cache;
  static constexpr unsigned unit = Bits / 8;
  static constexpr constant_cost<source> sources{.requests = Row::constants, .bytes_used = by_definition};

  COALESCE_API static constexpr constant_cost<> answer(warp const& asked) {
    std::uint64_t requests = 0;
    for (unsigned part = 0; part != 32 / Row::constant_lanes; ++part)
      requests += coalescing::detail::count_addresses(
          coalescing::detail::in_order(asked, part_of_warp(part, Row::constant_lanes)));
    return {requests, coalescing::detail::count_bytes(coalescing::detail::in_order(asked))};
  }
};

}  // namespace detail
}  // namespace coalescing::cuda
