// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/lds_pairs.hpp>
#include <coalesce/cdna/copy.hpp>

// Which forms of an instruction (its widths and offsets) exist on a chip, and the errors for forms that do not exist. A
// form exists where the chip's row has the facts that the form needs. (Conditions that only one instruction has are
// beside that instruction in cdna.hpp, with their errors.)

namespace coalescing::cdna {

using amd::access_width, amd::scalar_width;
/// Whether ds_write has a width of `Bits` bits. It lacks 96: no source tells which lanes LDS serves together in a
/// DS_WRITE_B96.
template <unsigned Bits>
inline constexpr bool ds_write_width = access_width<Bits>&& Bits != 96;
/// Whether a load straight to LDS has a form of `Bits` bits per lane, on a chip whose widest form has `Widest` bits. No
/// chip has a form of 64 bits.
template <unsigned Bits, unsigned Widest>
inline constexpr bool lds_load_width =
    (Bits == 8 || Bits == 16 || Bits == 32 || Bits == 96 || Bits == 128) && Bits <= Widest;
/// Whether there is a transpose load with these bits for each lane and these bits for each element.
template <unsigned Bits, unsigned ElementBits>
inline constexpr bool ds_read_tr_form = (Bits == 64 && (ElementBits == 16 || ElementBits == 8 || ElementBits == 4)) ||
                                        (Bits == 96 && ElementBits == 6);

namespace rules {

using coalescing::detail::exists_if, coalescing::detail::if_form_exists;

/// Whether an access to global memory, or a read of LDS, exists with Bits; refuse() is the error if it does not exist.
template <unsigned Bits>
struct access_form {
  static constexpr bool exists = access_width<Bits>;
  COALESCE_API static constexpr void refuse() {
    static_assert(exists,
                  "cdna global_load, global_store, buffer_load, buffer_store, ds_read<Bits>: Bits are 8, 16, 32, 64, "
                  "96 or 128 (bits of a lane, not bytes)");
  }
};

/// The bits of the chip's widest global_load_lds; 0 if the chip has no such load.
template <class Row>
inline constexpr unsigned widest_global_to_lds = 0;
template <class Row>
requires requires { Row::global_lds_bits; }
inline constexpr unsigned widest_global_to_lds<Row> = Row::global_lds_bits.value;
template <class Row, bool Buffer>
inline constexpr unsigned widest_to_lds = Buffer ? Row::buffer_lds_bits.value : widest_global_to_lds<Row>;
/// Whether a load straight to LDS exists with Bits; refuse() is the error if it does not exist. Both parts of the load
/// use this struct: the read of memory and the write to LDS.
template <class Row, unsigned Bits, bool Buffer>
struct to_lds_form {
  static constexpr bool chip_has_it = widest_to_lds<Row, Buffer> != 0,
                        exists = lds_load_width<Bits, widest_to_lds<Row, Buffer>>;
  COALESCE_API static constexpr void refuse() {
    static_assert(chip_has_it, "cdna global_load_lds: gfx942 and gfx950 have it; gfx90a has only buffer_load_lds");
    static_assert(!chip_has_it || exists,
                  "cdna global_load_lds, buffer_load_lds<Bits>: Bits are 8, 16 or 32, and on gfx950 96 or 128, never "
                  "64 (bits of a lane, not bytes)");
  }
};

/// Whether a transpose load exists with Bits and ElementBits; refuse() is the error if it does not exist.
template <class Row, unsigned Bits, unsigned ElementBits>
struct transpose_form {
  static constexpr bool chip_has_it = requires { Row::transpose_lanes; };
  static constexpr bool exists = chip_has_it && ds_read_tr_form<Bits, ElementBits>;
  COALESCE_API static constexpr void refuse() {
    static_assert(chip_has_it, "cdna ds_read_tr: only gfx950 has transpose loads");
    static_assert(
        !chip_has_it || exists,
        "cdna ds_read_tr<Bits, ElementBits>: 64 bits of a lane in elements of 16, 8 or 4, or 96 in elements of 6");
  }
};

/// Whether DS_READ2 and DS_WRITE2 exist with Bits and the offsets O0 and O1; refuse() is the error if they do not
/// exist.
template <class Row, unsigned Bits, unsigned Step, unsigned O0, unsigned O1>
struct pair_form {
  using of = amd::pair_form<Row, every_chip::pair_offset.value, Bits, Step, O0, O1>;
  static constexpr bool exists = of::is_inside;
  COALESCE_API static constexpr void refuse() {
    static_assert(of::has_width, "cdna ds_read2, ds_write2<Bits, O0, O1>: Bits are 32 or 64, those at one address");
    static_assert(!of::has_width || of::has_offsets,
                  "cdna ds_read2, ds_write2<Bits, O0, O1>: offsets are 0 to 255, in elements of Bits (st64: in 64)");
    static_assert(!of::has_offsets || exists,
                  "cdna ds_read2, ds_write2<Bits, O0, O1>: an offset leads past the end of LDS from byte 0 already");
  }
};
/// The base class of a DS_READ2 or DS_WRITE2 of a chip. Pair is the row that states which lanes LDS serves together.
template <class Row, class Pair, unsigned Bits, unsigned Step, unsigned O0, unsigned O1>
using pair_if_it_exists =
    if_form_exists<pair_form<Row, Bits, Step, O0, O1>, amd::pair_access<Pair, Bits, Step, O0, O1>>;

/// The base class of a load to LDS. If the form does not exist, lds_address() reports the error.
template <class Form, class Rule>
struct to_lds_if_it_exists : if_form_exists<Form, Rule> {};
template <class Form, class Rule>
requires(!Form::exists) struct to_lds_if_it_exists<Form, Rule> : if_form_exists<Form, Rule> {
  COALESCE_API static constexpr unsigned lds_address(lds_destination const&, unsigned) { return Form::refuse(), 0u; }
};

}  // namespace rules

}  // namespace coalescing::cdna
