// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/lds.hpp>
#include <coalesce/cdna/costs.hpp>
#include <coalesce/cdna/misuse.hpp>
#include <coalesce/cdna/rows.hpp>
#include <coalesce/core/cell.hpp>
#include <coalesce/core/name.hpp>

#include <cstdint>

// LDS of CDNA 3 and 4 where it is more than the rule of amd/lds.hpp. The figures are in cdna/rows.hpp, the instructions
// in cdna.hpp.

namespace coalescing::cdna::rules {

// ---- Two addresses a lane ----

inline constexpr unsigned st64 = every_chip::st64_elements.value;

template <class Row>
concept has_phases = requires {
  Row::phases;
};

/// DS_READ2, DS_WRITE2: accesses of Bits at O0 and O1 times Step elements beyond each lane's address: all phases of the
/// first, then all of the second. Equal offsets make one access.
///
/// An element is one place in a row of banks (engine/banks.hpp). So an offset moves all lanes to other places alike,
/// and the phases of the second take as many rounds as those of the first: they are counted once.
///
/// A lane's address may be negative if both offsets bring it back into LDS: the machine adds them in 32 bits.
template <class Row, unsigned Bits, unsigned Step, unsigned O0, unsigned O1>
struct pair_access : amd::lds_memory<Bits, Row> {
  using memory = amd::lds_memory<Bits, Row>;
  static constexpr unsigned bytes = memory::bytes;  ///< per lane and address
  static constexpr unsigned accesses = O0 == O1 ? 1 : 2;
  static constexpr unsigned addresses = 2;  ///< that a lane names, equal or not
  /// Bytes from a lane's address to each access.
  static constexpr auto offsets = [] {
    if constexpr (O0 == O1)
      return coalescing::detail::lane_offsets<1>{{std::uint64_t{O0} * Step * bytes}};
    else
      return coalescing::detail::lane_offsets<2>{{std::uint64_t{O0} * Step * bytes, std::uint64_t{O1} * Step * bytes}};
  }();
  static constexpr drawing drawn{.rounds_are_stacks = accesses == 1};
  /// Bytes from a lane's address to the farther access, which ends in LDS too.
  static constexpr unsigned reach = (O0 > O1 ? O0 : O1) * Step * bytes;
  /// Bytes from a lane's address to the nearer access: so far below 0 may the address lie.
  static constexpr unsigned nearest = (O0 < O1 ? O0 : O1) * Step * bytes;
  static_assert(bytes == memory::alignment && bytes % memory::unit == 0, "an element is a place");
  static constexpr fact_list with_offsets = memory::rests_on.with("elements of offset at most", Row::pair_offset)
                                                .with("equal offsets", Row::equal_offsets)
                                                .with("negative addresses", Row::offsets_wrap);
  static constexpr fact_list rests_on =
      Step == 1 ? with_offsets : with_offsets.with("elements that an offset counts", Row::st64_elements);

  COALESCE_API static constexpr bank_cost<> cost_of(access<memory::lanes> const& asked) {
    auto const one = memory::cost_of(asked);
    return {.rounds = accesses * one.rounds,
            .conflicts = accesses * one.conflicts,
            .phases = accesses * one.phases,
            .ways = one.ways};
  }
  COALESCE_API static constexpr auto phases_of(access<memory::lanes> const& asked) {
    phase_list<accesses * memory::table.phases> list;
    for (unsigned number = 0; number != accesses; ++number) {
      access<memory::lanes> moved = asked;
      for (std::uint64_t& address : moved.address) address += (number == 0 ? O0 : O1) * Step * bytes;
      for (bank_phase const& phase : memory::phases_of(moved)) list.append(phase);
    }
    return list;
  }
};

// ---- Transpose loads ----

/// The map from lanes to elements. With n elements in a lane, 16 lanes read n rows of 16 elements, 16 / n lanes a row,
/// and the lane in place c of the 16 receives column c: value e is of row e.
template <unsigned Bits, unsigned ElementBits, class Row>
struct transpose_map {
  static constexpr unsigned values = Bits / ElementBits;  ///< elements that each lane reads and receives
  static constexpr source map_from = Row::map;

  /// The lane whose address covers value `value` of lane `lane`, and the element at that address.
  /// Refused: a lane beyond 63, a value beyond `values`.
  [[nodiscard]] COALESCE_API static constexpr origin source_of(unsigned lane, unsigned value) {
    constexpr unsigned group = Row::transpose_lanes.value;
    if (lane >= Row::lanes.value || value >= values) refused::transpose_has_no_such_lane_or_value(lane, value);
    unsigned const column = lane % group;
    return {.lane = lane - column + value * (group / values) + column / values, .element = column % values};
  }
};

/// Every lane reads and receives others' values. So all lanes must be active, or no lane: then it is not issued.
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

/// DS_READ_B96_TR_B6: its map is known, its cost is not.
template <unsigned Bits, unsigned ElementBits, class Row>
requires(!has_phases<Row>) struct transpose_read<Bits, ElementBits, Row> : transpose_map<Bits, ElementBits, Row> {
  using cost_type = bank_cost<>;
  static constexpr unsigned lanes = Row::lanes.value;
  static constexpr unsigned bytes = Bits / 8;  ///< per lane
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
