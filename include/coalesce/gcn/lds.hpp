// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cost.hpp>
#include <coalesce/detail/banks.hpp>
#include <coalesce/detail/config.hpp>
#include <coalesce/detail/segments.hpp>
#include <coalesce/gcn/compute_unit.hpp>

#include <cstdint>

// GCN's local data share: 32 banks of dwords, bank = address bits 6:2 (OPT 2.2). The sources are named in gcn.hpp.
//
// Lanes that are served together (a phase) conflict where they want different dwords of one bank; the same dword is one
// access for all of them. A phase without an active lane still takes one round (counters, RCP).

namespace coalescing::gcn {

inline constexpr unsigned lds_banks = 32;
inline constexpr unsigned lds_bank_bytes = 4;

/// The widths that exist, in bits (96 and 128 from GCN 2 on).
template <unsigned Bits>
concept ds_read_width = Bits == 8 || Bits == 16 || Bits == 32 || Bits == 64 || Bits == 96 || Bits == 128;
/// No source tells which lanes DS_WRITE_B96 serves together.
template <unsigned Bits>
concept ds_write_width = ds_read_width<Bits> && Bits != 96;

namespace detail {

template <unsigned Phases>
struct consecutive {
  static constexpr auto phases = coalescing::detail::consecutive_phases<64, Phases>();
};
struct crossed {
  // lanes {0-3, 20-23} {4-7, 16-19} {8-11, 28-31} {12-15, 24-27}, and the same 32 lanes on
  static constexpr auto phases = coalescing::detail::phases<64, 8>(
      {0x0000'0000'00f0'000f, 0x0000'0000'000f'00f0, 0x0000'0000'f000'0f00, 0x0000'0000'0f00'f000,  //
       0x00f0'000f'0000'0000, 0x000f'00f0'0000'0000, 0xf000'0f00'0000'0000, 0x0f00'f000'0000'0000});
};

// The table: which lanes are served together, by instruction.
template <unsigned Bits>
struct ds_read_row : consecutive<2> {
  static constexpr source rule{"no such instruction", evidence::inferred};
};
template <>
struct ds_read_row<8> : consecutive<2> {
  static constexpr source rule{"OPT 2.2: by half waves; bytes and shorts take 4 bytes", evidence::documented};
};
template <>
struct ds_read_row<16> : ds_read_row<8> {};
template <>
struct ds_read_row<32> : consecutive<2> {
  static constexpr source rule{"OPT 2.2; RCP, LDS examples: by half waves", evidence::documented};
};
template <>
struct ds_read_row<64> : consecutive<4> {
  static constexpr source rule{
      "by quarter waves: OPT 2.2 on float2; measured on gfx942 only (amd-shark-ai empirical-lds)", evidence::inferred};
};
template <>
struct ds_read_row<128> : crossed {
  static constexpr source rule{"CK: phases of ds_read_b128", evidence::documented};
};
template <>
struct ds_read_row<96> : crossed {
  static constexpr source rule{"as ds_read_b128: measured on gfx950 only (HipKittens)", evidence::inferred};
};

template <unsigned Bits>
struct ds_write_row : ds_read_row<0> {};
template <>
struct ds_write_row<8> : consecutive<2> {
  static constexpr source rule{"as ds_read of bytes and shorts", evidence::inferred};
};
template <>
struct ds_write_row<16> : ds_write_row<8> {};
template <>
struct ds_write_row<32> : consecutive<2> {
  static constexpr source rule{"OPT 2.2: by half waves", evidence::documented};
};
template <>
struct ds_write_row<64> : consecutive<4> {
  static constexpr source rule{"by quarter waves: measured on gfx950 only (HipKittens)", evidence::inferred};
};
template <>
struct ds_write_row<128> : consecutive<8> {
  static constexpr source rule{"CK: phases of ds_write_b128", evidence::documented};
};

/// What the LDS instructions share.
template <unsigned Bits, class Row>
struct lds_memory {
  using cost_type = bank_cost<>;
  static constexpr unsigned lanes = compute_unit::lanes_per_wave;
  static constexpr unsigned bytes = Bits / 8;  ///< per lane
  /// Natural, 96 bits as 128. LLVM, SIISelLowering, allowsMisalignedMemoryAccessesImpl, up to GFX8; CLRX has the low
  /// bits dropped. GFX9 has a mode that allows less; what that costs is in no source.
  static constexpr unsigned alignment = Bits == 96 ? 16 : bytes;
  static constexpr coalescing::level level = coalescing::level::lds;
  static constexpr unsigned unit = lds_bank_bytes;
  static constexpr unsigned period = lds_banks * lds_bank_bytes;
  static constexpr bank_cost<source> sources{.rounds = Row::rule, .conflicts = Row::rule, .phases = Row::rule};

  COALESCE_API static constexpr bank_cost<> answer(access<lanes> const& asked) {
    constexpr auto phases = Row::phases;  // nvcc wants the table here, not a reference to it
    auto const degree =
        coalescing::detail::bank_conflicts<lds_banks, lds_bank_bytes>(coalescing::detail::in_order(asked), phases);
    std::uint64_t rounds = 0;
    for (unsigned const worst : degree.of) rounds += worst == 0 ? 1 : worst;
    return {.rounds = rounds, .conflicts = rounds - phases.phases, .phases = phases.phases};
  }
};

}  // namespace detail

/// DS_READ_U8, U16, B32, B64, B96, B128 (the last two from GCN 2 on).
template <unsigned Bits>
struct ds_read : detail::lds_memory<Bits, detail::ds_read_row<Bits>> {
  static_assert(ds_read_width<Bits>, "gcn::ds_read<Bits>: Bits are 8, 16, 32, 64, 96 or 128");
};

/// DS_WRITE_B8, B16, B32, B64, B128 (the last from GCN 2 on). Not B96: no source tells which lanes it serves together.
template <unsigned Bits>
struct ds_write : detail::lds_memory<Bits, detail::ds_write_row<Bits>> {
  static_assert(ds_write_width<Bits>,
                "gcn::ds_write<Bits>: Bits are 8, 16, 32, 64 or 128 (no source tells the phases of ds_write_b96)");
};

}  // namespace coalescing::gcn
