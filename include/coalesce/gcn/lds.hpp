// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cost.hpp>
#include <coalesce/detail/lds.hpp>

// GCN's local data share: 32 banks of dwords, bank = address bits 6:2 (OPT 2.2); that a phase without an active lane
// still takes one round: counters, RCP. The rule is detail/lds.hpp, the sources are named in gcn.hpp.

namespace coalescing::gcn {

inline constexpr unsigned lds_banks = 32;
using coalescing::detail::lds_bank_bytes;

/// The widths that exist, in bits (96 and 128 from GCN 2 on).
template <unsigned Bits>
concept ds_read_width = Bits == 8 || Bits == 16 || Bits == 32 || Bits == 64 || Bits == 96 || Bits == 128;
/// No source tells which lanes DS_WRITE_B96 serves together.
template <unsigned Bits>
concept ds_write_width = ds_read_width<Bits> && Bits != 96;

namespace detail {

template <unsigned Phases>
using consecutive = coalescing::detail::consecutive<lds_banks, Phases>;
using crossed = coalescing::detail::crossed<lds_banks>;

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

}  // namespace detail

/// DS_READ_U8, U16, B32, B64, B96, B128 (the last two from GCN 2 on).
template <unsigned Bits>
struct ds_read : coalescing::detail::lds_memory<Bits, detail::ds_read_row<Bits>> {
  static_assert(ds_read_width<Bits>, "gcn::ds_read<Bits>: Bits are 8, 16, 32, 64, 96 or 128");
};

/// DS_WRITE_B8, B16, B32, B64, B128 (the last from GCN 2 on). Not B96: no source tells which lanes it serves together.
template <unsigned Bits>
struct ds_write : coalescing::detail::lds_memory<Bits, detail::ds_write_row<Bits>> {
  static_assert(ds_write_width<Bits>,
                "gcn::ds_write<Bits>: Bits are 8, 16, 32, 64 or 128 (no source tells the phases of ds_write_b96)");
};

}  // namespace coalescing::gcn
