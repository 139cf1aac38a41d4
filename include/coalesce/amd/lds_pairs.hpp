// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/lds.hpp>

#include <cstdint>

// LDS instructions of AMD's families that access two addresses for each lane: DS_READ2 and DS_WRITE2, which RDNA 3 and
// later call DS_LOAD_2ADDR and DS_STORE_2ADDR.

namespace coalescing::amd {

template <class Row>
concept has_phases = requires {
  Row::phases;
};

/// The conditions on an instruction that makes two accesses of Bits, at O0 and O1 elements beyond one address. Each
/// condition includes the conditions before it. is_inside says that both accesses end in LDS if the address is 0.
template <class Row, unsigned MostOffset, unsigned Bits, unsigned Step, unsigned O0, unsigned O1>
struct pair_form {
  static constexpr unsigned farther = O0 > O1 ? O0 : O1;
  static constexpr bool has_width = Bits == 32 || Bits == 64, has_offsets = has_width && farther <= MostOffset,
                        is_inside = has_offsets && (farther * Step + 1) * (Bits / 8) <= Row::lds_bytes.value;
};

/// One instruction that makes two accesses of Bits, at O0 * Step and O1 * Step elements beyond each lane's address. All
/// phases of the first access come before those of the second. Equal offsets make one access. Besides the facts of
/// lds_memory, Row states these: pair_offset, st64_elements, equal_offsets, offsets_wrap.
///
/// An offset is a number of whole elements. So it moves the words of all lanes by the same number of banks, and lanes
/// that conflict in one access conflict in the other. The rounds are therefore counted for one access, and multiplied
/// by the number of accesses.
///
/// A lane's address may be negative if both offsets lead back into LDS: the machine adds address and offset in 32 bits,
/// and the sum wraps.
template <class Row, unsigned Bits, unsigned Step, unsigned O0, unsigned O1>
struct pair_access : lds_memory<Bits, Row> {
  using memory = lds_memory<Bits, Row>;
  static constexpr unsigned bytes = memory::bytes;        ///< bytes at each address of a lane
  static constexpr unsigned accesses = O0 == O1 ? 1 : 2;  ///< how many accesses each lane makes, one after the other
  static constexpr unsigned addresses = 2;                ///< how many addresses each lane has, equal or not
  /// Bytes from a lane's address to each access.
  static constexpr auto offsets = [] {
    if constexpr (O0 == O1)
      return coalescing::detail::lane_offsets<1>{{std::uint64_t{O0} * Step * bytes}};
    else
      return coalescing::detail::lane_offsets<2>{{std::uint64_t{O0} * Step * bytes, std::uint64_t{O1} * Step * bytes}};
  }();
  /// Bytes from a lane's address to the farther access. That access must end in LDS, too.
  static constexpr unsigned reach = (O0 > O1 ? O0 : O1) * Step * bytes;
  /// Bytes from a lane's address to the nearer access. The address may lie this many bytes below 0.
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

}  // namespace coalescing::amd
