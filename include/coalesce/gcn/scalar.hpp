// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/memory.hpp>
#include <coalesce/gcn/costs.hpp>
#include <coalesce/gcn/rows.hpp>

// How a scalar load becomes lines of the scalar cache. The numbers are in gcn/rows.hpp, the instruction in gcn.hpp.

namespace coalescing::gcn::rules {

inline constexpr amd::memory_facts scalar_facts{
    .level = coalescing::level::l2, .unit = row::scalar_line_bytes.value, .alignment = row::scalar_alignment.value};
template <unsigned Dwords>
struct scalar_load : amd::scalar_load<row::lanes.value, Dwords, scalar_facts> {
  static constexpr scalar_cost<citations> sources =
      scalar_load::template cite<scalar_cost<citations>>(row::scalar_line_bytes.from);
  static constexpr fact_list rests_on = fact_list{}
                                            .with("bytes a line", row::scalar_line_bytes)
                                            .with("bytes that addresses are a multiple of", row::scalar_alignment)
                                            .with("lanes a wave", row::lanes);
};

}  // namespace coalescing::gcn::rules
