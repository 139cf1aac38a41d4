// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/engine/segments.hpp>
#include <coalesce/gcn/costs.hpp>
#include <coalesce/gcn/rows.hpp>

// How a scalar load becomes lines of the scalar cache. The figures are in gcn/rows.hpp, the instruction in gcn.hpp.

namespace coalescing::gcn::rules {

template <unsigned Bytes>
struct scalar_load {
  using cost_type = scalar_cost<>;
  static constexpr unsigned lanes = 1, wave_lanes = row::lanes.value;
  static constexpr unsigned bytes = Bytes;
  static constexpr unsigned alignment = row::scalar_alignment.value;
  static constexpr coalescing::level level = coalescing::level::l2;
  static constexpr unsigned unit = row::scalar_line_bytes.value;
  static constexpr unsigned period = unit;
  static constexpr fact_list rests_on = fact_list{}
                                            .with("bytes a line", row::scalar_line_bytes)
                                            .with("bytes that addresses are a multiple of", row::scalar_alignment)
                                            .with("lanes a wave", row::lanes);
  static constexpr scalar_cost<citations> sources{.transactions = row::scalar_line_bytes.from,
                                                  .bytes_moved = row::scalar_line_bytes.from,
                                                  .bytes_used = coalescing::detail::counted_from_the_addresses};

  COALESCE_API static constexpr scalar_cost<> cost_of(access<1> const& asked) {
    auto const lines = coalescing::detail::count_touched<unit, bytes, alignment>(asked);
    return {.transactions = lines,
            .bytes_moved = lines * unit,
            .bytes_used = coalescing::detail::count_bytes<bytes, alignment>(asked)};
  }
  COALESCE_API static constexpr auto transactions_of(access<1> const& asked) {
    return coalescing::detail::list_touched<unit, bytes, alignment>(asked);
  }
};

}  // namespace coalescing::gcn::rules
