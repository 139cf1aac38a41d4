// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cost.hpp>
#include <coalesce/detail/config.hpp>
#include <coalesce/detail/segments.hpp>
#include <coalesce/gcn/cost.hpp>

#include <cstdint>

// GCN's scalar loads, through the scalar cache. The sources are named in gcn.hpp.

namespace coalescing::gcn {

/// S_LOAD_DWORD and x2, x4, x8, x16. One request for the whole wave, whatever its active lanes: so it has one lane, the
/// pattern is asked for lane 0 only, and no mask of the wave's lanes applies. The hardware truncates the address to a
/// dword (GCN3ISA 7.2): we refuse such an address. Nothing else need be aligned, so x16 is one line only on a 64-byte
/// boundary.
template <unsigned Dwords>
struct s_load {
  static_assert(Dwords == 1 || Dwords == 2 || Dwords == 4 || Dwords == 8 || Dwords == 16,
                "gcn::s_load<Dwords>: Dwords are 1, 2, 4, 8 or 16");
  using cost_type = scalar_cost<>;
  static constexpr unsigned lanes = 1;
  static constexpr unsigned bytes = 4 * Dwords;
  static constexpr unsigned alignment = 4;
  static constexpr coalescing::level level = coalescing::level::l2;
  static constexpr unsigned unit = 64;  ///< the scalar cache's line: Linux KFD cache tables (kfd_crat.c), all chips
  static constexpr unsigned period = unit;

  static constexpr scalar_cost<source> sources{
      .transactions = {"GCN3ISA 7.2, 7.3; lines of 64 bytes: Linux KFD", evidence::documented},
      .bytes_moved = {"GCN3ISA 7.2, 7.3; lines of 64 bytes: Linux KFD", evidence::documented},
      .bytes_used = coalescing::detail::counted_from_the_addresses};

  COALESCE_API static constexpr scalar_cost<> answer(access<1> const& asked) {
    auto const lane = coalescing::detail::in_order(asked);
    auto const lines = coalescing::detail::count_segments(lane, unit);
    return {lines, lines * unit, coalescing::detail::count_bytes(lane)};
  }
  COALESCE_API static constexpr auto list(access<1> const& asked) {
    return coalescing::detail::segments_of<2>(asked, unit);
  }
};

}  // namespace coalescing::gcn
