// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/costs.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/core/transaction.hpp>
#include <coalesce/engine/distinct.hpp>
#include <coalesce/engine/order.hpp>
#include <coalesce/engine/segments.hpp>

#include <cstdint>

// The rule of AMD's global memory: an access moves every aligned piece of memory that an active lane touches, once. How
// many bytes a piece has, and how addresses are aligned, each family's row states.

namespace coalescing::amd {

/// Where a family counts the pieces of memory of an access, and what it takes for one.
struct memory_facts {
  coalescing::level level;
  unsigned unit;       ///< bytes of a piece
  unsigned alignment;  ///< that an address must have
};

/// Vector and dword accesses are aligned to no more than a row says; narrower ones naturally.
COALESCE_API constexpr unsigned alignment_up_to(unsigned most, unsigned bytes) { return bytes < most ? bytes : most; }

/// An access of Bytes by each of Lanes. Served: the lanes that are served together, whose pieces are counted on their
/// own (a wave64 of RDNA is two halves).
template <unsigned Lanes, unsigned Bytes, memory_facts Facts, unsigned Served = Lanes>
struct memory {
  static constexpr unsigned lanes = Lanes;
  static constexpr unsigned bytes = Bytes;  ///< per lane
  static constexpr unsigned alignment = Facts.alignment;
  static constexpr coalescing::level level = Facts.level;
  static constexpr unsigned unit = Facts.unit;
  static constexpr unsigned period = unit;

  /// The pieces that lanes touch which are served together.
  COALESCE_API static constexpr std::uint64_t pieces(access<Served> const& asked) {
    return coalescing::detail::count_touched<unit, bytes, alignment>(asked);
  }
  /// The numbers that all costs have, where the lanes touch so many pieces.
  template <class Cost>
  COALESCE_API static constexpr Cost numbers(access<Lanes> const& asked, std::uint64_t pieces) {
    return {.transactions = pieces,
            .bytes_moved = pieces * unit,
            .bytes_used = coalescing::detail::count_bytes<bytes, alignment>(asked)};
  }
  template <class Cost>
  COALESCE_API static constexpr Cost count(access<Lanes> const& asked) {
    std::uint64_t all = 0;
    for (unsigned k = 0; k != Lanes / Served; ++k) all += pieces(coalescing::detail::part_of<Served>(asked, k));
    return memory::template numbers<Cost>(asked, all);
  }
  /// Where they come from.
  template <class Citations>
  static constexpr Citations cite(source const& pieces) {
    return {
        .transactions = pieces, .bytes_moved = pieces, .bytes_used = coalescing::detail::counted_from_the_addresses};
  }
  /// What a store or an atomic leaves to be done. Of lanes that store to one address one remains; of atomics all do.
  template <bool Atomic>
  COALESCE_API static constexpr std::uint64_t operations(access<Lanes> const& asked) {
    return Atomic ? coalescing::detail::count_bits(asked.active) : coalescing::detail::count_distinct<alignment>(asked);
  }
  COALESCE_API static constexpr auto transactions_of(access<Lanes> const& asked) {
    transaction_list<bytes <= alignment ? Lanes : 2 * Lanes> list;
    for (unsigned k = 0; k != Lanes / Served; ++k)
      coalescing::detail::list_segments(
          coalescing::detail::by_address(asked, coalescing::detail::part_of_wave(k, Served)), unit, list);
    return list;
  }
};

/// A scalar load of so many dwords: one request for a wave of WaveLanes, so it has one lane.
template <unsigned WaveLanes, unsigned Dwords, memory_facts Facts>
struct scalar_load : memory<1, 4 * Dwords, Facts> {
  using cost_type = memory_cost<>;
  static constexpr unsigned wave_lanes = WaveLanes;
  COALESCE_API static constexpr memory_cost<> cost_of(access<1> const& asked) {
    return scalar_load::template count<memory_cost<>>(asked);
  }
};

}  // namespace coalescing::amd
