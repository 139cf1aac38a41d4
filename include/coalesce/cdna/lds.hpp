// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/lds.hpp>
#include <coalesce/amd/lds_pairs.hpp>
#include <coalesce/cdna/costs.hpp>
#include <coalesce/cdna/misuse.hpp>
#include <coalesce/cdna/rows.hpp>
#include <coalesce/core/cell.hpp>

#include <cstdint>

// The rules of CDNA's transpose loads and of its atomics in LDS. amd/lds.hpp and amd/lds_pairs.hpp have the rules of
// reads and writes. The numbers of the chips are in cdna/rows.hpp, the instructions in cdna.hpp.

namespace coalescing::cdna::rules {

inline constexpr unsigned st64 = every_chip::st64_elements.value;

// ---- Transpose loads ----

/// Which lane receives which elements. 16 lanes exchange what they read. If each lane reads n elements, the 16 lanes
/// read n rows of 16 elements, and 16 / n lanes read one row. Lane c of the 16 receives column c: its value number e is
/// element c of row e.
template <unsigned Bits, unsigned ElementBits, class Row>
struct transpose_map {
  static constexpr unsigned values = Bits / ElementBits;  ///< elements that each lane reads and receives
  static constexpr source map_from = Row::map;

  /// Where value number `value` of lane `lane` comes from: the lane whose address covers it, and the number of the
  /// element at that address. Refused: a lane above 63, a value that is not below `values`.
  [[nodiscard]] COALESCE_API static constexpr origin source_of(unsigned lane, unsigned value) {
    constexpr unsigned group = Row::transpose_lanes.value;
    if (lane >= Row::lanes.value || value >= values) refused::transpose_has_no_such_lane_or_value(lane, value);
    unsigned const column = lane % group;
    return {.lane = lane - column + value * (group / values) + column / values, .element = column % values};
  }
};

/// A transpose load. Every lane reads elements for other lanes, and receives elements that other lanes read. So an
/// access in which only some of the 64 lanes are active is refused. (With no active lane the instruction is not
/// issued.)
template <unsigned Bits, unsigned ElementBits, class Row>
struct transpose_read : amd::lds_memory<Bits, Row>, transpose_map<Bits, ElementBits, Row> {
  using memory = amd::lds_memory<Bits, Row>;
  static constexpr fact_list rests_on =
      memory::rests_on.with("lanes that exchange elements", Row::transpose_lanes).with("who receives what", Row::map);
  COALESCE_API static constexpr void check_lanes(access<memory::lanes> const& asked) {
    if (asked.active != 0 && asked.active != coalescing::detail::wave_mask<memory::lanes>)
      refused::transpose_loads_need_every_lane();
  }
  COALESCE_API static constexpr bank_cost<> cost_of(access<memory::lanes> const& asked) {
    check_lanes(asked);
    return memory::cost_of(asked);
  }
  COALESCE_API static constexpr auto phases_of(access<memory::lanes> const& asked) {
    check_lanes(asked);
    return memory::phases_of(asked);
  }
};

/// DS_READ_B96_TR_B6. Sources tell which lane receives which elements, but not which lanes LDS serves together. So
/// cost_of() is an error.
template <unsigned Bits, unsigned ElementBits, class Row>
requires(!amd::has_phases<Row>) struct transpose_read<Bits, ElementBits, Row> : transpose_map<Bits, ElementBits, Row> {
  using cost_type = bank_cost<>;
  static constexpr unsigned lanes = Row::lanes.value;
  static constexpr unsigned bytes = Bits / 8;  ///< bytes per lane
  static constexpr unsigned alignment = coalescing::detail::next_power_of_two(bytes);
  static constexpr std::uint64_t capacity = Row::lds_bytes.value;
  static constexpr coalescing::level level = coalescing::level::lds;
  static constexpr unsigned unit = Row::bank_bytes.value;
  static constexpr unsigned period = Row::banks.value * unit;
  static constexpr bank_cost<citations> sources{};
  static constexpr fact_list rests_on =
      fact_list{}.with("lanes that exchange elements", Row::transpose_lanes).with("who receives what", Row::map);
  template <unsigned Lanes>
  COALESCE_API static constexpr bank_cost<> cost_of(access<Lanes> const&) {
    static_assert(Lanes == 0, "cdna ds_read_tr<96, 6>: no source tells the phases of ds_read_b96_tr_b6");
    return {};
  }
};

// ---- Atomics ----

/// An atomic in LDS. No source tells which lanes LDS serves together in an atomic, so the cost has no rounds.
template <unsigned Bits, class Row>
struct lds_atomic {
  using cost_type = lds_atomic_cost<>;
  static constexpr unsigned lanes = Row::lanes.value;
  static constexpr unsigned bytes = Bits / 8;  ///< bytes per lane
  static constexpr unsigned alignment = bytes;
  static constexpr std::uint64_t capacity = Row::lds_bytes.value;  ///< bytes of LDS: no access may end beyond them
  static constexpr coalescing::level level = coalescing::level::lds;
  static constexpr unsigned unit = bytes;
  static constexpr unsigned period = bytes;
  static constexpr fact_list rests_on =
      fact_list{}.with("lanes a wave", Row::lanes).with("bytes of LDS", Row::lds_bytes);
  static constexpr lds_atomic_cost<citations> sources{.operations = coalescing::detail::counted_from_the_addresses,
                                                      .lanes_on_one_address = Row::lds_atomics};

  COALESCE_API static constexpr lds_atomic_cost<> cost_of(access<lanes> const& asked) {
    return {.operations = coalescing::detail::count_bits(asked.active),
            .lanes_on_one_address = coalescing::detail::most_on_one_address(asked)};
  }
};

}  // namespace coalescing::cdna::rules
