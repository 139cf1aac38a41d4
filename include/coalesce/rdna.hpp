// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/engine/footprint.hpp>
#include <coalesce/rdna/caches.hpp>
#include <coalesce/rdna/forms.hpp>
#include <coalesce/rdna/issued.hpp>
#include <coalesce/rdna/maintenance.hpp>
#include <coalesce/rdna/products.hpp>
#include <coalesce/rdna/synchronize.hpp>

#include <type_traits>

// AMD RDNA 1 to 4 (gfx10, gfx11, gfx12) and gfx1250 (CDNA 5). A chip's type, such as rdna::gfx1100, has the chip's
// occupancy, and its instructions in waves of 32 lanes. The type's member wave64 has the occupancy and the instructions
// in waves of 64 lanes. The headers in rdna/ have wait counters, release and acquire, and cache control. The facts and
// their sources are in rdna/rows.hpp, the numbers of a cost in rdna/costs.hpp. rdna/README.md explains all of these.

namespace coalescing::rdna {

namespace rules {

/// The instructions of a chip in waves of 32 or 64 lanes. The chip serves a wave of 64 in two halves, first lanes 0 to
/// 31, then lanes 32 to 63. An instruction refuses a width that does not exist, and a width for which no source tells
/// the cost on the chip.
template <chip Chip, unsigned Lanes>
struct instructions {
  using row = rdna::row<Chip>;
  static constexpr machine_name identity{
      {.name = "rdna", .machines = names_of_machines}, row::name, row::counted_by, 0, Lanes == 64 ? "wave64" : ""};

  static constexpr bool has_any = has_instructions<Chip, Lanes>;
  template <class Form, class Rule>
  using if_form_exists =
      coalescing::detail::if_form_exists<std::conditional_t<has_any, Form, no_form<Chip, Lanes>>, Rule>;
  template <unsigned Bits, unsigned Step, unsigned O0, unsigned O1>
  using pair_if_it_exists =
      if_form_exists<pair_form<row, Bits, Step, O0, O1>, lds_pair<Lanes, Chip, Bits, Step, O0, O1>>;

  /// DS_LOAD_U8, U16, B32, B64, B96, B128 (gfx10: DS_READ_*): each lane loads Bits bits. Refused: B96 and B128 on
  /// RDNA 1, because no source tells their cost there.
  template <unsigned Bits>
  struct ds_load : if_form_exists<lds_load_form<Chip, Bits>, lds_access<Lanes, Bits, ds_load_row, Chip>> {
    static constexpr instruction_name called{identity, "ds_load", {Bits}};
  };
  /// DS_STORE_B8, B16, B32, B64, B128 (gfx10: DS_WRITE_*): each lane stores Bits bits. Refused: B96, because no source
  /// tells which lanes LDS serves together for DS_STORE_B96.
  template <unsigned Bits>
  struct ds_store : if_form_exists<lds_store_form<Chip, Bits>, lds_access<Lanes, Bits, ds_store_row, Chip>> {
    static constexpr instruction_name called{identity, "ds_store", {Bits}};
  };
  /// DS_LOAD_2ADDR_B32, B64 (gfx10: DS_READ2): each lane loads two elements of Bits bits, at O0 and O1 elements beyond
  /// the lane's address. The offsets O0 and O1 are 0 to 255. The address needs the alignment of one element only.
  template <unsigned Bits, unsigned O0, unsigned O1>
  struct ds_load_2addr : pair_if_it_exists<Bits, 1, O0, O1> {
    static constexpr instruction_name called{identity, "ds_load_2addr", {Bits, O0, O1}};
  };
  /// DS_LOAD_2ADDR_STRIDE64_B32, B64: as ds_load_2addr, but an offset of 1 stands for 64 elements.
  template <unsigned Bits, unsigned O0, unsigned O1>
  struct ds_load_2addr_stride64 : pair_if_it_exists<Bits, 64, O0, O1> {
    static constexpr instruction_name called{identity, "ds_load_2addr_stride64", {Bits, O0, O1}};
  };
  /// DS_STORE_2ADDR_B32, B64 (gfx10: DS_WRITE2): the stores that correspond to ds_load_2addr.
  template <unsigned Bits, unsigned O0, unsigned O1>
  struct ds_store_2addr : pair_if_it_exists<Bits, 1, O0, O1> {
    static constexpr instruction_name called{identity, "ds_store_2addr", {Bits, O0, O1}};
  };
  /// DS_STORE_2ADDR_STRIDE64_B32, B64: the stores that correspond to ds_load_2addr_stride64.
  template <unsigned Bits, unsigned O0, unsigned O1>
  struct ds_store_2addr_stride64 : pair_if_it_exists<Bits, 64, O0, O1> {
    static constexpr instruction_name called{identity, "ds_store_2addr_stride64", {Bits, O0, O1}};
  };
  /// Atomics in LDS. Refused in every width, because no source tells what they cost.
  template <unsigned Bits>
  struct ds_atomic : if_form_exists<lds_atomic_form<Bits>, void> {};
  /// GLOBAL_LOAD_*: each lane loads Bits bits, 8 to 128. On gfx1030 the cost of a load of 32 or 64 bits also has the
  /// member `clocks`.
  template <unsigned Bits>
  struct global_load : if_form_exists<memory_form<row, Bits>, rules::global_load<row, Lanes, Bits>> {
    static constexpr instruction_name called{identity, "global_load", {Bits}};
  };
  /// GLOBAL_STORE_*: each lane stores Bits bits, 8 to 128.
  template <unsigned Bits>
  struct global_store : if_form_exists<memory_form<row, Bits>, global_access<row, Lanes, Bits>> {
    static constexpr instruction_name called{identity, "global_store", {Bits}};
  };
  /// BUFFER_LOAD_U8, U16, B32 to B128 (gfx10: UBYTE, USHORT, DWORD, ...): each lane loads Bits bits, 8 to 128. The load
  /// costs what global_load costs, without clocks. The pattern gives addresses in memory: the descriptor's base and all
  /// offsets added up. A lane beyond the descriptor's range reads 0 without an access: leave such a lane out of the
  /// active lanes.
  template <unsigned Bits>
  struct buffer_load : if_form_exists<memory_form<row, Bits>, buffer_access<row, Lanes, Bits>> {
    static constexpr instruction_name called{identity, "buffer_load", {Bits}};
  };
  /// BUFFER_STORE_*: each lane stores Bits bits, 8 to 128. The pattern gives addresses in memory, as in buffer_load.
  template <unsigned Bits>
  struct buffer_store : if_form_exists<memory_form<row, Bits>, buffer_access<row, Lanes, Bits>> {
    static constexpr instruction_name called{identity, "buffer_store", {Bits}};
  };
  /// GLOBAL_ATOMIC_* of 32 or 64 bits. They are done in L2.
  template <unsigned Bits>
  struct global_atomic : if_form_exists<atomic_form<row, Bits>, rules::global_atomic<row, Lanes, Bits>> {
    static constexpr instruction_name called{identity, "global_atomic", {Bits}};
  };
  /// S_LOAD_B32, B64, B128, B256, B512, and on gfx12 also B96. The wave makes one request, so the instruction has one
  /// lane.
  template <unsigned Dwords>
  struct s_load : if_form_exists<scalar_form<row, Dwords>, scalar_load<row, Lanes, Dwords>> {
    static constexpr instruction_name called{identity, "s_load", {Dwords}};
  };

  /// The instructions that record.hpp counts for a kernel's accesses. Each instruction loads, stores or updates Bits
  /// bits for each lane: global_* in global memory, banked_* in LDS.
  struct moves {
    static constexpr unsigned lanes = Lanes;
    template <unsigned Bits>
    static constexpr bool has_width = amd::access_width<Bits>;

    template <unsigned Bits>
    using global_load = instructions::global_load<Bits>;
    template <unsigned Bits>
    using global_store = instructions::global_store<Bits>;
    template <unsigned Bits>
    using global_atomic = instructions::global_atomic<Bits>;
    template <unsigned Bits>
    using banked_load = ds_load<Bits>;
    template <unsigned Bits>
    using banked_store = ds_store<Bits>;
    template <unsigned Bits>
    using banked_atomic = ds_atomic<Bits>;
  };
  /// What record.hpp counts for a kernel's accesses: `moves`, or `void` if the chip has no instructions in such waves.
  using issues = std::conditional_t<has_any, moves, void>;
};

}  // namespace rules

/// A chip: its instructions in waves of 32 lanes, and its occupancy. rdna::gfx1100 is one of these types.
template <chip Chip>
struct machine : rules::instructions<Chip, 32>, compute_unit<rdna::row<Chip>, 32, environment<machine<Chip>>> {
  using row = rdna::row<Chip>;
  static constexpr char const* name = row::name;
  using generation = typename row::generation;

  /// The instructions in waves of 64 lanes, and the occupancy of such waves. gfx1250 has no such waves: refused.
  struct wave64 : rules::instructions<Chip, 64>,
                  std::conditional_t<row::wave64.value, compute_unit<row, 64, environment<generation>>,
                                     rules::no_compute_unit<Chip>> {};
};

/// A chip of which little more than the name is known: gfx1170, gfx1171, gfx1172, gfx1310. It has only lds_bytes, the
/// LDS of a work-group. Everything else is refused.
template <chip Chip>
requires is_only_named<Chip>
struct machine<Chip> : rules::instructions<Chip, 32> {
  using row = rdna::row<Chip>;
  static constexpr char const* name = row::name;
  static constexpr unsigned lds_bytes = row::lds_bytes.value;  ///< the most bytes that a work-group can have
  static constexpr fact_list facts() {
    auto const all = fact_list{}.with("bytes of LDS that a work-group can have", row::lds_bytes);
    if constexpr (requires { row::lds_of_two_simds; })
      return all.with("bytes of LDS on two SIMDs", row::lds_of_two_simds);
    else
      return all;
  }
  static constexpr fact_list rests_on = facts();

  struct wave64 : rules::instructions<Chip, 64> {};

  /// Refused: no source tells the registers and waves of the chip.
  [[nodiscard]] COALESCE_API static constexpr waves_per_simd occupancy(kernel_resources const&,
                                                                       rules::environment<machine> = {}) {
    refused::occupancy_of_the_chip_is_unknown();
    return {};  // clang wants a return here
  }
  /// Refused: no source tells the granule in which the chip allocates LDS.
  [[nodiscard]] COALESCE_API static constexpr unsigned lds_allocated(unsigned bytes) {
    refused::lds_granule_of_the_chip_is_unknown(bytes);
    return {};
  }
};

}  // namespace coalescing::rdna
