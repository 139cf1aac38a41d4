// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/lds.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/core/name.hpp>
#include <coalesce/core/pattern.hpp>
#include <coalesce/engine/footprint.hpp>
#include <coalesce/rdna/bits.hpp>
#include <coalesce/rdna/caches.hpp>
#include <coalesce/rdna/compute_unit.hpp>
#include <coalesce/rdna/costs.hpp>
#include <coalesce/rdna/counters.hpp>
#include <coalesce/rdna/environment.hpp>
#include <coalesce/rdna/generations.hpp>
#include <coalesce/rdna/global.hpp>
#include <coalesce/rdna/issued.hpp>
#include <coalesce/rdna/lds.hpp>
#include <coalesce/rdna/maintenance.hpp>
#include <coalesce/rdna/products.hpp>
#include <coalesce/rdna/rows.hpp>
#include <coalesce/rdna/synchronize.hpp>

// AMD RDNA 1 to 4 (gfx10, gfx11, gfx12) and gfx1250 (CDNA 5). A chip has instructions of waves of 32 lanes, under
// wave64 of waves of 64, and occupancy. The headers above have wait counters, release and acquire, and cache control.
// The facts and their sources are in rdna/rows.hpp, the numbers in rdna/costs.hpp; rdna/README.md is the page.

namespace coalescing::rdna {

namespace rules {

// ---- Widths ----

/// The widths of instructions of LDS and global memory, in bits of a lane.
template <unsigned Bits>
inline constexpr bool memory_width = Bits == 8 || Bits == 16 || Bits == 32 || Bits == 64 || Bits == 96 || Bits == 128;
template <unsigned Bits>
inline constexpr bool atomic_width = Bits == 32 || Bits == 64;
/// The sizes of a scalar load, in dwords. The row has scalar_load_b96 where 3 dwords exist.
template <class Row, unsigned Dwords>
inline constexpr bool scalar_width = Dwords == 1 || Dwords == 2 || Dwords == 4 || Dwords == 8 || Dwords == 16 ||
                                     (Dwords == 3 && requires { Row::scalar_load_b96; });
/// Whether the width exists, and the chip is one for which the phases of some widths are known.
template <class Row, unsigned Bits>
inline constexpr bool lds_is_known = memory_width<Bits>&& has_loads<Row>;

// ---- Unknown instructions: none exists, and each has one sentence (no width is 0) ----

/// Forms that every chip has, and whose cost is not known for any chip.
struct unknown_lds_forms {
  template <unsigned Bits>
  struct ds_atomic : coalescing::detail::exists_if<false, void, ds_atomic<Bits>> {
    COALESCE_API static constexpr void refuse() {
      static_assert(Bits == 0, "rdna ds_atomic: no source tells what atomics in LDS cost");
    }
  };
};

/// Every instruction of a chip that is only named: all that is known is the size of its LDS.
template <unsigned Width>
struct unknown_of_the_chip : coalescing::detail::exists_if<false, void, unknown_of_the_chip<Width>> {
  COALESCE_API static constexpr void refuse() {
    static_assert(Width == 0,
                  "rdna: for gfx1170, gfx1171, gfx1172 and gfx1310, sources tell only how much LDS a work-group has");
  }
};
/// Every instruction of a wave64 that does not exist. wave64 itself prints the sentence.
struct said_by_wave64 {
  COALESCE_API static constexpr void refuse() {}
};
template <unsigned>
using missing_with_its_wave = coalescing::detail::exists_if<false, void, said_by_wave64>;

template <template <unsigned> class Missing>
struct every_instruction : unknown_lds_forms {
  template <unsigned Bits>
  using ds_load = Missing<Bits>;
  template <unsigned Bits>
  using ds_store = Missing<Bits>;
  template <unsigned Bits, unsigned O0, unsigned O1>
  using ds_load_2addr = Missing<Bits>;
  template <unsigned Bits, unsigned O0, unsigned O1>
  using ds_load_2addr_stride64 = Missing<Bits>;
  template <unsigned Bits, unsigned O0, unsigned O1>
  using ds_store_2addr = Missing<Bits>;
  template <unsigned Bits, unsigned O0, unsigned O1>
  using ds_store_2addr_stride64 = Missing<Bits>;
  template <unsigned Bits>
  using global_load = Missing<Bits>;
  template <unsigned Bits>
  using global_store = Missing<Bits>;
  template <unsigned Bits>
  using buffer_load = Missing<Bits>;
  template <unsigned Bits>
  using buffer_store = Missing<Bits>;
  template <unsigned Bits>
  using global_atomic = Missing<Bits>;
  template <unsigned Dwords>
  using s_load = Missing<Dwords>;
};

/// Which two-address forms exist and are known.
template <class Row, unsigned Bits, unsigned Step, unsigned O0, unsigned O1>
struct pair_form {
  static constexpr bool has_width = Bits == 32 || Bits == 64,
                        has_offsets =
                            O0 <= every_rdna_chip::pair_offset.value && O1 <= every_rdna_chip::pair_offset.value,
                        is_inside = ((O0 > O1 ? O0 : O1) * Step + 1) * (Bits / 8) <= Row::lds_bytes.value,
                        exists = has_width && has_loads<Row> && has_offsets && is_inside;

  COALESCE_API static constexpr void refuse() {
    static_assert(has_width,
                  "rdna ds_load_2addr, ds_store_2addr<Bits, O0, O1>: Bits are 32 or 64, those at one address");
    static_assert(!has_width || has_loads<Row>,
                  "rdna ds_load_2addr, ds_store_2addr: Triton's padding for gfx1250 has conflicts between the two "
                  "addresses of a lane, and no source tells which lanes are served together");
    static_assert(!has_width || !has_loads<Row> || has_offsets,
                  "rdna ds_load_2addr, ds_store_2addr<Bits, O0, O1>: offsets are 0 to 255, in elements of "
                  "Bits (stride64: in 64)");
    static_assert(!has_width || !has_loads<Row> || !has_offsets || exists,
                  "rdna ds_load_2addr, ds_store_2addr<Bits, O0, O1>: an offset leads past the end of LDS from "
                  "byte 0 already");
  }
};
/// The base of a two-address form.
template <chip Chip, unsigned Lanes, unsigned Bits, unsigned Step, unsigned O0, unsigned O1,
          class Form = pair_form<rdna::row<Chip>, Bits, Step, O0, O1>>
using pair_if_it_exists = coalescing::detail::exists_if<Form::exists, lds_pair<Lanes, Chip, Bits, Step, O0, O1>, Form>;

// ---- The instructions ----

/// The instructions of a chip in waves of 32 or 64 lanes. A wave of 64 is two halves, lanes 0 to 31 and 32 to 63, one
/// after the other. Each instruction refuses a width that does not exist, and what no source tells of the chip.
template <chip Chip, unsigned Lanes>
struct instructions : unknown_lds_forms {
  using row = rdna::row<Chip>;
  static constexpr machine_name identity{{.name = "rdna"}, row::name, 0, Lanes == 64 ? "wave64" : ""};

  /// DS_LOAD_U8, U16, B32, B64, B96, B128 (gfx10: DS_READ_*): Bits of each lane. B96 and B128 are not known of RDNA 1.
  template <unsigned Bits>
  struct ds_load : coalescing::detail::exists_if<ds_load_row_exists<Chip, Bits>,
                                                 lds_access<Lanes, Bits, ds_load_row, Chip>, ds_load<Bits>> {
    static constexpr instruction_name called{identity, "ds_load", {Bits}};
    COALESCE_API static constexpr void refuse() {
      static_assert(memory_width<Bits>,
                    "rdna ds_load<Bits>: Bits are 8, 16, 32, 64, 96 or 128 (bits of a lane, not bytes)");
      static_assert(!memory_width<Bits> || has_loads<row>,
                    "rdna ds_load: gfx1250 has 64 banks, and sources contradict each other: 8 lanes of 16 bytes at a "
                    "time as on GFX12 (Triton's pull request 11365), or 16 (9741)");
      static_assert(!lds_is_known<row, Bits> || ds_load::exists,
                    "rdna ds_load<96>, ds_load<128>: no source tells which lanes RDNA 1 serves together");
    }
  };
  /// DS_STORE_B8, B16, B32, B64, B128 (gfx10: DS_WRITE_*): Bits of each lane. Not B96: no source tells which lanes it
  /// serves together.
  template <unsigned Bits>
  struct ds_store : coalescing::detail::exists_if<ds_store_row_exists<Chip, Bits>,
                                                  lds_access<Lanes, Bits, ds_store_row, Chip>, ds_store<Bits>> {
    static constexpr instruction_name called{identity, "ds_store", {Bits}};
    COALESCE_API static constexpr void refuse() {
      static_assert(memory_width<Bits>,
                    "rdna ds_store<Bits>: Bits are 8, 16, 32, 64 or 128 (bits of a lane, not bytes)");
      static_assert(
          !memory_width<Bits> || has_loads<row>,
          "rdna ds_store: AMD's guide gives gfx1250 64 banks, but no source tells which lanes are served together");
      static_assert(!lds_is_known<row, Bits> || ds_store::exists,
                    "rdna ds_store<96>: no source tells which lanes ds_store_b96 serves together");
    }
  };
  /// DS_LOAD_2ADDR_B32, B64 (gfx10: DS_READ2): two accesses of Bits for each lane, O0 and O1 elements beyond its
  /// address; offsets are 0 to 255. Aligned as one element.
  template <unsigned Bits, unsigned O0, unsigned O1>
  struct ds_load_2addr : pair_if_it_exists<Chip, Lanes, Bits, 1, O0, O1> {
    static constexpr instruction_name called{identity, "ds_load_2addr", {Bits, O0, O1}};
  };
  /// DS_LOAD_2ADDR_STRIDE64_B32, B64: the offsets are 64 elements each.
  template <unsigned Bits, unsigned O0, unsigned O1>
  struct ds_load_2addr_stride64 : pair_if_it_exists<Chip, Lanes, Bits, 64, O0, O1> {
    static constexpr instruction_name called{identity, "ds_load_2addr_stride64", {Bits, O0, O1}};
  };
  /// DS_STORE_2ADDR_B32, B64 (gfx10: DS_WRITE2).
  template <unsigned Bits, unsigned O0, unsigned O1>
  struct ds_store_2addr : pair_if_it_exists<Chip, Lanes, Bits, 1, O0, O1> {
    static constexpr instruction_name called{identity, "ds_store_2addr", {Bits, O0, O1}};
  };
  /// DS_STORE_2ADDR_STRIDE64_B32, B64.
  template <unsigned Bits, unsigned O0, unsigned O1>
  struct ds_store_2addr_stride64 : pair_if_it_exists<Chip, Lanes, Bits, 64, O0, O1> {
    static constexpr instruction_name called{identity, "ds_store_2addr_stride64", {Bits, O0, O1}};
  };
  /// GLOBAL_LOAD_*: 8 to 128 Bits of each lane. On gfx1030 those of 32 and 64 bits have `clocks`.
  template <unsigned Bits>
  struct global_load : coalescing::detail::exists_if<memory_width<Bits> && has_lines<row>,
                                                     rules::global_load<row, Lanes, Bits>, global_load<Bits>> {
    static constexpr instruction_name called{identity, "global_load", {Bits}};
    COALESCE_API static constexpr void refuse() {
      static_assert(memory_width<Bits>,
                    "rdna global_load, global_store<Bits>: Bits are 8, 16, 32, 64, 96 or 128 (of a lane, not bytes)");
      static_assert(!memory_width<Bits> || global_load::exists,
                    "rdna global_load, global_store: no source tells gfx1250's lines");
    }
  };
  /// GLOBAL_STORE_*: 8 to 128 Bits of each lane.
  template <unsigned Bits>
  struct global_store : coalescing::detail::exists_if<memory_width<Bits> && has_lines<row>,
                                                      global_access<row, Lanes, Bits>, global_store<Bits>> {
    static constexpr instruction_name called{identity, "global_store", {Bits}};
    COALESCE_API static constexpr void refuse() {
      static_assert(memory_width<Bits>,
                    "rdna global_load, global_store<Bits>: Bits are 8, 16, 32, 64, 96 or 128 (of a lane, not bytes)");
      static_assert(!memory_width<Bits> || global_store::exists,
                    "rdna global_load, global_store: no source tells gfx1250's lines");
    }
  };
  /// BUFFER_LOAD_U8, U16, B32 to B128 (gfx10: UBYTE, USHORT, DWORD, ...): 8 to 128 Bits of each lane, as global_load.
  /// The pattern gives addresses in memory: the descriptor's base and all offsets added up. A lane out of the
  /// descriptor's range reads 0 and is not active here. No clocks.
  template <unsigned Bits>
  struct buffer_load : coalescing::detail::exists_if<memory_width<Bits> && has_lines<row>,
                                                     buffer_access<row, Lanes, Bits>, buffer_load<Bits>> {
    static constexpr instruction_name called{identity, "buffer_load", {Bits}};
    COALESCE_API static constexpr void refuse() {
      static_assert(memory_width<Bits>,
                    "rdna buffer_load, buffer_store<Bits>: Bits are 8, 16, 32, 64, 96 or 128 (of a lane, not bytes)");
      static_assert(!memory_width<Bits> || buffer_load::exists,
                    "rdna buffer_load, buffer_store: no source tells gfx1250's lines");
    }
  };
  /// BUFFER_STORE_*: 8 to 128 Bits of each lane, at the addresses of buffer_load.
  template <unsigned Bits>
  struct buffer_store : coalescing::detail::exists_if<memory_width<Bits> && has_lines<row>,
                                                      buffer_access<row, Lanes, Bits>, buffer_store<Bits>> {
    static constexpr instruction_name called{identity, "buffer_store", {Bits}};
    COALESCE_API static constexpr void refuse() {
      static_assert(memory_width<Bits>,
                    "rdna buffer_load, buffer_store<Bits>: Bits are 8, 16, 32, 64, 96 or 128 (of a lane, not bytes)");
      static_assert(!memory_width<Bits> || buffer_store::exists,
                    "rdna buffer_load, buffer_store: no source tells gfx1250's lines");
    }
  };
  /// GLOBAL_ATOMIC_* of 32 or 64 bits. L2 does them.
  template <unsigned Bits>
  struct global_atomic : coalescing::detail::exists_if<atomic_width<Bits> && has_lines<row>,
                                                       rules::global_atomic<row, Lanes, Bits>, global_atomic<Bits>> {
    static constexpr instruction_name called{identity, "global_atomic", {Bits}};
    COALESCE_API static constexpr void refuse() {
      static_assert(atomic_width<Bits>, "rdna global_atomic<Bits>: Bits are 32 or 64");
      static_assert(!atomic_width<Bits> || global_atomic::exists,
                    "rdna global_atomic: no source tells gfx1250's lines");
    }
  };
  /// S_LOAD_B32, B64, B128, B256, B512, on gfx12 B96. The wave makes one request, so the instruction has one lane.
  template <unsigned Dwords>
  struct s_load : coalescing::detail::exists_if<scalar_width<row, Dwords> && has_lines<row>,
                                                scalar_load<row, Lanes, Dwords>, s_load<Dwords>> {
    static constexpr instruction_name called{identity, "s_load", {Dwords}};
    COALESCE_API static constexpr void refuse() {
      static_assert(scalar_width<row, Dwords>, "rdna s_load<Dwords>: Dwords are 1, 2, 4, 8 or 16, and on gfx12 3");
      static_assert(!scalar_width<row, Dwords> || s_load::exists, "rdna s_load: no source tells gfx1250's lines");
    }
  };

  /// The instructions that move Bits of each lane, for record.hpp; `uncounted` where no source tells the cost
  /// (atomics of LDS, some widths, gfx1250).
  struct issues {
    static constexpr unsigned lanes = Lanes;

    template <unsigned Bits>
    using global_load = coalescing::detail::if_counted<memory_width<Bits>, instructions::global_load<Bits>>;
    template <unsigned Bits>
    using global_store = coalescing::detail::if_counted<memory_width<Bits>, instructions::global_store<Bits>>;
    template <unsigned Bits>
    using global_atomic = coalescing::detail::if_counted<true, instructions::global_atomic<Bits>>;
    template <unsigned Bits>
    using banked_load = coalescing::detail::if_counted<memory_width<Bits>, ds_load<Bits>>;
    template <unsigned Bits>
    using banked_store = coalescing::detail::if_counted<memory_width<Bits>, ds_store<Bits>>;
    template <unsigned Bits>
    using banked_atomic = coalescing::detail::uncounted;
  };
};
template <chip Chip, unsigned Lanes>
requires(!wave_exists<row<Chip>, Lanes>) struct instructions<Chip, Lanes> : every_instruction<missing_with_its_wave> {
};

}  // namespace rules

/// A chip: its instructions in waves of 32 lanes, and its occupancy. rdna::gfx1100 and the like name them.
template <chip Chip>
struct machine : rules::instructions<Chip, 32>, compute_unit<rdna::row<Chip>, 32, environment<machine<Chip>>> {
  using row = rdna::row<Chip>;
  static constexpr char const* name = row::name;
  using generation = typename row::generation;

  /// The instructions in waves of 64 lanes, and the occupancy of such waves. Refused: gfx1250.
  struct wave64 : rules::instructions<Chip, 64>, compute_unit<row, 64, environment<generation>> {
    static_assert(row::wave64.value, "rdna wave64: waves of gfx1250 have 32 lanes only");
  };
};

/// gfx1170, gfx1171, gfx1172, gfx1310: how much LDS a work-group has. Everything else is refused.
template <chip Chip>
requires is_only_named<Chip>
struct machine<Chip> : rules::every_instruction<rules::unknown_of_the_chip> {
  using row = rdna::row<Chip>;
  static constexpr char const* name = row::name;
  static constexpr unsigned lds_bytes = row::lds_bytes.value;  ///< that a work-group can have
  static constexpr fact_list facts() {
    auto const all = fact_list{}.with("bytes of LDS that a work-group can have", row::lds_bytes);
    if constexpr (requires { row::lds_of_two_simds; })
      return all.with("bytes of LDS on two SIMDs", row::lds_of_two_simds);
    else
      return all;
  }
  static constexpr fact_list rests_on = facts();

  struct wave64 : rules::every_instruction<rules::unknown_of_the_chip> {};

  /// Refused in every mode.
  [[nodiscard]] COALESCE_API static constexpr waves_per_simd occupancy(kernel_resources const&,
                                                                       rules::environment<machine> = {}) {
    refused::occupancy_of_the_chip_is_unknown();
    return {};  // clang wants a return here
  }
  /// Refused.
  [[nodiscard]] COALESCE_API static constexpr unsigned lds_allocated(unsigned bytes) {
    refused::lds_granule_of_the_chip_is_unknown(bytes);
    return {};
  }
};

}  // namespace coalescing::rdna
