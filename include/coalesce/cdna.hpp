// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna/compute_unit.hpp>
#include <coalesce/cdna/forms.hpp>
#include <coalesce/cdna/lds.hpp>
#include <coalesce/cdna/lds_pair_rows.hpp>
#include <coalesce/cdna/products.hpp>
#include <coalesce/cdna/synchronize.hpp>
#include <coalesce/engine/footprint.hpp>

#include <type_traits>

// The entry header of AMD CDNA 2 to 4. For CDNA 3 (gfx942: MI300A, MI300X, MI325X) and CDNA 4 (gfx950: MI350X, MI355X,
// MI350P) it has the chips' instructions, occupancy and products, what each cache does with an access of each scope,
// when operations complete, and release and acquire. For CDNA 2 (gfx90a: MI210, MI250, MI250X) it has only the
// instructions and occupancy. cdna/rows.hpp has the facts and their sources, cdna/costs.hpp the numbers that an
// instruction costs, cdna/README.md an overview with examples.

namespace coalescing::cdna {

/// The instructions and the compute unit of a chip, such as cdna::gfx942.
template <chip Chip>
struct machine : compute_unit<cdna::row<Chip>> {
  using row = cdna::row<Chip>;
  static constexpr char const* name = row::name;
  static constexpr machine_name identity{{.name = "cdna", .machines = names_of_machines}, name, row::counted_by};

  /// GLOBAL_LOAD_*. Each lane loads Bits bits.
  template <unsigned Bits>
  struct global_load : rules::if_form_exists<rules::access_form<Bits>, rules::load<row, Bits>> {
    static constexpr instruction_name called{identity, "global_load", {Bits}};
  };

  /// GLOBAL_STORE_*. Each lane stores Bits bits.
  template <unsigned Bits>
  struct global_store : rules::if_form_exists<rules::access_form<Bits>, rules::write<row, Bits, false>> {
    static constexpr instruction_name called{identity, "global_store", {Bits}};
  };

  /// BUFFER_LOAD_UBYTE, USHORT, DWORD, DWORDX2, X3, X4. It costs what global_load costs. The addresses that you give
  /// are final: the descriptor's base and all offsets added up. A lane beyond the descriptor's range reads 0 without an
  /// access, so leave this lane out of the active lanes.
  template <unsigned Bits>
  struct buffer_load : rules::if_form_exists<rules::access_form<Bits>, rules::buffer_load<row, Bits>> {
    static constexpr instruction_name called{identity, "buffer_load", {Bits}};
  };

  /// BUFFER_STORE_BYTE, SHORT, DWORD, DWORDX2, X3, X4. It costs what global_store costs. The addresses are final, as
  /// for buffer_load: the descriptor's base and all offsets added up.
  template <unsigned Bits>
  struct buffer_store : rules::if_form_exists<rules::access_form<Bits>, rules::buffer_store<row, Bits>> {
    static constexpr instruction_name called{identity, "buffer_store", {Bits}};
  };

  /// GLOBAL_ATOMIC_* of 32 or 64 bits. Atomics bypass L1. If the agent has several L2s, no document tells whether an L2
  /// or the memory that it caches performs them.
  template <unsigned Bits>
  struct global_atomic : rules::exists_if<amd::atomic_width<Bits>, rules::write<row, Bits, true>, global_atomic<Bits>> {
    static constexpr instruction_name called{identity, "global_atomic", {Bits}};
    COALESCE_API static constexpr void refuse() {
      static_assert(global_atomic::exists, "cdna global_atomic<Bits>: Bits are 32 or 64");
    }
  };

  /// S_LOAD_DWORD, DWORDX2, X4, X8, X16. The wave makes one request, so the instruction has one lane.
  template <unsigned Dwords>
  struct s_load : rules::exists_if<scalar_width<Dwords>, rules::scalar_load<row, Dwords>, s_load<Dwords>> {
    static constexpr instruction_name called{identity, "s_load", {Dwords}};
    COALESCE_API static constexpr void refuse() {
      static_assert(s_load::exists, "cdna s_load<Dwords>: Dwords are 1, 2, 4, 8 or 16");
    }
  };

  /// DS_READ_U8, U16, B32, B64, B96, B128. In the cost, `conflicts` is the profiler's counter SQ_LDS_BANK_CONFLICT, and
  /// `rounds` is SQ_LDS_IDX_ACTIVE (PROF of cdna/documents.hpp; counters of MI300X agree for strided reads of 32, 64
  /// and 128 bits).
  template <unsigned Bits>
  struct ds_read : rules::if_form_exists<rules::access_form<Bits>, amd::lds_memory<Bits, ds_read_row<Chip, Bits>>> {
    static constexpr instruction_name called{identity, "ds_read", {Bits}};
  };

  /// DS_WRITE_B8, B16, B32, B64, B128. B96 is missing: no source tells which of its lanes LDS serves together.
  template <unsigned Bits>
  struct ds_write
      : rules::exists_if<ds_write_width<Bits>, amd::lds_memory<Bits, ds_write_row<Chip, Bits>>, ds_write<Bits>> {
    static constexpr instruction_name called{identity, "ds_write", {Bits}};
    COALESCE_API static constexpr void refuse() {
      static_assert(ds_write::exists,
                    "cdna ds_write<Bits>: Bits are 8, 16, 32, 64 or 128 (no source tells the phases of ds_write_b96)");
    }
  };

  /// DS_READ2_B32, B64: each lane makes two reads of Bits, at O0 and O1 elements beyond its address. Offsets are 0 to
  /// 255. The address needs only the alignment of one element. So LLVM reads 16 bytes at a multiple of 8 with
  /// DS_READ2_B64, and 8 bytes at a multiple of 4 with DS_READ2_B32.
  template <unsigned Bits, unsigned O0, unsigned O1>
  struct ds_read2 : rules::pair_if_it_exists<row, ds_read2_row<Chip, Bits, 1>, Bits, 1, O0, O1> {
    static constexpr instruction_name called{identity, "ds_read2", {Bits, O0, O1}};
  };
  /// DS_READ2ST64_B32, B64: as ds_read2, but an offset of 1 stands for 64 elements.
  template <unsigned Bits, unsigned O0, unsigned O1>
  struct ds_read2st64
      : rules::pair_if_it_exists<row, ds_read2_row<Chip, Bits, rules::st64>, Bits, rules::st64, O0, O1> {
    static constexpr instruction_name called{identity, "ds_read2st64", {Bits, O0, O1}};
  };
  /// DS_WRITE2_B32, B64: the stores that correspond to ds_read2.
  template <unsigned Bits, unsigned O0, unsigned O1>
  struct ds_write2 : rules::pair_if_it_exists<row, ds_write2_row<Chip, Bits, 1>, Bits, 1, O0, O1> {
    static constexpr instruction_name called{identity, "ds_write2", {Bits, O0, O1}};
  };
  /// DS_WRITE2ST64_B32, B64: the stores that correspond to ds_read2st64.
  template <unsigned Bits, unsigned O0, unsigned O1>
  struct ds_write2st64
      : rules::pair_if_it_exists<row, ds_write2_row<Chip, Bits, rules::st64>, Bits, rules::st64, O0, O1> {
    static constexpr instruction_name called{identity, "ds_write2st64", {Bits, O0, O1}};
  };

  /// GLOBAL_LOAD_LDS_UBYTE, USHORT, DWORD, on gfx950 also DWORDX3 and DWORDX4: from memory straight to LDS. The member
  /// type ::global has the cost of reading memory. lds_address(destination, lane) returns where a lane's data goes in
  /// LDS.
  template <unsigned Bits>
  struct global_load_lds
      : rules::to_lds_if_it_exists<rules::to_lds_form<row, Bits, false>, rules::global_to_lds<row, Bits>> {
    /// The part of the instruction that reads global memory.
    struct global : rules::if_form_exists<rules::to_lds_form<row, Bits, false>, rules::read_for_lds<row, Bits>> {
      static constexpr instruction_name called{identity, "global_load_lds", {Bits}, "global"};
      using any_width = coalescing::detail::any_width<global_load_lds>;
    };
  };

  /// BUFFER_LOAD_UBYTE, USHORT, DWORD with the modifier LDS, on gfx950 also DWORDX3 and DWORDX4. It costs what
  /// global_load_lds costs.
  template <unsigned Bits>
  struct buffer_load_lds
      : rules::to_lds_if_it_exists<rules::to_lds_form<row, Bits, true>, rules::buffer_to_lds<row, Bits>> {
    /// The part of the instruction that reads global memory.
    struct global : rules::if_form_exists<rules::to_lds_form<row, Bits, true>, rules::read_for_lds<row, Bits>> {
      static constexpr instruction_name called{identity, "buffer_load_lds", {Bits}, "global"};
      using any_width = coalescing::detail::any_width<buffer_load_lds>;
    };
  };

  /// DS_READ_B64_TR_B16, _TR_B8, _TR_B4 and DS_READ_B96_TR_B6 (gfx950). Every lane reads Bits and receives other lanes'
  /// elements; source_of(lane, value) returns which lane read that value. All 64 lanes must be active. The form of 96
  /// bits has source_of, but no cost: no source tells which lanes LDS serves together.
  template <unsigned Bits, unsigned ElementBits = 16>
  struct ds_read_tr
      : rules::if_form_exists<rules::transpose_form<row, Bits, ElementBits>,
                              rules::transpose_read<Bits, ElementBits, ds_read_tr_row<Chip, Bits, ElementBits>>> {
    static constexpr instruction_name called{identity, "ds_read_tr", {Bits, {ElementBits, 16}}};
  };

  /// Atomics of 32 or 64 bits in LDS. The cost has no rounds, because no source tells which lanes LDS serves together.
  template <unsigned Bits>
  struct ds_atomic : rules::exists_if<amd::atomic_width<Bits>, rules::lds_atomic<Bits, row>, ds_atomic<Bits>> {
    static constexpr instruction_name called{identity, "ds_atomic", {Bits}};
    COALESCE_API static constexpr void refuse() {
      static_assert(ds_atomic::exists, "cdna ds_atomic<Bits>: Bits are 32 or 64");
    }
  };

  /// The instructions that record.hpp counts. Bits is the width of the element that each lane loads, stores or updates.
  struct issues {
    static constexpr unsigned lanes = row::lanes.value;
    template <unsigned Bits>
    static constexpr bool has_width = access_width<Bits>;

    template <unsigned Bits>
    using global_load = machine::global_load<Bits>;
    template <unsigned Bits>
    using global_store = machine::global_store<Bits>;
    template <unsigned Bits>
    using global_atomic = machine::global_atomic<Bits>;
    template <unsigned Bits>
    using banked_load = ds_read<Bits>;
    template <unsigned Bits>
    using banked_store = ds_write<Bits>;
    template <unsigned Bits>
    using banked_atomic = ds_atomic<Bits>;
  };
};

}  // namespace coalescing::cdna
