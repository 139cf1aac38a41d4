// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/engine/footprint.hpp>
#include <coalesce/gcn/compute_unit.hpp>
#include <coalesce/gcn/machines.hpp>
#include <coalesce/gcn/scalar.hpp>
#include <coalesce/gcn/vector.hpp>

// AMD Graphics Core Next, GCN 1 to 5 (GFX6 to GFX9 with 64-byte lines: Southern Islands to Vega 20, and MI100): the
// instructions. gcn/rows.hpp has the facts and their sources. gcn/costs.hpp has the types of the costs. gcn/README.md
// explains all of this on one page.
//
// Clocks are peaks: what the data paths allow when every line hits L1. Transactions assume the opposite, that every
// line misses L1. So do not divide clocks by transactions, nor transactions by clocks.

namespace coalescing::gcn {

// ---- Buffers ----

/// The buffer formats that exist (GCN3 ISA 8.1, data formats): 8-, 16- or 32-bit channels, 1, 2 or 4 of them, or 3 of
/// 32 bits; and the untyped dwordx2, x3 and x4 as one element of 64, 96 or 128 bits.
template <unsigned Bits, unsigned Channels>
inline constexpr bool buffer_format = ((Bits == 8 || Bits == 16 || Bits == 32) &&
                                       (Channels == 1 || Channels == 2 || Channels == 4)) ||
                                      (Bits == 32 && Channels == 3) ||
                                      ((Bits == 64 || Bits == 96 || Bits == 128) && Channels == 1);

namespace rules {
template <unsigned Bits, unsigned Channels>
struct buffer_form {
  static constexpr bool exists = buffer_format<Bits, Channels>;
  COALESCE_API static constexpr void refuse() {
    static_assert(exists,
                  "gcn::buffer_load, gcn::buffer_store<Bits, Channels>: Bits per channel are 8, 16 or 32 with 1, 2 or "
                  "4 channels, 32 with 3, or "
                  "64, 96 or 128 with 1 (bits, not bytes: a float is <32>)");
  }
};
}  // namespace rules

/// BUFFER_LOAD_*. Bits is the width of a channel. Channels is the number of channels of the format in memory, read or
/// not: a read of only .x of RGBA8 is <8, 4>. Loads of a single channel of 32 bits or less may be coalesced in groups
/// of 16 lanes. All other loads, packed formats like 10_10_10_2 among them, are served like a point-sampled image, one
/// quad of lanes in a clock (perftest measures about 18 clocks for two dwords on GCN 2 to 4). A 16-bit access at an odd
/// address is counted at that address. (CLRX says that the hardware aligns such an address, but no AMD document does.)
template <unsigned Bits, unsigned Channels = 1>
struct buffer_load : detail::if_form_exists<rules::buffer_form<Bits, Channels>, rules::buffer_load<Bits, Channels>> {
  static constexpr instruction_name called{machine::identity, "buffer_load", {Bits, {Channels, 1}}};
};

/// BUFFER_STORE_*. A clock serves one quad of lanes. The faster path, 16 lanes in a clock, is for loads only (AMD's
/// post, documents::gcn_post). Lanes that write one address count as one write in `operations`.
template <unsigned Bits, unsigned Channels = 1>
struct buffer_store : detail::if_form_exists<rules::buffer_form<Bits, Channels>, rules::buffer_store<Bits, Channels>> {
  static constexpr instruction_name called{machine::identity, "buffer_store", {Bits, {Channels, 1}}};
};

/// BUFFER_ATOMIC_* of 32 or 64 bits. `operations` counts one for each active lane, whatever the address. The clocks are
/// only those of L1's address path. No document says how long L2 takes to serialize the operations, or what it does
/// with 64 bits that straddle two lines.
template <unsigned Bits>
struct buffer_atomic : detail::exists_if<amd::atomic_width<Bits>, rules::buffer_atomic<Bits>, buffer_atomic<Bits>> {
  static constexpr instruction_name called{machine::identity, "buffer_atomic", {Bits}};
  COALESCE_API static constexpr void refuse() {
    static_assert(buffer_atomic::exists, "gcn::buffer_atomic<Bits>: Bits are 32 or 64");
  }
};

// ---- Images ----

/// The texel sizes that exist, in bits.
template <unsigned Bits>
inline constexpr bool texel_size = Bits == 8 || Bits == 16 || Bits == 32 || Bits == 64 || Bits == 128;

namespace rules {
template <unsigned Bits>
struct image_form {
  static constexpr bool exists = texel_size<Bits>;
  COALESCE_API static constexpr void refuse() {
    static_assert(exists, "gcn::image_load, image_sample, image_store<Bits>: texels have 8, 16, 32, 64 or 128 bits");
  }
};
}  // namespace rules

/// IMAGE_LOAD and point-sampled IMAGE_SAMPLE. The pattern gives the byte address of each lane's texel, after tiling.
/// (No public document gives the tile functions, so the caller applies them.) One quad of lanes is served in a clock;
/// perftest measures more clocks for 128 bits.
template <unsigned Bits>
struct image_load : detail::if_form_exists<rules::image_form<Bits>, rules::image_load<Bits>> {
  static constexpr instruction_name called{machine::identity, "image_load", {Bits}};
};

/// IMAGE_SAMPLE with filtering. A clock serves 32 bits for each lane of a quad, so a quad takes 1, 1, 1, 2 or 4 clocks
/// for texels of 8, 16, 32, 64 or 128 bits. The pattern names one texel for each lane, and only the lines of these
/// texels are counted. To count the lines of the filter's other texels too, count an image_load of each of them.
template <unsigned Bits>
struct image_sample : detail::if_form_exists<rules::image_form<Bits>, rules::image_sample<Bits>> {
  static constexpr instruction_name called{machine::identity, "image_sample", {Bits}};
};

/// IMAGE_STORE. A clock serves one quad of lanes. Lanes that write one address count as one write in `operations`.
template <unsigned Bits>
struct image_store : detail::if_form_exists<rules::image_form<Bits>, rules::image_store<Bits>> {
  static constexpr instruction_name called{machine::identity, "image_store", {Bits}};
};

// ---- LDS and the scalar cache ----

/// The widths of ds_read that exist, in bits (96 and 128 from GCN 2 on).
template <unsigned Bits>
inline constexpr bool ds_read_width = requires {
  sizeof(ds_read_row<Bits>);
};
/// The widths of ds_write that the library counts, in bits. 96 is left out, because no source states which lanes LDS
/// serves together in DS_WRITE_B96.
template <unsigned Bits>
inline constexpr bool ds_write_width = requires {
  sizeof(ds_write_row<Bits>);
};

/// DS_READ_U8, U16, B32, B64, B96, B128 (the last two from GCN 2 on).
template <unsigned Bits>
struct ds_read : detail::exists_if<ds_read_width<Bits>, amd::lds_memory<Bits, ds_read_row<Bits>>, ds_read<Bits>> {
  static constexpr instruction_name called{machine::identity, "ds_read", {Bits}};
  COALESCE_API static constexpr void refuse() {
    static_assert(ds_read::exists, "gcn::ds_read<Bits>: Bits are 8, 16, 32, 64, 96 or 128 (bits of a lane, not bytes)");
  }
};

/// DS_WRITE_B8, B16, B32, B64, B128 (the last from GCN 2 on). B96 is left out: no source states which of its lanes are
/// served together.
template <unsigned Bits>
struct ds_write : detail::exists_if<ds_write_width<Bits>, amd::lds_memory<Bits, ds_write_row<Bits>>, ds_write<Bits>> {
  static constexpr instruction_name called{machine::identity, "ds_write", {Bits}};
  COALESCE_API static constexpr void refuse() {
    static_assert(ds_write::exists,
                  "gcn::ds_write<Bits>: Bits are 8, 16, 32, 64 or 128 (no source tells the phases of ds_write_b96)");
  }
};

/// S_LOAD_DWORD and x2, x4, x8, x16. It is one request for the whole wave, whichever lanes are active. So the
/// instruction has one lane: the pattern is called for lane 0 only, and no mask of the wave's lanes applies. The
/// hardware truncates the address to a dword (GCN3 ISA 7.2); we refuse an address that is not a multiple of 4. Wider
/// loads need no larger alignment, so an x16 load is one line only if it begins at a multiple of 64 bytes.
template <unsigned Dwords>
struct s_load : detail::exists_if<amd::scalar_width<Dwords>, rules::scalar_load<Dwords>, s_load<Dwords>> {
  static constexpr instruction_name called{machine::identity, "s_load", {Dwords}};
  COALESCE_API static constexpr void refuse() {
    static_assert(s_load::exists, "gcn::s_load<Dwords>: Dwords are 1, 2, 4, 8 or 16");
  }
};

/// The instructions that record.hpp counts. Bits is the width of the element that each lane loads, stores or updates.
/// Atomics of LDS are `uncounted`, because no source states their cost.
struct machine::issues {
  static constexpr unsigned lanes = row::lanes.value;
  template <unsigned Bits>
  static constexpr bool has_width = amd::access_width<Bits>;

  template <unsigned Bits>
  using global_load = buffer_load<Bits>;
  template <unsigned Bits>
  using global_store = buffer_store<Bits>;
  template <unsigned Bits>
  using global_atomic = buffer_atomic<Bits>;
  template <unsigned Bits>
  using banked_load = ds_read<Bits>;
  template <unsigned Bits>
  using banked_store = ds_write<Bits>;
  template <unsigned Bits>
  using banked_atomic = detail::uncounted;
};

// ---- Peaks of whole waves, by AMD's post ----

/// The clocks of a full wave at peak throughput (AMD's post, "Summary of peak throughput per wave supported by data
/// paths"). The table has no rows for stores and atomics, so there is no number for them.
template <class Instruction>
struct peak_clocks_row {
  static_assert(sizeof(Instruction) == 0, "gcn::peak_clocks: the post gives peaks for vector loads only");
};
template <unsigned Bits, unsigned Channels>
struct peak_clocks_row<buffer_load<Bits, Channels>> {
  static constexpr unsigned value = buffer_load<Bits, Channels>::may_coalesce ? compute_unit::coalesced_clocks_per_wave
                                                                              : compute_unit::tex_clocks_per_wave;
};

template <unsigned Bits>
struct peak_clocks_row<image_load<Bits>> {
  static constexpr unsigned value = compute_unit::tex_clocks_per_wave;
};
template <unsigned Bits>
struct peak_clocks_row<image_sample<Bits>> {
  static constexpr unsigned value = compute_unit::tex_clocks_per_wave * image_sample<Bits>::clocks_per_quad;
};
template <instruction Instruction>
inline constexpr unsigned peak_clocks = peak_clocks_row<Instruction>::value;
template <instruction Instruction>
requires detail::is_missing<Instruction>
inline constexpr unsigned peak_clocks<Instruction> =
    0;  // the instruction does not exist: the compiler has printed an error

}  // namespace coalescing::gcn
