// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/lds.hpp>
#include <coalesce/cdna/costs.hpp>
#include <coalesce/cdna/misuse.hpp>
#include <coalesce/cdna/rows.hpp>
#include <coalesce/config.hpp>
#include <coalesce/cost.hpp>
#include <coalesce/engine/distinct.hpp>

#include <cstdint>

// LDS of CDNA 3 and 4 where it is more than the rule of amd/lds.hpp. The figures are in cdna/rows.hpp, the instructions
// in cdna.hpp.

namespace coalescing::cdna::rules {

/// Every lane reads and receives others' values, so all must be active.
template <unsigned Bits, class Row>
struct transpose_read : amd::lds_memory<Bits, Row> {
  using memory = amd::lds_memory<Bits, Row>;
  using wave = access<memory::lanes>;
  COALESCE_API static constexpr void check_lanes(wave const& asked) {
    if (asked.active != coalescing::detail::wave_mask<memory::lanes>) refused::transpose_loads_need_every_lane();
  }
  COALESCE_API static constexpr bank_cost<> cost_of(wave const& asked) {
    check_lanes(asked);
    return memory::cost_of(asked);
  }
  COALESCE_API static constexpr auto phases_of(wave const& asked) {
    check_lanes(asked);
    return memory::phases_of(asked);
  }
};

/// No source tells which lanes an atomic serves together.
template <unsigned Bits, class Row>
struct lds_atomic {
  using cost_type = lds_atomic_cost<>;
  static constexpr unsigned lanes = Row::lanes.value;
  static constexpr unsigned bytes = Bits / 8;  ///< per lane
  static constexpr unsigned alignment = bytes;
  static constexpr std::uint64_t capacity = Row::lds_bytes.value;  ///< bytes: an offset beyond is refused
  static constexpr coalescing::level level = coalescing::level::lds;
  static constexpr unsigned unit = bytes;
  static constexpr unsigned period = bytes;
  static constexpr lds_atomic_cost<citations> sources{.operations = coalescing::detail::counted_from_the_addresses,
                                                      .lanes_on_one_address = Row::lds_atomics};

  COALESCE_API static constexpr lds_atomic_cost<> cost_of(access<lanes> const& asked) {
    return {.operations = coalescing::detail::count_bits(asked.active),
            .lanes_on_one_address = coalescing::detail::most_on_one_address(asked)};
  }
};

}  // namespace coalescing::cdna::rules
