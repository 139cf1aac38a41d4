// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cuda/global.hpp>
#include <coalesce/engine/segments.hpp>

#include <cstdint>

// Global memory of CC 1.x. Each half-warp is issued on its own. Stores follow the same rule as loads. The facts are in
// cuda/rows/tesla.hpp.

namespace coalescing::cuda::rules {

/// The access of a warp, served half-warp by half-warp. Serve<Row, Bytes> is the rule. Its functions
/// transactions(asked) and bytes(asked) count for the whole warp. Its function list(asked, half, list) appends the
/// transactions of one half-warp to `list`; `half` is the mask of the half-warp's lanes.
template <class Row, unsigned Bits, template <class, unsigned> class Serve>
struct half_warp_access : global_memory<Row, Bits> {
  using cost_type = load_cost<>;
  using serve = Serve<Row, Bits / 8>;
  static constexpr coalescing::level level = coalescing::level::dram;  // CC 1.x caches no global memory
  static constexpr unsigned unit = Row::sector_bytes.value;            // bytes of the smallest transaction
  static constexpr unsigned period = Row::segment_bytes.value.of_16;   // the largest segment, after which costs repeat
  static constexpr unsigned half_warp = Row::request_lanes.value;
  static constexpr fact_list rests_on =
      global_memory<Row, Bits>::rests_on.with("lanes a request", Row::request_lanes)
          .with("bytes of the smallest transaction", Row::sector_bytes)
          .with("bytes a segment", Row::segment_bytes.value.of(Bits / 8), Row::segment_bytes.from);
  static constexpr load_cost<citations> sources{.requests = Row::request_lanes.from,
                                                .transactions = Row::segment_bytes.from,
                                                .bytes_moved = Row::segment_bytes.from,
                                                .bytes_used = from_the_addresses};

  COALESCE_INLINE static constexpr load_cost<> cost_of(access<warp_lanes> const& asked) {
    return {.requests = coalescing::detail::active_groups(asked.active, half_warp),
            .transactions = serve::transactions(asked),
            .bytes_moved = serve::bytes(asked),
            .bytes_used = bytes_used<Bits / 8>(asked)};
  }
  COALESCE_API static constexpr warp_transactions transactions_of(access<warp_lanes> const& asked) {
    warp_transactions list;
    for (unsigned half = 0; half != Row::lanes.value / half_warp; ++half)
      serve::list(asked, coalescing::detail::part_of_wave(half, half_warp), list);
    return list;
  }
};

/// CC 1.0 and 1.1. The half-warp is coalesced if every active lane k reads word k from one base, and the base is
/// aligned to the segment. Its 16 words are then one segment of 64 bytes (words of 4 bytes), one of 128 bytes (words of
/// 8 bytes) or two of 128 bytes (words of 16 bytes). Each of these segments is moved whole even if some lanes are
/// inactive, so a transaction may serve no lane. In every other case, and for words of 1 or 2 bytes, each active lane
/// has a transaction of 32 bytes of its own.
///
/// Example: lanes 0 to 15 at byte 128 + 4 k are one segment, [128, 192). At byte 132 + 4 k they are 16 transactions,
/// seven of [128, 160), eight of [160, 192) and one of [192, 224): lanes are not merged.
template <class Row, unsigned Bytes>
struct serve_in_order {
  static constexpr unsigned lanes = Row::request_lanes.value, sector = Row::sector_bytes.value,
                            segment = Row::segment_bytes.value.of(Bytes),
                            segments = segment == 0 ? 0 : lanes * Bytes / segment;

  /// Whether the lanes of a half-warp are coalesced, and the address of word 0. `from` is the first lane of the
  /// half-warp.
  struct verdict {
    bool coalesced = false;
    std::uint64_t base = 0;
  };
  template <unsigned Lanes>
  COALESCE_API static constexpr verdict judge(access<Lanes> const& asked, std::uint64_t active, unsigned from) {
    verdict found{.coalesced = segment != 0};
    bool first = true;
    for (unsigned lane = from; lane != from + lanes; ++lane)
      if ((active >> lane & 1) != 0) {
        std::uint64_t const base = asked.address[lane] - Bytes * (lane - from);
        found.coalesced = found.coalesced && (first || base == found.base);
        found.base = base, first = false;
      }
    if constexpr (segment != 0) found.coalesced = found.coalesced && found.base % segment == 0;
    return found;
  }

  /// A lane that keeps its half-warp from being coalesced, and the active lane before it. If all lanes are in order but
  /// the base is not aligned, `lane` and `before` are both the first active lane.
  struct culprit {
    unsigned lane = 0, before = 0;
    bool found = false;
  };
  /// The first culprit of the first half-warp that would take fewer transactions if it were coalesced.
  COALESCE_API static constexpr culprit first_out_of_order(access<warp_lanes> const& asked) {
    for (unsigned from = 0; from != Row::lanes.value; from += lanes) {
      std::uint64_t const active = asked.active & coalescing::detail::part_of_wave(from / lanes, lanes);
      if (coalescing::detail::count_bits(active) <= segments || judge(asked, active, from).coalesced) continue;
      culprit found;
      for (unsigned lane = from; lane != from + lanes; ++lane) {
        if ((active >> lane & 1) == 0) continue;
        if (found.found &&
            asked.address[lane] - asked.address[found.lane] != std::uint64_t{Bytes} * (lane - found.lane))
          return {.lane = lane, .before = found.lane, .found = true};
        found = {.lane = lane, .before = found.found ? found.before : lane, .found = true};
      }
      return {.lane = found.before, .before = found.before, .found = true};
    }
    return {};
  }

  /// The sum over the half-warps: a coalesced half-warp adds `of_coalesced`, any other one adds `of_lane` for each
  /// active lane.
  COALESCE_API static constexpr std::uint64_t sum(access<warp_lanes> const& asked, unsigned of_coalesced,
                                                  unsigned of_lane) {
    std::uint64_t all = 0;
    for (unsigned from = 0; from != Row::lanes.value; from += lanes)
      if (auto const active = asked.active & coalescing::detail::part_of_wave(from / lanes, lanes); active != 0)
        all += judge(asked, active, from).coalesced ? of_coalesced : of_lane * coalescing::detail::count_bits(active);
    return all;
  }
  COALESCE_COUNT static constexpr std::uint64_t transactions(access<warp_lanes> const& asked) {
    return sum(asked, segments, 1);
  }
  COALESCE_COUNT static constexpr std::uint64_t bytes(access<warp_lanes> const& asked) {
    return sum(asked, segments * segment, sector);
  }
  COALESCE_API static constexpr void list(access<warp_lanes> const& asked, std::uint64_t half,
                                          warp_transactions& list) {
    std::uint64_t const active = asked.active & half;
    if (active == 0) return;
    unsigned const from = (half & 1) != 0 ? 0 : lanes;
    auto const [coalesced, base] = judge(asked, active, from);
    if (coalesced) {
      if constexpr (segment != 0) {
        // If the first of two segments ends at the top of the address space, the second one begins at address 0. Then
        // the second one is listed first, because the addresses of a list ascend.
        bool const wraps = base + (segments - 1) * segment < base;
        for (unsigned n = 0; n != segments; ++n) {
          unsigned const part = wraps ? segments - 1 - n : n;
          list.append({.address = base + part * segment,
                       .bytes = segment,
                       .lanes = active & coalescing::detail::part_of_wave(part, lanes / segments) << from});
        }
      }
      return;
    }
    auto const ordered = coalescing::detail::by_address(asked, half);
    for (unsigned k = 0; k != ordered.count; ++k)
      list.append({.address = ordered.at[k].address / sector * sector,
                   .bytes = sector,
                   .lanes = std::uint64_t{1} << ordered.at[k].lane});
  }
};
struct in_order_half_warps {
  template <class Row, unsigned Bits, caching Caching>
  using load = half_warp_access<Row, Bits, serve_in_order>;
  template <class Row, unsigned Bits>
  using store = half_warp_access<Row, Bits, serve_in_order>;
};

/// CC 1.2 and 1.3. The half-warp makes one transaction for each segment (of 32, 64 or 128 bytes, by word size) that its
/// lanes touch, in any order. A transaction shrinks to the smallest aligned 32, 64 or 128 bytes that hold every byte
/// used. The code works the other way round: a piece starts as one sector, and doubles until it holds the next touched
/// sector of its segment.
///
/// Example: lanes 0 to 15 at byte 132 + 4 k touch the sectors at 128, 160 and 192 of segment [128, 256). The piece
/// starts as sector 128. It doubles to [128, 192) to hold sector 160, and to [128, 256) to hold sector 192: one
/// transaction of 128 bytes.
template <class Row, unsigned Bytes>
struct serve_by_segments {
  static constexpr unsigned lanes = Row::request_lanes.value, sector = Row::sector_bytes.value,
                            segment = Row::segment_bytes.value.of(Bytes);

  /// The piece, doubled until it holds the sector at address `to_sector`.
  COALESCE_API static constexpr transaction grow(transaction piece, std::uint64_t to_sector) {
    while (to_sector - piece.address >= piece.bytes)
      piece.bytes *= 2, piece.address = piece.address / piece.bytes * piece.bytes;
    return piece;
  }

  COALESCE_COUNT static constexpr std::uint64_t transactions(access<warp_lanes> const& asked) {
    return coalescing::detail::count_by_parts<segment, lanes>(asked);
  }
  /// The bytes of all transactions of the warp.
  COALESCE_COUNT static constexpr std::uint64_t bytes(access<warp_lanes> const& asked) {
    std::uint64_t sum = 0;
    for (unsigned half = 0; half != Row::lanes.value / lanes; ++half)
      sum += bytes_of_half(coalescing::detail::part_of<lanes>(asked, half));
    return sum;
  }
  /// The bytes of a half-warp's transactions. Two addresses lie in one aligned piece of, for example, 64 bytes if their
  /// exclusive or is less than 64. `half.differ` has the address bits that are not equal in all lanes.
  COALESCE_API static constexpr std::uint64_t bytes_of_half(access<lanes> const& half) {
    if (half.active == 0) return 0;
    if (half.differ / segment == 0) {  // all lanes touch one segment
      std::uint64_t piece = sector;
      while (half.differ >= piece) piece *= 2;
      return piece;
    }
    coalescing::detail::first_lanes<lanes> first;
    // If lane k is the first lane that touches a segment, bytes_of[k] is the size of that segment's transaction.
    std::uint64_t bytes_of[lanes], sum = 0;
    unsigned known = 0;
    for (unsigned lane = 0; lane != lanes; ++lane) {
      if (lane == 0 || half.address[lane] / segment != half.address[lane - 1] / segment)
        known = first(half.address[lane] / segment, lane);
      if (known == lane) sum += bytes_of[lane] = sector;
      for (; (half.address[lane] ^ half.address[known]) >= bytes_of[known]; bytes_of[known] *= 2)
        sum += bytes_of[known];
    }
    return sum;
  }
  COALESCE_API static constexpr void list(access<warp_lanes> const& asked, std::uint64_t half,
                                          warp_transactions& list) {
    transaction grown;
    for (transaction const& touched : coalescing::detail::segments_of<Row::lanes.value>(asked, sector, half)) {
      if (grown.bytes != 0 && touched.address / segment == grown.address / segment) {
        grown = grow(grown, touched.address);
        grown.lanes |= touched.lanes;
      } else {
        if (grown.bytes != 0) list.append(grown);
        grown = touched;
      }
    }
    if (grown.bytes != 0) list.append(grown);
  }
};
struct shrinking_segments {
  template <class Row, unsigned Bits, caching Caching>
  using load = half_warp_access<Row, Bits, serve_by_segments>;
  template <class Row, unsigned Bits>
  using store = half_warp_access<Row, Bits, serve_by_segments>;
};

}  // namespace coalescing::cuda::rules
