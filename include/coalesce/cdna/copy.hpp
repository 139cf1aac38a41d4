// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna/global.hpp>
#include <coalesce/cdna/misuse.hpp>
#include <coalesce/core/copies.hpp>

// Loads from global memory straight to LDS. In global memory each lane has its own address. In LDS the whole wave has
// one address, in the register M0; the lanes' data lies there in the order of the lanes. So to get a swizzled tile in
// LDS, the lanes must swizzle their addresses in global memory. The bytes that one lane loads stay together. No
// document tells what the writes cost in LDS. The numbers are in cdna/rows.hpp.

namespace coalescing::cdna {

/// Where in LDS a load of the whole wave writes, in bytes from the beginning of the work-group's LDS.
struct lds_destination {
  unsigned m0 = 0;      ///< the register M0: a multiple of 4
  unsigned offset = 0;  ///< the offset in the instruction: at most 4095, a multiple of 4; the hardware adds it to
                        ///< the addresses in global memory, too
};

namespace rules {

/// The part of a load to LDS that reads global memory. It requests the same lines as a load to registers.
template <class Row, unsigned Bits>
struct read_for_lds : load<Row, Bits> {
  static constexpr load_cost<citations> sources{.transactions = Row::loads_to_lds,
                                                .bytes_moved = Row::loads_to_lds,
                                                .bytes_used = coalescing::detail::counted_from_the_addresses,
                                                .quads = Row::loads_to_lds};
};

/// The part of a load to LDS that writes LDS.
template <class Row, unsigned Bits>
struct write_to_lds {
  static constexpr unsigned bytes = Bits / 8;  ///< bytes that a lane writes into its slot of LDS; no source tells
                                               ///< what the rest of the slot holds
  /// Bytes from the start of a lane's slot to the start of the next lane's, whether or not lanes are active.
  static constexpr unsigned slot_bytes = [] {
    if constexpr (Bits > 32)
      return Row::wide_lds_slot.value;
    else
      return Row::lds_slot.value;
  }();

  static constexpr copy_in_lane_order lane_order{.lanes = Row::lanes.value,
                                                 .bytes = bytes,
                                                 .slot_bytes = slot_bytes,
                                                 .capacity = Row::lds_load_bytes.value,
                                                 .destination = Row::m0_multiple};

  static constexpr fact_list facts() {
    auto const all = fact_list{}
                         .with("lanes a wave", Row::lanes)
                         .with("bits of M0", Row::m0_bits)
                         .with("bytes of which M0 is a multiple", Row::m0_multiple)
                         .with("bytes of offset at most", Row::lds_load_offset)
                         .with("bytes of LDS", Row::lds_load_bytes);
    if constexpr (Bits > 32)
      return all.with("bytes from lane to lane", Row::wide_lds_slot);
    else
      return all.with("bytes from lane to lane", Row::lds_slot);
  }
  static constexpr fact_list rests_on = facts();

  /// The address of the first byte of LDS that a lane writes, if the lane is active. Refused: M0 or an offset that is
  /// out of range or not a multiple of 4, a lane beyond 63, a write that ends beyond LDS.
  [[nodiscard]] COALESCE_API static constexpr unsigned lds_address(lds_destination const& to, unsigned lane) {
    if (to.m0 >> Row::m0_bits.value != 0 || to.offset > Row::lds_load_offset.value ||
        (to.m0 | to.offset) % Row::m0_multiple.value != 0)
      refused::m0_or_offset_of_a_load_to_lds_is_out_of_range(to.m0, to.offset);
    if (lane >= Row::lanes.value) refused::load_to_lds_has_no_such_lane(lane);
    unsigned const address = to.m0 + to.offset + slot_bytes * lane;
    if (address + bytes > Row::lds_load_bytes.value)
      coalescing::refused::access_runs_past_the_end_of_shared_memory(lane, address, Row::lds_load_bytes.value);
    return address;
  }
};
template <class Row, unsigned Bits>
struct global_to_lds : write_to_lds<Row, Bits> {
  static constexpr fact_list rests_on =
      write_to_lds<Row, Bits>::rests_on.with("bits of the widest global_load_lds", Row::global_lds_bits);
};
template <class Row, unsigned Bits>
struct buffer_to_lds : write_to_lds<Row, Bits> {
  static constexpr fact_list rests_on =
      write_to_lds<Row, Bits>::rests_on.with("bits of the widest buffer_load_lds", Row::buffer_lds_bits);
};

}  // namespace rules
}  // namespace coalescing::cdna
