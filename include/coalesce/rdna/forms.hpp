// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/rdna/compute_unit.hpp>
#include <coalesce/rdna/global.hpp>
#include <coalesce/rdna/lds.hpp>

#include <type_traits>

// Says which forms of an instruction (widths, offsets) exist on a chip, and has the error for a form that does not
// exist. A form exists if the chip's row (rdna/rows.hpp) has the facts that the form needs.

namespace coalescing::rdna::rules {

/// Says whether a GLOBAL_* or BUFFER_* load or store of Bits bits exists on a chip and has a cost, and if not, why.
template <class Row, unsigned Bits>
struct memory_form {
  static constexpr bool has_width = amd::access_width<Bits>, exists = has_width && has_lines<Row>;
  COALESCE_API static constexpr void refuse() {
    static_assert(has_width,
                  "rdna global_load, global_store, buffer_load, buffer_store<Bits>: Bits are 8, 16, 32, 64, 96 or 128 "
                  "(of a lane, not bytes)");
    static_assert(!has_width || exists,
                  "rdna global_load, global_store, buffer_load, buffer_store: no source tells gfx1250's lines");
  }
};
/// Says whether an atomic of Bits bits in global memory exists on a chip and has a cost, and if not, why.
template <class Row, unsigned Bits>
struct atomic_form {
  static constexpr bool has_width = amd::atomic_width<Bits>, exists = has_width && has_lines<Row>;
  COALESCE_API static constexpr void refuse() {
    static_assert(has_width, "rdna global_atomic<Bits>: Bits are 32 or 64");
    static_assert(!has_width || exists, "rdna global_atomic: no source tells gfx1250's lines");
  }
};
/// Says whether a scalar load of Dwords dwords exists on a chip and has a cost, and if not, why. Loads of 3 dwords
/// exist if the chip's facts include scalar_load_b96.
template <class Row, unsigned Dwords>
struct scalar_form {
  static constexpr bool has_width = amd::scalar_width<Dwords> || (Dwords == 3 && requires { Row::scalar_load_b96; }),
                        exists = has_width && has_lines<Row>;
  COALESCE_API static constexpr void refuse() {
    static_assert(has_width, "rdna s_load<Dwords>: Dwords are 1, 2, 4, 8 or 16, and on gfx12 3");
    static_assert(!has_width || exists, "rdna s_load: no source tells gfx1250's lines");
  }
};

/// Says whether a load of Bits bits from LDS exists on a chip and has a cost, and if not, why.
template <chip Chip, unsigned Bits>
struct lds_load_form {
  static constexpr bool has_width = amd::access_width<Bits>, is_known = has_width && has_loads<row<Chip>>,
                        exists = ds_load_row_exists<Chip, Bits>;
  COALESCE_API static constexpr void refuse() {
    static_assert(has_width, "rdna ds_load<Bits>: Bits are 8, 16, 32, 64, 96 or 128 (bits of a lane, not bytes)");
    static_assert(!has_width || is_known,
                  "rdna ds_load: gfx1250 has 64 banks, and sources contradict each other: 8 lanes of 16 bytes at a "
                  "time as on GFX12 (Triton's pull request 11365), or 16 (9741)");
    static_assert(!is_known || exists,
                  "rdna ds_load<96>, ds_load<128>: no source tells which lanes RDNA 1 serves together");
  }
};
/// Says whether a store of Bits bits to LDS exists on a chip and has a cost, and if not, why.
template <chip Chip, unsigned Bits>
struct lds_store_form {
  static constexpr bool has_width = amd::access_width<Bits>, is_known = has_width && has_loads<row<Chip>>,
                        exists = ds_store_row_exists<Chip, Bits>;
  COALESCE_API static constexpr void refuse() {
    static_assert(has_width, "rdna ds_store<Bits>: Bits are 8, 16, 32, 64 or 128 (bits of a lane, not bytes)");
    static_assert(
        !has_width || is_known,
        "rdna ds_store: AMD's guide gives gfx1250 64 banks, but no source tells which lanes are served together");
    static_assert(!is_known || exists, "rdna ds_store<96>: no source tells which lanes ds_store_b96 serves together");
  }
};
/// Refuses atomics in LDS in every width, because no source tells their cost.
template <unsigned Bits>
struct lds_atomic_form {
  static constexpr bool exists = Bits == 0;
  COALESCE_API static constexpr void refuse() {
    static_assert(exists, "rdna ds_atomic: no source tells what atomics in LDS cost");
  }
};
/// Says whether an LDS instruction with two addresses for each lane exists on a chip and has a cost, and if not, why.
template <class Row, unsigned Bits, unsigned Step, unsigned O0, unsigned O1>
struct pair_form {
  using of = amd::pair_form<Row, every_rdna_chip::pair_offset.value, Bits, Step, O0, O1>;
  static constexpr bool is_known = of::has_width && has_loads<Row>, exists = is_known && of::is_inside;
  COALESCE_API static constexpr void refuse() {
    static_assert(of::has_width,
                  "rdna ds_load_2addr, ds_store_2addr<Bits, O0, O1>: Bits are 32 or 64, those at one address");
    static_assert(!of::has_width || is_known,
                  "rdna ds_load_2addr, ds_store_2addr: Triton's padding for gfx1250 has conflicts between the two "
                  "addresses of a lane, and no source tells which lanes are served together");
    static_assert(!is_known || of::has_offsets,
                  "rdna ds_load_2addr, ds_store_2addr<Bits, O0, O1>: offsets are 0 to 255, in elements of "
                  "Bits (stride64: in 64)");
    static_assert(!is_known || !of::has_offsets || exists,
                  "rdna ds_load_2addr, ds_store_2addr<Bits, O0, O1>: an offset leads past the end of LDS from "
                  "byte 0 already");
  }
};

// ---- Chips whose instructions no source describes, and wave sizes that a chip lacks ----

/// Whether a chip has instructions in waves of `Lanes` lanes. A chip of which only the name and the size of LDS are
/// known has none.
template <chip Chip, unsigned Lanes>
inline constexpr bool has_instructions = false;
template <chip Chip, unsigned Lanes>
requires(!is_only_named<Chip>) inline constexpr bool has_instructions<Chip, Lanes> = wave_exists<row<Chip>, Lanes>;

/// Stands in the place of an instruction that is refused, because no source describes the chip's instructions or
/// because the chip has no waves of this size.
template <chip Chip, unsigned Lanes>
struct no_form {
  static constexpr bool exists = false;
  COALESCE_API static constexpr void refuse() {
    static_assert(!is_only_named<Chip>,
                  "rdna: for gfx1170, gfx1171, gfx1172 and gfx1310, sources tell only how much LDS a work-group has");
    static_assert(is_only_named<Chip> || has_instructions<Chip, Lanes>,
                  "rdna wave64: waves of gfx1250 have 32 lanes only");
  }
};

/// Stands in the place of compute_unit, the base class of a chip's wave64, if the chip has no waves of 64 lanes. Here
/// occupancy() is refused.
template <chip Chip>
struct no_compute_unit {
  [[nodiscard]] COALESCE_API static constexpr waves_per_simd occupancy(kernel_resources const&,
                                                                       rdna::environment<machine<Chip>> const&) {
    return no_form<Chip, 64>::refuse(), waves_per_simd{};
  }
};

}  // namespace coalescing::rdna::rules
