// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cuda/shared.hpp>
#include <coalesce/engine/segments.hpp>

// cp.async: one instruction that reads global memory and writes shared memory. Each of its two sides has a cost of its
// own, for the addresses of that side. The numbers of each machine are in cuda/rows.hpp.

namespace coalescing::cuda::rules {

/// The global side of cp.async. It reads the first SourceBytes of the Bytes bytes at each lane's address.
template <class Row, unsigned Bytes, unsigned SourceBytes>
struct copied_from_global {
  using cost_type = copy_cost<>;
  static constexpr unsigned lanes = Row::lanes.value;
  static constexpr unsigned bytes = Bytes;  ///< bytes per lane
  static constexpr unsigned alignment = Bytes;
  static constexpr coalescing::level level = Row::loads_at.value;
  static constexpr unsigned unit = Row::sector_bytes.value;
  static constexpr unsigned line_bytes = Row::line_bytes.value;
  static constexpr unsigned period = line_bytes;
  static constexpr unsigned source_bytes = SourceBytes;  ///< bytes per lane that are read
  static constexpr auto grows_with = coalescing::detail::pieces_of_memory<lanes, lanes>(unit);
  static_assert(Bytes <= unit, "a word lies in one sector");
  static constexpr fact_list rests_on = fact_list{}
                                            .with("lanes a warp", Row::lanes)
                                            .with("bytes a sector", Row::sector_bytes)
                                            .with("bytes a line", Row::line_bytes)
                                            .with("where sectors are counted", Row::loads_at.from);
  static constexpr copy_cost<citations> sources{.requests = Row::copied_sectors,
                                                .transactions = Row::copied_sectors,
                                                .bytes_moved = Row::copied_sectors,
                                                .bytes_used = from_the_addresses,
                                                .lines = Row::copied_lines};

  COALESCE_API static constexpr copy_cost<> cost_of(access<warp_lanes> const& asked) {
    if (SourceBytes == 0) return {};  // the copy writes only zeros, and reads nothing
    auto const sectors = coalescing::detail::count_distinct<unit>(asked);
    return {.requests = asked.active != 0,
            .transactions = sectors,
            .bytes_moved = sectors * unit,
            .bytes_used = SourceBytes * coalescing::detail::count_distinct<Bytes>(asked),
            .lines = coalescing::detail::count_distinct<line_bytes>(asked)};
  }
  COALESCE_API static constexpr warp_transactions transactions_of(access<warp_lanes> const& asked) {
    if (SourceBytes == 0) return {};
    return coalescing::detail::segments_of<lanes>(asked, unit);
  }
};

/// The shared side of cp.async. It writes Bytes bytes per lane. The bytes that the global side does not read become
/// zeros. Lanes that copy to one place count as one lane, as in a store. (An H100 counts each of these lanes:
/// tests/measurements.md, "An H100".)
template <class Row, unsigned Bytes>
struct copied_to_shared : Row::shared::template store<Row, 8 * Bytes, shared_mode::by_default> {
  static constexpr bank_cost<citations> sources = sources_of_banks(Row::copied_rounds);
};

}  // namespace coalescing::cuda::rules
