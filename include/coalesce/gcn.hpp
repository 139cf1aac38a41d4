// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/lds.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/core/pattern.hpp>
#include <coalesce/engine/footprint.hpp>
#include <coalesce/gcn/compute_unit.hpp>
#include <coalesce/gcn/costs.hpp>
#include <coalesce/gcn/machines.hpp>
#include <coalesce/gcn/rows.hpp>
#include <coalesce/gcn/scalar.hpp>
#include <coalesce/gcn/vector.hpp>

// AMD Graphics Core Next, GCN 1 to 5 (GFX6 to GFX9 with 64-byte lines: Southern Islands to Vega 20, and MI100): the
// instructions. The facts and their sources are in gcn/rows.hpp, the numbers in gcn/costs.hpp, a page in gcn/README.md.
//
// Clocks are peaks: what the data paths allow when every line hits L1. Transactions assume the opposite, that every
// line misses. So the two are never divided by each other.

namespace coalescing::gcn {

// ---- Buffers ----

/// The buffer formats that exist (GCN3 ISA 8.1, data formats): 8-, 16- or 32-bit channels, 1, 2 or 4 of them, or 3 of
/// 32 bits; and the untyped dwordx2, x3 and x4 as one element of 64, 96 or 128 bits.
template <unsigned Bits, unsigned Channels>
concept buffer_format = ((Bits == 8 || Bits == 16 || Bits == 32) &&
                         (Channels == 1 || Channels == 2 || Channels == 4)) ||
                        (Bits == 32 && Channels == 3) || ((Bits == 64 || Bits == 96 || Bits == 128) && Channels == 1);

/// BUFFER_LOAD_*: Bits per channel, Channels of the format in memory: to read only .x of RGBA8 is <8, 4>, and
/// 10_10_10_2 is no single channel of 32 bits. A single channel of 32 bits or less may be coalesced in groups of 16
/// lanes; everything else is served as a point-sampled image is, a quad a clock (perftest measures about 18 clocks for
/// two dwords on GCN 2 to 4). A 16-bit access at an odd address is answered as asked: only CLRX says that the hardware
/// would align it.
template <unsigned Bits, unsigned Channels = 1>
struct buffer_load : rules::vector_memory<Bits * Channels / 8> {
  static_assert(
      buffer_format<Bits, Channels>,
      "gcn::buffer_load<Bits, Channels>: Bits per channel are 8, 16 or 32 with 1, 2 or 4 channels, 32 with 3, or "
      "64, 96 or 128 with 1 (bits, not bytes: a float is <32>)");
  using cost_type = load_cost<>;
  static constexpr bool may_coalesce = Channels == 1 && Bits <= row::coalesced_bits.value;
  static constexpr load_cost<citations> sources = buffer_load::sources_of_loads(
      may_coalesce ? row::run_elements.from : row::quad_lanes.from, row::request_bytes.from);
  static constexpr fact_list without_runs = rules::vector_memory<Bits * Channels / 8>::rests_on.with(
      "bits of the widest coalesced channel", row::coalesced_bits);
  static constexpr fact_list rests_on =
      may_coalesce
          ? without_runs.with("lanes a coalesced group", row::coalesced_lanes).with("elements a run", row::run_elements)
          : without_runs;

  /// Whether these two lanes alone keep their group of 16 from being coalesced.
  COALESCE_API static constexpr bool break_a_run(rules::wave const& asked, unsigned first,
                                                 unsigned second) requires may_coalesce {
    return rules::break_a_run<Bits / 8>(asked, first, second);
  }
  COALESCE_API static constexpr load_cost<> cost_of(rules::wave const& asked) {
    if constexpr (may_coalesce)
      return buffer_load::load(asked, rules::coalesced_clocks<Bits / 8>(asked));
    else
      return buffer_load::load(asked, rules::quad_clocks(asked.active));
  }
};

/// BUFFER_STORE_*: a quad a clock, never the 16-lane path: POST grants that to loads only. `operations`: lanes that
/// write the same address collapse into one write.
template <unsigned Bits, unsigned Channels = 1>
struct buffer_store : rules::vector_memory<Bits * Channels / 8> {
  static_assert(
      buffer_format<Bits, Channels>,
      "gcn::buffer_store<Bits, Channels>: Bits per channel are 8, 16 or 32 with 1, 2 or 4 channels, 32 with 3, or "
      "64, 96 or 128 with 1 (bits, not bytes: a float is <32>)");
  using cost_type = write_cost<>;
  static constexpr write_cost<citations> sources =
      buffer_store::sources_of_writes(row::store_clocks, row::request_bytes.from);

  COALESCE_API static constexpr write_cost<> cost_of(rules::wave const& asked) {
    return buffer_store::write(asked, false);
  }
};

/// BUFFER_ATOMIC_* of 32 or 64 bits. `operations`: one for each active lane, whatever the address. The clocks are those
/// of the addresses; what L2 takes to serialize them is in no document, nor what it makes of 64 bits that straddle two
/// lines.
template <unsigned Bits>
struct buffer_atomic : rules::vector_memory<Bits / 8> {
  static_assert(Bits == 32 || Bits == 64, "gcn::buffer_atomic<Bits>: Bits are 32 or 64");
  using cost_type = write_cost<>;
  static constexpr write_cost<citations> sources =
      buffer_atomic::sources_of_writes(row::atomic_clocks, row::atomic_lines);

  COALESCE_API static constexpr write_cost<> cost_of(rules::wave const& asked) {
    return buffer_atomic::write(asked, true);
  }
};

// ---- Images ----

/// The texel sizes that exist, in bits.
template <unsigned Bits>
concept texel_size = Bits == 8 || Bits == 16 || Bits == 32 || Bits == 64 || Bits == 128;

/// IMAGE_LOAD and point-sampled IMAGE_SAMPLE: the pattern gives the byte address of each lane's texel, after tiling
/// (which is the user's to know: no public document gives the tile functions). A quad a clock; perftest measures more
/// for 128 bits.
template <unsigned Bits>
struct image_load : rules::vector_memory<Bits / 8> {
  static_assert(texel_size<Bits>, "gcn::image_load<Bits>: texels have 8, 16, 32, 64 or 128 bits");
  using cost_type = load_cost<>;
  static constexpr load_cost<citations> sources =
      image_load::sources_of_loads(row::quad_lanes.from, row::request_bytes.from);

  COALESCE_API static constexpr load_cost<> cost_of(rules::wave const& asked) {
    return image_load::load(asked, rules::quad_clocks(asked.active));
  }
};

/// IMAGE_SAMPLE with filtering: 32 bits for each lane of a quad a clock, so 1, 1, 1, 2 or 4 clocks a quad by texel
/// size. The pattern names one texel for each lane, and the lines are those of these texels: the filter's other texels
/// are not counted. Ask image_load about each of them.
template <unsigned Bits>
struct image_sample : rules::vector_memory<Bits / 8> {
  static_assert(texel_size<Bits>, "gcn::image_sample<Bits>: texels have 8, 16, 32, 64 or 128 bits");
  using cost_type = load_cost<>;
  static constexpr unsigned clocks_per_quad = Bits <= row::filtered_bits.value ? 1 : Bits / row::filtered_bits.value;
  static constexpr fact_list rests_on =
      rules::vector_memory<Bits / 8>::rests_on.with("bits of a lane that are filtered in a clock", row::filtered_bits);
  static constexpr load_cost<citations> sources =
      image_sample::sources_of_loads(row::filtered_bits.from, row::named_texels);

  COALESCE_API static constexpr load_cost<> cost_of(rules::wave const& asked) {
    return image_sample::load(asked, clocks_per_quad * rules::quad_clocks(asked.active));
  }
};

/// IMAGE_STORE: a quad a clock. `operations` as for buffer_store.
template <unsigned Bits>
struct image_store : rules::vector_memory<Bits / 8> {
  static_assert(texel_size<Bits>, "gcn::image_store<Bits>: texels have 8, 16, 32, 64 or 128 bits");
  using cost_type = write_cost<>;
  static constexpr write_cost<citations> sources =
      image_store::sources_of_writes(row::image_store_clocks, row::request_bytes.from);

  COALESCE_API static constexpr write_cost<> cost_of(rules::wave const& asked) {
    return image_store::write(asked, false);
  }
};

// ---- LDS and the scalar cache ----

/// The widths that exist, in bits (96 and 128 from GCN 2 on).
template <unsigned Bits>
concept ds_read_width = requires {
  sizeof(ds_read_row<Bits>);
};
/// No source tells which lanes DS_WRITE_B96 serves together.
template <unsigned Bits>
concept ds_write_width = requires {
  sizeof(ds_write_row<Bits>);
};

/// DS_READ_U8, U16, B32, B64, B96, B128 (the last two from GCN 2 on).
template <unsigned Bits>
struct ds_read : detail::if_it_exists<ds_read_width<Bits>, amd::lds_memory<Bits, ds_read_row<Bits>>> {
  static_assert(ds_read_width<Bits>,
                "gcn::ds_read<Bits>: Bits are 8, 16, 32, 64, 96 or 128 (bits of a lane, not bytes)");
};

/// DS_WRITE_B8, B16, B32, B64, B128 (the last from GCN 2 on). Not B96: no source tells which lanes it serves together.
template <unsigned Bits>
struct ds_write : detail::if_it_exists<ds_write_width<Bits>, amd::lds_memory<Bits, ds_write_row<Bits>>> {
  static_assert(ds_write_width<Bits>,
                "gcn::ds_write<Bits>: Bits are 8, 16, 32, 64 or 128 (no source tells the phases of ds_write_b96)");
};

/// S_LOAD_DWORD and x2, x4, x8, x16. One request for the whole wave, whatever its active lanes: so it has one lane, the
/// pattern is asked for lane 0 only, and no mask of the wave's lanes applies. The hardware truncates the address to a
/// dword (GCN3 ISA 7.2): we refuse such an address. Nothing else need be aligned, so x16 is one line only on a 64-byte
/// boundary.
template <unsigned Dwords>
struct s_load : rules::scalar_load<4 * Dwords> {
  static_assert(Dwords == 1 || Dwords == 2 || Dwords == 4 || Dwords == 8 || Dwords == 16,
                "gcn::s_load<Dwords>: Dwords are 1, 2, 4, 8 or 16");
};

// ---- The post's summary ----

/// Clocks of a full wave at peak. POST, "Summary of peak throughput per wave supported by data paths". The table has no
/// rows for stores and atomics, so there is no number for them.
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

}  // namespace coalescing::gcn
