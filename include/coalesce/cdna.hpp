// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/lds.hpp>
#include <coalesce/cdna/bits.hpp>
#include <coalesce/cdna/caches.hpp>
#include <coalesce/cdna/compute_unit.hpp>
#include <coalesce/cdna/costs.hpp>
#include <coalesce/cdna/counters.hpp>
#include <coalesce/cdna/global.hpp>
#include <coalesce/cdna/lds.hpp>
#include <coalesce/cdna/maintenance.hpp>
#include <coalesce/cdna/products.hpp>
#include <coalesce/cdna/rows.hpp>
#include <coalesce/cdna/synchronize.hpp>
#include <coalesce/pattern.hpp>

#include <type_traits>

// AMD CDNA 3 (gfx942: MI300A, MI300X, MI325X) and CDNA 4 (gfx950: MI350X, MI355X, MI350P): the instructions of the
// chips; beside them caches by scope, completion, synchronization, occupancy, products. Of CDNA 2 (gfx90a) global
// memory only. The facts and their sources are in cdna/rows.hpp, the numbers in cdna/costs.hpp, a page in
// cdna/README.md.

namespace coalescing::cdna {

/// The widths of a global access or LDS read, in bits.
template <unsigned Bits>
concept access_width = Bits == 8 || Bits == 16 || Bits == 32 || Bits == 64 || Bits == 96 || Bits == 128;
/// No source tells which lanes DS_WRITE_B96 serves together.
template <unsigned Bits>
concept ds_write_width = access_width<Bits> && Bits != 96;

namespace rules {

template <class Row>
concept has_lds = requires {
  Row::lds_bytes;
};

/// Of a chip without LDS there is nothing to say.
template <class Row>
struct no_compute_unit {};

}  // namespace rules

/// The instructions of a chip; cdna::gfx942 and so on name them. The LDS of gfx90a is not modelled: no source tells its
/// phases but those of 32-bit reads.
template <chip Chip>
struct machine : std::conditional_t<rules::has_lds<cdna::row<Chip>>, compute_unit<cdna::row<Chip>>,
                                    rules::no_compute_unit<cdna::row<Chip>>> {
  using row = cdna::row<Chip>;
  static constexpr bool lds_is_modelled = rules::has_lds<row>;

  /// GLOBAL_LOAD_*: Bits per lane.
  template <unsigned Bits>
  struct global_load : coalescing::detail::if_it_exists<access_width<Bits>, rules::load<row, Bits>> {
    static_assert(access_width<Bits>,
                  "cdna global_load<Bits>: Bits are 8, 16, 32, 64, 96 or 128 (bits of a lane, not bytes)");
  };

  /// GLOBAL_STORE_*: Bits per lane.
  template <unsigned Bits>
  struct global_store : coalescing::detail::if_it_exists<access_width<Bits>, rules::write<row, Bits, false>> {
    static_assert(access_width<Bits>,
                  "cdna global_store<Bits>: Bits are 8, 16, 32, 64, 96 or 128 (bits of a lane, not bytes)");
  };

  /// GLOBAL_ATOMIC_* of 32 or 64 bits. They pass L1; where they are done if the agent has several L2s is in no
  /// document.
  template <unsigned Bits>
  struct global_atomic : coalescing::detail::if_it_exists<Bits == 32 || Bits == 64, rules::write<row, Bits, true>> {
    static_assert(Bits == 32 || Bits == 64, "cdna global_atomic<Bits>: Bits are 32 or 64");
  };

  /// DS_READ_U8, U16, B32, B64, B96, B128. `conflicts` is what the counter SQ_LDS_BANK_CONFLICT counts, `rounds` what
  /// SQ_LDS_IDX_ACTIVE does (PROF; agrees with the counters of MI300X for strided reads of 32, 64 and 128 bits).
  template <unsigned Bits>
  struct ds_read : coalescing::detail::if_it_exists<lds_is_modelled && access_width<Bits>,
                                                    amd::lds_memory<Bits, ds_read_row<Chip, Bits>>> {
    static_assert(lds_is_modelled, "cdna ds_read: no source tells the LDS phases of gfx90a");
    static_assert(access_width<Bits>,
                  "cdna ds_read<Bits>: Bits are 8, 16, 32, 64, 96 or 128 (bits of a lane, not bytes)");
  };

  /// DS_WRITE_B8, B16, B32, B64, B128. Not B96: no source tells which lanes it serves together.
  template <unsigned Bits>
  struct ds_write : coalescing::detail::if_it_exists<lds_is_modelled && ds_write_width<Bits>,
                                                     amd::lds_memory<Bits, ds_write_row<Chip, Bits>>> {
    static_assert(lds_is_modelled, "cdna ds_write: no source tells the LDS phases of gfx90a");
    static_assert(ds_write_width<Bits>,
                  "cdna ds_write<Bits>: Bits are 8, 16, 32, 64 or 128 (no source tells the phases of ds_write_b96)");
  };

  /// DS_READ_B64_TR_B16: every lane reads 64 bits and receives others' (gfx950). All 64 lanes must be active.
  template <unsigned Bits>
  struct ds_read_tr : coalescing::detail::if_it_exists<Chip == chip::gfx950 && Bits == 64,
                                                       rules::transpose_read<Bits, ds_read_tr_row<Chip, Bits>>> {
    static_assert(Chip == chip::gfx950, "cdna ds_read_tr: only gfx950 has transpose loads");
    static_assert(Bits == 64, "cdna ds_read_tr<Bits>: modelled are 64 bits (no source tells the phases of b96_tr_b6)");
  };

  /// Atomics in LDS, of 32 or 64 bits.
  template <unsigned Bits>
  struct ds_atomic
      : coalescing::detail::if_it_exists<lds_is_modelled && (Bits == 32 || Bits == 64), rules::lds_atomic<Bits, row>> {
    static_assert(lds_is_modelled, "cdna ds_atomic: the LDS of gfx90a is not modelled");
    static_assert(Bits == 32 || Bits == 64, "cdna ds_atomic<Bits>: Bits are 32 or 64");
  };
};

using gfx90a = machine<chip::gfx90a>;
using gfx942 = machine<chip::gfx942>;
using gfx950 = machine<chip::gfx950>;

}  // namespace coalescing::cdna
