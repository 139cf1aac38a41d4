// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna/compute_unit.hpp>
#include <coalesce/cdna/cost.hpp>
#include <coalesce/cost.hpp>
#include <coalesce/detail/config.hpp>
#include <coalesce/detail/lds.hpp>
#include <coalesce/detail/segments.hpp>
#include <coalesce/misuse.hpp>

#include <cstdint>

// What the memory instructions of CDNA 2 (global memory only), 3 and 4 do with a wave's addresses: the table, then the
// instructions. The sources are named in cdna.hpp.

namespace coalescing::cdna {

enum class chip { gfx90a, gfx942, gfx950 };

namespace detail {

// ---- Global memory: requests between L1 and L2 ----

template <chip Chip>
struct global_row;
template <>
struct global_row<chip::gfx90a> {
  static constexpr unsigned line_bytes = 64;
  static constexpr source lines{"64 bytes a request: PROF; that a wave makes one for each line: inferred",
                                evidence::inferred};
  static constexpr source writes = lines;
};
template <>
struct global_row<chip::gfx942> {
  static constexpr unsigned line_bytes = 128;
  static constexpr source lines{
      "L1 lines of 128 bytes: WP3; 128 bytes a read request: PROF; that a wave makes one for each line: inferred",
      evidence::inferred};
  static constexpr source writes{
      "64 bytes a write or atomic request: PROF; that a wave makes one for each piece: inferred", evidence::inferred};
};
template <>
struct global_row<chip::gfx950> {
  static constexpr unsigned line_bytes = 128;
  static constexpr source lines{"L1 lines of 128 bytes: CD4; that a wave makes one request for each: inferred",
                                evidence::inferred};
  static constexpr source writes{"as gfx942 (PROF)", evidence::inferred};
};

// ---- LDS: banks, and which lanes are served together, by instruction ----

template <chip Chip>
struct compute_unit_row;
template <>
struct compute_unit_row<chip::gfx90a> {};
template <>
struct compute_unit_row<chip::gfx942> : compute_unit<32, 512> {};
template <>
struct compute_unit_row<chip::gfx950> : compute_unit<64, 1280> {};

template <chip Chip, unsigned Bits>
struct ds_read_row : coalescing::detail::consecutive<32, 1> {
  static constexpr source rule{"no such instruction", evidence::inferred};
};
template <chip Chip, unsigned Bits>
struct ds_write_row : ds_read_row<Chip, 0> {};
template <chip Chip, unsigned Bits>
struct ds_read_tr_row : ds_read_row<Chip, 0> {};

// gfx942: 32 banks (ISA3, CK, PROF).
template <>
struct ds_read_row<chip::gfx942, 32> : coalescing::detail::consecutive<32, 2> {
  static constexpr source rule{"LDSM on MI300X; PROF: half waves", evidence::measured};
};
template <>
struct ds_read_row<chip::gfx942, 16> : ds_read_row<chip::gfx942, 32> {
  static constexpr source rule{"as ds_read_b32", evidence::inferred};
};
template <>
struct ds_read_row<chip::gfx942, 8> : ds_read_row<chip::gfx942, 16> {};
template <>
struct ds_read_row<chip::gfx942, 64> : coalescing::detail::consecutive<32, 4> {
  static constexpr source rule{"LDSM on MI300X: quarter waves", evidence::measured};
};
template <>
struct ds_read_row<chip::gfx942, 96> : coalescing::detail::crossed<32> {
  static constexpr source rule{"as ds_read_b128; measured on gfx950 only (HK)", evidence::inferred};
};
template <>
struct ds_read_row<chip::gfx942, 128> : coalescing::detail::crossed<32> {
  static constexpr source rule{"CK: phases of ds_read_b128; LDSM on MI300X agrees", evidence::documented};
};
template <>
struct ds_write_row<chip::gfx942, 32> : coalescing::detail::consecutive<32, 2> {
  static constexpr source rule{"half waves as ds_read_b32", evidence::inferred};
};
template <>
struct ds_write_row<chip::gfx942, 16> : ds_write_row<chip::gfx942, 32> {};
template <>
struct ds_write_row<chip::gfx942, 8> : ds_write_row<chip::gfx942, 32> {};
template <>
struct ds_write_row<chip::gfx942, 64> : coalescing::detail::consecutive<32, 4> {
  static constexpr source rule{"quarter waves: measured on gfx950 only (HK)", evidence::inferred};
};
template <>
struct ds_write_row<chip::gfx942, 128> : coalescing::detail::consecutive<32, 8> {
  static constexpr source rule{"CK: phases of ds_write_b128; LDSM on MI300X agrees", evidence::documented};
};

// gfx950: 64 banks (ISA4 2.2.1, 11.1), of which some instructions use 32 at a time.
template <>
struct ds_read_row<chip::gfx950, 32> : coalescing::detail::consecutive<64, 1> {
  static constexpr source rule{"LDSM on MI350X: the whole wave, 64 banks", evidence::measured};
};
template <>
struct ds_read_row<chip::gfx950, 16> : ds_read_row<chip::gfx950, 32> {
  static constexpr source rule{"as ds_read_b32", evidence::inferred};
};
template <>
struct ds_read_row<chip::gfx950, 8> : ds_read_row<chip::gfx950, 16> {};
template <>
struct ds_read_row<chip::gfx950, 64> : coalescing::detail::consecutive<64, 2> {
  static constexpr source rule{"HK; LDSM on MI350X: half waves, 64 banks", evidence::measured};
};
template <>
struct ds_read_row<chip::gfx950, 96> : coalescing::detail::crossed<32> {
  static constexpr source rule{"HK: eight phases, 32 banks", evidence::measured};
};
template <>
struct ds_read_row<chip::gfx950, 128> {
  static constexpr unsigned banks = 64;
  // lanes {0-3, 12-15, 20-23, 24-27} {4-7, 8-11, 16-19, 28-31}, and the same 32 lanes on
  static constexpr auto phases = coalescing::detail::phases<64, 4>(
      {0x0000'0000'0ff0'f00f, 0x0000'0000'f00f'0ff0, 0x0ff0'f00f'0000'0000, 0xf00f'0ff0'0000'0000});
  static constexpr source rule{"HK; LDSM on MI350X: four phases, 64 banks", evidence::measured};
};
template <>
struct ds_read_tr_row<chip::gfx950, 64> : coalescing::detail::consecutive<64, 2> {
  static constexpr source rule{"PT, of ds_read_b64_tr_b16: half waves, 64 banks, as ds_read_b64", evidence::measured};
};
template <>
struct ds_write_row<chip::gfx950, 32> : coalescing::detail::consecutive<32, 2> {
  static constexpr source rule{"half waves, 32 banks, as the wider writes", evidence::inferred};
};
template <>
struct ds_write_row<chip::gfx950, 16> : ds_write_row<chip::gfx950, 32> {};
template <>
struct ds_write_row<chip::gfx950, 8> : ds_write_row<chip::gfx950, 32> {};
template <>
struct ds_write_row<chip::gfx950, 64> : coalescing::detail::consecutive<32, 4> {
  static constexpr source rule{"HK: quarter waves, 32 banks", evidence::measured};
};
template <>
struct ds_write_row<chip::gfx950, 128> : coalescing::detail::consecutive<32, 8> {
  static constexpr source rule{"as gfx942 (CK)", evidence::inferred};
};

// ---- What the instructions share ----

template <chip Chip, unsigned Bits>
struct global_memory {
  static constexpr unsigned lanes = lanes_per_wave;
  static constexpr unsigned bytes = Bits / 8;  ///< per lane
  /// That of a dword, or of a narrower access itself. What less costs, where the driver's mode allows it, is in no
  /// source.
  static constexpr unsigned alignment = bytes < 4 ? bytes : 4;
  static constexpr coalescing::level level = coalescing::level::l2;  ///< requests from L1
  static constexpr unsigned period = global_row<Chip>::line_bytes;
  static constexpr source quads{
      "PROF's coalescing percentage: 16 accesses of L1 for a coalesced wave, 64 for one that is not",
      evidence::inferred};
  static constexpr source by_definition = coalescing::detail::counted_from_the_addresses;

  /// Distinct aligned pieces of `size` bytes.
  COALESCE_API static constexpr load_cost<> count(coalescing::detail::ordered<lanes> const& in_order,
                                                  std::uint64_t active, unsigned size) {
    auto const pieces = coalescing::detail::count_segments(in_order, size);
    return {pieces, pieces * size, coalescing::detail::count_bytes(in_order),
            coalescing::detail::active_groups(active, 4)};
  }
  COALESCE_API static constexpr auto list_pieces(access<lanes> const& asked, unsigned size) {
    constexpr unsigned most = bytes <= alignment ? lanes : 2 * lanes;  // a wider access may straddle two
    return coalescing::detail::segments_of<most>(asked, size);
  }
};

/// Stores and atomics. Atomics are naturally aligned (LLVM).
template <chip Chip, unsigned Bits, bool Atomic>
struct global_write : global_memory<Chip, Bits> {
  using cost_type = write_cost<>;
  using memory = global_memory<Chip, Bits>;
  static constexpr unsigned lanes = memory::lanes;
  static constexpr unsigned alignment = Atomic ? Bits / 8 : memory::alignment;
  static constexpr unsigned unit = 64;
  static constexpr unsigned period = unit;
  static constexpr source rule = global_row<Chip>::writes;
  static constexpr write_cost<source> sources{
      .transactions = rule,
      .bytes_moved = rule,
      .bytes_used = memory::by_definition,
      .quads = memory::quads,
      .operations = Atomic
                        ? memory::by_definition
                        : source{"as on GCN (GPUOpen): lanes that store to one address collapse", evidence::inferred}};

  COALESCE_API static constexpr auto list(access<lanes> const& asked) { return memory::list_pieces(asked, unit); }
  COALESCE_API static constexpr write_cost<> answer(access<lanes> const& asked) {
    auto const in_order = coalescing::detail::in_order(asked);
    auto const pieces = memory::count(in_order, asked.active, unit);
    return {pieces.transactions, pieces.bytes_moved, pieces.bytes_used, pieces.quads,
            Atomic ? in_order.count : coalescing::detail::count_addresses(in_order)};
  }
};

}  // namespace detail

/// The widths of a global access or LDS read, in bits.
template <unsigned Bits>
concept access_width = Bits == 8 || Bits == 16 || Bits == 32 || Bits == 64 || Bits == 96 || Bits == 128;
/// No source tells which lanes DS_WRITE_B96 serves together.
template <unsigned Bits>
concept ds_write_width = access_width<Bits> && Bits != 96;

/// The instructions of a chip; cdna::gfx942 and so on name them. The LDS of gfx90a is not modelled: no source tells its
/// phases.
template <chip Chip>
struct machine : detail::compute_unit_row<Chip> {
  static constexpr bool lds_is_modelled = Chip != chip::gfx90a;

  /// GLOBAL_LOAD_*: Bits per lane.
  template <unsigned Bits>
  struct global_load : detail::global_memory<Chip, Bits> {
    static_assert(access_width<Bits>, "cdna global_load<Bits>: Bits are 8, 16, 32, 64, 96 or 128");
    using cost_type = load_cost<>;
    using memory = detail::global_memory<Chip, Bits>;
    static constexpr unsigned lanes = memory::lanes;
    static constexpr unsigned unit = detail::global_row<Chip>::line_bytes;
    static constexpr load_cost<source> sources{.transactions = detail::global_row<Chip>::lines,
                                               .bytes_moved = detail::global_row<Chip>::lines,
                                               .bytes_used = memory::by_definition,
                                               .quads = memory::quads};

    COALESCE_API static constexpr auto list(access<lanes> const& asked) { return memory::list_pieces(asked, unit); }
    COALESCE_API static constexpr load_cost<> answer(access<lanes> const& asked) {
      return memory::count(coalescing::detail::in_order(asked), asked.active, unit);
    }
  };

  /// GLOBAL_STORE_*: Bits per lane.
  template <unsigned Bits>
  struct global_store : detail::global_write<Chip, Bits, false> {
    static_assert(access_width<Bits>, "cdna global_store<Bits>: Bits are 8, 16, 32, 64, 96 or 128");
  };

  /// GLOBAL_ATOMIC_* of 32 or 64 bits. They pass L1; where they are done if the agent has several L2s is in no
  /// document.
  template <unsigned Bits>
  struct global_atomic : detail::global_write<Chip, Bits, true> {
    static_assert(Bits == 32 || Bits == 64, "cdna global_atomic<Bits>: Bits are 32 or 64");
  };

  /// DS_READ_U8, U16, B32, B64, B96, B128. `conflicts` is what the counter SQ_LDS_BANK_CONFLICT counts, `rounds` what
  /// SQ_LDS_IDX_ACTIVE does (PROF; agrees with the counters of MI300X for strided reads of 32, 64 and 128 bits).
  template <unsigned Bits>
  struct ds_read : coalescing::detail::lds_memory<Bits, detail::ds_read_row<Chip, Bits>> {
    static_assert(lds_is_modelled, "cdna ds_read: no source tells the LDS phases of gfx90a");
    static_assert(access_width<Bits>, "cdna ds_read<Bits>: Bits are 8, 16, 32, 64, 96 or 128");
  };

  /// DS_WRITE_B8, B16, B32, B64, B128. Not B96: no source tells which lanes it serves together.
  template <unsigned Bits>
  struct ds_write : coalescing::detail::lds_memory<Bits, detail::ds_write_row<Chip, Bits>> {
    static_assert(lds_is_modelled, "cdna ds_write: no source tells the LDS phases of gfx90a");
    static_assert(ds_write_width<Bits>,
                  "cdna ds_write<Bits>: Bits are 8, 16, 32, 64 or 128 (no source tells the phases of ds_write_b96)");
  };

  /// DS_READ_B64_TR_B16: every lane reads 64 bits and receives others' (gfx950). All 64 lanes must be active. That
  /// _TR_B8 and _TR_B4 have the same phases is inferred.
  template <unsigned Bits>
  struct ds_read_tr : coalescing::detail::lds_memory<Bits, detail::ds_read_tr_row<Chip, Bits>> {
    static_assert(Chip == chip::gfx950, "cdna ds_read_tr: only gfx950 has transpose loads");
    static_assert(Bits == 64, "cdna ds_read_tr<Bits>: modelled are 64 bits (no source tells the phases of b96_tr_b6)");
    using memory = coalescing::detail::lds_memory<Bits, detail::ds_read_tr_row<Chip, Bits>>;

    COALESCE_API static constexpr bank_cost<> answer(access<memory::lanes> const& asked) {
      if (asked.active != all_lanes) refused::transpose_loads_need_every_lane();
      return memory::answer(asked);
    }
  };

  /// Atomics in LDS, of 32 or 64 bits.
  template <unsigned Bits>
  struct ds_atomic {
    static_assert(lds_is_modelled, "cdna ds_atomic: the LDS of gfx90a is not modelled");
    static_assert(Bits == 32 || Bits == 64, "cdna ds_atomic<Bits>: Bits are 32 or 64");
    using cost_type = lds_atomic_cost<>;
    static constexpr unsigned lanes = cdna::lanes_per_wave;
    static constexpr unsigned bytes = Bits / 8;  ///< per lane
    static constexpr unsigned alignment = bytes;
    static constexpr coalescing::level level = coalescing::level::lds;
    static constexpr unsigned unit = bytes;
    static constexpr unsigned period = bytes;
    static constexpr lds_atomic_cost<source> sources{
        .operations = coalescing::detail::counted_from_the_addresses,
        .lanes_on_one_address = {"PROF: atomics on one address are address conflicts, and serialize",
                                 evidence::documented}};

    COALESCE_API static constexpr lds_atomic_cost<> answer(access<lanes> const& asked) {
      auto const in_order = coalescing::detail::in_order(asked);
      return {in_order.count, coalescing::detail::most_on_one_address(in_order)};
    }
  };
};

using gfx90a = machine<chip::gfx90a>;
using gfx942 = machine<chip::gfx942>;
using gfx950 = machine<chip::gfx950>;

}  // namespace coalescing::cdna
