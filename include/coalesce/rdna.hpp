// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/lds.hpp>
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
#include <coalesce/rdna/rows.hpp>
#include <coalesce/rdna/synchronize.hpp>

// AMD RDNA 1 to 4 (gfx10, gfx11, gfx12) and gfx1250 (CDNA 5): the instructions of the chips, in waves of 32 lanes, and
// under wave64 in waves of 64; occupancy; beside them wait counters, release and acquire, cache control. The facts and
// their sources are in rdna/rows.hpp, the numbers in rdna/costs.hpp, a page in rdna/README.md.

namespace coalescing::rdna {

/// The instructions of a chip; rdna::gfx1100 and so on name them. What no source tells is refused by name
/// (rdna/lds.hpp, rdna/global.hpp): of gfx1250's memory instructions there is none.
template <chip Chip>
struct machine : rules::unknown_lds_forms, compute_unit<rdna::row<Chip>, 32, environment<machine<Chip>>> {
  using row = rdna::row<Chip>;
  static constexpr char const* name = row::name;
  using generation = typename generation_of<machine>::type;

  /// DS_LOAD_U8, U16, B32, B64, B128 (gfx10: DS_READ_*). B128 on gfx1100, gfx1151 and gfx1201 only.
  template <unsigned Bits>
  struct ds_load : rules::ds_load<Chip, 32, Bits> {};
  /// DS_STORE_B16, B32, B64, B128, on gfx1100 and gfx1151 only.
  template <unsigned Bits>
  struct ds_store : rules::ds_store<Chip, 32, Bits> {};
  /// GLOBAL_LOAD_*: 8 to 128 Bits of each lane. On gfx1030 those of 32 and 64 bits have `clocks`.
  template <unsigned Bits>
  struct global_load : rules::global_load_of<Chip, 32, Bits> {};
  /// GLOBAL_STORE_*.
  template <unsigned Bits>
  struct global_store : rules::global_store_of<Chip, 32, Bits> {};
  /// GLOBAL_ATOMIC_* of 32 or 64 bits, which are done in L2.
  template <unsigned Bits>
  struct global_atomic : rules::global_atomic_of<Chip, 32, Bits> {};
  /// S_LOAD_B32, B64, B128, B256, B512, on gfx12 B96. One request for the wave, so it has one lane.
  template <unsigned Dwords>
  struct s_load : rules::scalar_load_of<Chip, 32, Dwords> {};

  /// The same in waves of 64 lanes: two halves, lanes 0 to 31 and 32 to 63, one after the other.
  struct wave64 : rules::unknown_lds_forms, compute_unit<row, 64, environment<generation>> {
    static_assert(row::wave64.value, "rdna wave64: waves of gfx1250 have 32 lanes only");
    template <unsigned Bits>
    struct ds_load : rules::ds_load<Chip, 64, Bits> {};
    template <unsigned Bits>
    struct ds_store : rules::ds_store<Chip, 64, Bits> {};
    template <unsigned Bits>
    struct global_load : rules::global_load_of<Chip, 64, Bits> {};
    template <unsigned Bits>
    struct global_store : rules::global_store_of<Chip, 64, Bits> {};
    template <unsigned Bits>
    struct global_atomic : rules::global_atomic_of<Chip, 64, Bits> {};
    template <unsigned Dwords>
    struct s_load : rules::scalar_load_of<Chip, 64, Dwords> {};
  };
};

namespace rules {
/// An instruction of a chip that has a name and no more. (No width is 0.)
template <unsigned Width>
struct unknown_of_the_chip : coalescing::detail::missing {
  static_assert(
      Width == 0,
      "rdna: of gfx1170, gfx1171, gfx1172 and gfx1310 sources tell how much LDS a work-group has, and nothing "
      "else");
};
/// Those in waves of either size.
struct unknown_instructions {
  template <unsigned Bits>
  struct ds_load : unknown_of_the_chip<Bits> {};
  template <unsigned Bits>
  struct ds_store : unknown_of_the_chip<Bits> {};
  template <unsigned Bits>
  struct global_load : unknown_of_the_chip<Bits> {};
  template <unsigned Bits>
  struct global_store : unknown_of_the_chip<Bits> {};
  template <unsigned Bits>
  struct global_atomic : unknown_of_the_chip<Bits> {};
};
}  // namespace rules

/// gfx1170, gfx1171, gfx1172, gfx1310: the LDS of a work-group. The rest is refused by name.
template <chip Chip>
requires is_only_named<Chip>
struct machine<Chip> : rules::unknown_lds_forms, rules::unknown_instructions {
  using row = rdna::row<Chip>;
  static constexpr char const* name = row::name;
  static constexpr unsigned lds_bytes = row::lds_bytes.value;  ///< at most of a work-group
  static constexpr fact_list facts() {
    auto const all = fact_list{}.with("bytes of LDS that a work-group can have", row::lds_bytes);
    if constexpr (requires { row::lds_of_two_simds; })
      return all.with("bytes of LDS on two SIMDs", row::lds_of_two_simds);
    else
      return all;
  }
  static constexpr fact_list rests_on = facts();

  template <unsigned Dwords>
  struct s_load : rules::unknown_of_the_chip<Dwords> {};
  struct wave64 : rules::unknown_lds_forms, rules::unknown_instructions {};

  /// Refused, whatever the mode.
  [[nodiscard]] COALESCE_API static constexpr waves_per_simd occupancy(kernel_resources const&,
                                                                       rules::environment<machine> = {}) {
    refused::occupancy_of_the_chip_is_unknown();
    return {};  // clang wants it
  }
  [[nodiscard]] COALESCE_API static constexpr unsigned lds_allocated(unsigned bytes) {
    refused::lds_granule_of_the_chip_is_unknown(bytes);
    return {};
  }
};

}  // namespace coalescing::rdna
