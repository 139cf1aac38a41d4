// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/lds.hpp>
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/rdna/lds_rows.hpp>
#include <coalesce/rdna/rows.hpp>

#include <type_traits>

// LDS of RDNA: the rule of amd/lds.hpp on 32 banks, and what no source tells, refused by name. The figures are in
// rdna/rows.hpp, the instructions in rdna.hpp.

namespace coalescing::rdna::rules {

/// A row is that of a wave of 32 lanes.
template <class Row, unsigned Lanes>
using row_of_wave = std::conditional_t<Lanes == 32, std::type_identity<Row>, std::type_identity<of_wave64<Row>>>;
template <chip Chip, unsigned Bits>
concept ds_load_row_exists = requires {
  ds_load_row<Chip, Bits>::phases;
};
template <chip Chip, unsigned Bits>
concept ds_store_row_exists = requires {
  ds_store_row<Chip, Bits>::phases;
};

/// Whether the phases of DS_LOAD are known; one sentence where they are not.
template <chip Chip, unsigned Bits>
COALESCE_API constexpr bool ds_load_is_known() {
  constexpr bool width = Bits == 8 || Bits == 16 || Bits == 32 || Bits == 64 || Bits == 96 || Bits == 128,
                 chip_is_known = has_loads<row<Chip>>, asked = width && chip_is_known;
  static_assert(width, "rdna ds_load<Bits>: Bits are 8, 16, 32, 64 or 128 (bits of a lane, not bytes)");
  static_assert(
      !width || chip_is_known,
      "rdna ds_load: AMD's guide gives gfx1250 64 banks, but no source tells which lanes are served together");
  static_assert(!asked || Bits != 96, "rdna ds_load<96>: no source tells which lanes ds_load_b96 serves together");
  static_assert(!asked || Bits != 128 || ds_load_row_exists<Chip, 128>,
                "rdna ds_load<128>: known of gfx1100, gfx1151 and gfx1201 only, and these differ");
  return ds_load_row_exists<Chip, Bits>;
}
/// The same of DS_STORE.
template <chip Chip, unsigned Bits>
COALESCE_API constexpr bool ds_store_is_known() {
  constexpr bool width = Bits == 8 || Bits == 16 || Bits == 32 || Bits == 64 || Bits == 96 || Bits == 128,
                 chip_is_known = has_loads<row<Chip>>, asked = width && chip_is_known,
                 was_measured = has_stores<row<Chip>>;
  static_assert(width, "rdna ds_store<Bits>: Bits are 16, 32, 64 or 128 (bits of a lane, not bytes)");
  static_assert(
      !width || chip_is_known,
      "rdna ds_store: AMD's guide gives gfx1250 64 banks, but no source tells which lanes are served together");
  static_assert(!asked || was_measured,
                "rdna ds_store: which lanes are served together is known of gfx1100 and gfx1151 only");
  static_assert(!asked || !was_measured || (Bits != 8 && Bits != 96),
                "rdna ds_store<8>, ds_store<96>: no source tells which lanes they serve together");
  return ds_store_row_exists<Chip, Bits>;
}

/// The rule, where the instruction is known of a wave of so many lanes.
template <bool Known, unsigned Lanes, unsigned Bits, template <chip, unsigned> class Row, chip Chip>
struct lds_access : coalescing::detail::missing {};
template <unsigned Lanes, unsigned Bits, template <chip, unsigned> class Row, chip Chip>
struct lds_access<true, Lanes, Bits, Row, Chip>
    : amd::lds_memory<Bits, typename row_of_wave<Row<Chip, Bits>, Lanes>::type> {};

template <chip Chip, unsigned Lanes, unsigned Bits>
using ds_load =
    lds_access<wave_exists<row<Chip>, Lanes> && ds_load_is_known<Chip, Bits>(), Lanes, Bits, ds_load_row, Chip>;
template <chip Chip, unsigned Lanes, unsigned Bits>
using ds_store =
    lds_access<wave_exists<row<Chip>, Lanes> && ds_store_is_known<Chip, Bits>(), Lanes, Bits, ds_store_row, Chip>;

/// Forms that exist on every chip, and of which no source tells what they cost on any. (No width is 0.)
struct unknown_lds_forms {
  template <unsigned Bits, unsigned O0, unsigned O1>
  struct ds_load_2addr {
    static_assert(Bits == 0, "rdna ds_load_2addr: no source tells which lanes two-address loads serve together");
  };
  template <unsigned Bits, unsigned O0, unsigned O1>
  struct ds_load_2addr_stride64 {
    static_assert(Bits == 0, "rdna ds_load_2addr: no source tells which lanes two-address loads serve together");
  };
  template <unsigned Bits, unsigned O0, unsigned O1>
  struct ds_store_2addr {
    static_assert(Bits == 0, "rdna ds_store_2addr: no source tells which lanes two-address stores serve together");
  };
  template <unsigned Bits, unsigned O0, unsigned O1>
  struct ds_store_2addr_stride64 {
    static_assert(Bits == 0, "rdna ds_store_2addr: no source tells which lanes two-address stores serve together");
  };
  template <unsigned Bits>
  struct ds_atomic {
    static_assert(Bits == 0, "rdna ds_atomic: no source tells what atomics in LDS cost");
  };
};

}  // namespace coalescing::rdna::rules
