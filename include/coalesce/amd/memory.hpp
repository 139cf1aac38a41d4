// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/costs.hpp>
#include <coalesce/amd/widths.hpp>
#include <coalesce/engine/segments.hpp>
#include <coalesce/engine/words.hpp>

#include <cstdint>

// The rule of AMD's global memory: an access moves every aligned piece of memory that an active lane touches. A piece
// moves once, even if several lanes touch it. The row of each family states how many bytes a piece has, and how
// addresses are aligned.

namespace coalescing::amd {

/// How a family counts an access: the level of the memory hierarchy, the size of the aligned pieces that it counts, and
/// the alignment of the addresses.
struct memory_facts {
  coalescing::level level;
  unsigned unit;       ///< bytes of a piece
  unsigned alignment;  ///< the number of bytes that every address must be a multiple of
};

/// The alignment of an access of `bytes`: its own size, but no more than `most`, the alignment that a machine needs for
/// dwords and vectors.
COALESCE_API constexpr unsigned alignment_up_to(unsigned most, unsigned bytes) { return bytes < most ? bytes : most; }

/// An access of Bytes bytes by each of Lanes lanes. The machine serves Served lanes together, and counts the pieces of
/// each such group by itself: a piece that two groups touch counts twice. (RDNA serves a wave64 in two halves.)
template <unsigned Lanes, unsigned Bytes, memory_facts Facts, unsigned Served = Lanes>
struct memory {
  static constexpr unsigned lanes = Lanes;
  static constexpr unsigned bytes = Bytes;  ///< bytes per lane
  static constexpr unsigned alignment = Facts.alignment;
  static constexpr coalescing::level level = Facts.level;
  static constexpr unsigned unit = Facts.unit;
  static constexpr unsigned period = unit;
  static constexpr auto grows_with = coalescing::detail::pieces_of_memory<Lanes, Served>(unit);

  /// How many aligned pieces of memory the lanes of one group touch.
  COALESCE_API static constexpr std::uint64_t pieces(access<Served> const& asked) {
    return coalescing::detail::count_touched<unit, bytes, alignment>(asked);
  }
  /// Fills the members that every cost of global memory has: transactions, bytes_moved and bytes_used. `pieces` is the
  /// number of aligned pieces of memory that the lanes touch.
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
  /// The sources of the numbers that numbers() fills.
  template <class Citations>
  static constexpr Citations cite(source const& pieces) {
    return {
        .transactions = pieces, .bytes_moved = pieces, .bytes_used = coalescing::detail::counted_from_the_addresses};
  }
  /// How many operations a store or an atomic makes. Stores of several lanes to one address make one operation. An
  /// atomic makes one operation for each active lane.
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

/// A scalar load of Dwords dwords. It has one lane, since a wave of WaveLanes lanes makes one request.
template <unsigned WaveLanes, unsigned Dwords, memory_facts Facts>
struct scalar_load : memory<1, 4 * Dwords, Facts> {
  using cost_type = memory_cost<>;
  static constexpr unsigned wave_lanes = WaveLanes;
  COALESCE_API static constexpr memory_cost<> cost_of(access<1> const& asked) {
    return scalar_load::template count<memory_cost<>>(asked);
  }
};

}  // namespace coalescing::amd
