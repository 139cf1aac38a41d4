// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/lds.hpp>
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
#include <coalesce/rdna/rows.hpp>
#include <coalesce/rdna/synchronize.hpp>

// AMD RDNA 1 to 4 (gfx10, gfx11, gfx12) and gfx1250 (CDNA 5): the instructions of the chips, in waves of 32 lanes, and
// under wave64 in waves of 64; occupancy; beside them wait counters, release and acquire, cache control. The facts and
// their sources are in rdna/rows.hpp, the numbers in rdna/costs.hpp, a page in rdna/README.md.

namespace coalescing::rdna {

namespace rules {

// What is refused of instructions, each said once for waves of either size; a wave that does not exist has its own
// sentence.

/// Whether the phases of DS_LOAD are known; one sentence where they are not.
template <chip Chip, unsigned Lanes, unsigned Bits>
COALESCE_API constexpr bool ds_load_is_known() {
  if constexpr (!wave_exists<row<Chip>, Lanes>) {
    return false;
  } else {
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
}
/// The same of DS_STORE.
template <chip Chip, unsigned Lanes, unsigned Bits>
COALESCE_API constexpr bool ds_store_is_known() {
  if constexpr (!wave_exists<row<Chip>, Lanes>) {
    return false;
  } else {
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
}

template <class Row, unsigned Lanes, unsigned Bits>
COALESCE_API constexpr bool access_is_known() {
  if constexpr (!wave_exists<Row, Lanes>) {
    return false;
  } else {
    constexpr bool width = Bits == 8 || Bits == 16 || Bits == 32 || Bits == 64 || Bits == 96 || Bits == 128;
    static_assert(width,
                  "rdna global_load, global_store<Bits>: Bits are 8, 16, 32, 64, 96 or 128 (of a lane, not bytes)");
    static_assert(!width || has_lines<Row>, "rdna global_load, global_store: no source tells gfx1250's lines");
    return width && has_lines<Row>;
  }
}
template <class Row, unsigned Lanes, unsigned Bits>
COALESCE_API constexpr bool atomic_is_known() {
  if constexpr (!wave_exists<Row, Lanes>) {
    return false;
  } else {
    constexpr bool width = Bits == 32 || Bits == 64;
    static_assert(width, "rdna global_atomic<Bits>: Bits are 32 or 64");
    static_assert(!width || has_lines<Row>, "rdna global_atomic: no source tells gfx1250's lines");
    return width && has_lines<Row>;
  }
}
template <class Row, unsigned Lanes, unsigned Dwords>
COALESCE_API constexpr bool scalar_load_is_known() {
  if constexpr (!wave_exists<Row, Lanes>) {
    return false;
  } else {
    constexpr bool three = requires { Row::scalar_load_b96; }
    , width = Dwords == 1 || Dwords == 2 || Dwords == 4 || Dwords == 8 || Dwords == 16;
    static_assert(width || (three && Dwords == 3), "rdna s_load<Dwords>: Dwords are 1, 2, 4, 8 or 16, and on gfx12 3");
    static_assert(!width || has_lines<Row>, "rdna s_load: no source tells gfx1250's lines");
    return (width || (three && Dwords == 3)) && has_lines<Row>;
  }
}

/// Forms that exist on every chip, and of which no source tells what they cost on any. (No width is 0.)
struct unknown_lds_forms {
  template <unsigned Bits, unsigned O0, unsigned O1>
  struct ds_load_2addr : coalescing::detail::missing {
    static_assert(Bits == 0, "rdna ds_load_2addr: no source tells which lanes two-address loads serve together");
  };
  template <unsigned Bits, unsigned O0, unsigned O1>
  struct ds_load_2addr_stride64 : coalescing::detail::missing {
    static_assert(Bits == 0, "rdna ds_load_2addr: no source tells which lanes two-address loads serve together");
  };
  template <unsigned Bits, unsigned O0, unsigned O1>
  struct ds_store_2addr : coalescing::detail::missing {
    static_assert(Bits == 0, "rdna ds_store_2addr: no source tells which lanes two-address stores serve together");
  };
  template <unsigned Bits, unsigned O0, unsigned O1>
  struct ds_store_2addr_stride64 : coalescing::detail::missing {
    static_assert(Bits == 0, "rdna ds_store_2addr: no source tells which lanes two-address stores serve together");
  };
  template <unsigned Bits>
  struct ds_atomic : coalescing::detail::missing {
    static_assert(Bits == 0, "rdna ds_atomic: no source tells what atomics in LDS cost");
  };
};

/// Refuses all of a chip that has a name and no more. (No width is 0.)
template <unsigned Width>
COALESCE_API constexpr bool is_known_of_the_chip() {
  static_assert(
      Width == 0,
      "rdna: of gfx1170, gfx1171, gfx1172 and gfx1310 sources tell how much LDS a work-group has, and nothing "
      "else");
  return false;
}
template <unsigned Width>
using unknown_of_the_chip =
    coalescing::detail::if_it_exists<is_known_of_the_chip<Width>(), coalescing::detail::missing>;

}  // namespace rules

/// The instructions of a chip; rdna::gfx1100 and so on name them. What no source tells is refused by name
/// (rules above): of gfx1250's memory instructions there is none.
template <chip Chip>
struct machine : rules::unknown_lds_forms, compute_unit<rdna::row<Chip>, 32, environment<machine<Chip>>> {
  using row = rdna::row<Chip>;
  static constexpr char const* name = row::name;
  static constexpr machine_name identity{{.name = "rdna"}, name};
  using generation = typename row::generation;

  /// DS_LOAD_U8, U16, B32, B64, B128 (gfx10: DS_READ_*). B128 on gfx1100, gfx1151 and gfx1201 only.
  template <unsigned Bits>
  struct ds_load : coalescing::detail::if_it_exists<rules::ds_load_is_known<Chip, 32, Bits>(),
                                                    rules::lds_access<32, Bits, ds_load_row, Chip>> {
    static constexpr instruction_name called{identity, "ds_load", {Bits}};
  };
  /// DS_STORE_B16, B32, B64, B128, on gfx1100 and gfx1151 only.
  template <unsigned Bits>
  struct ds_store : coalescing::detail::if_it_exists<rules::ds_store_is_known<Chip, 32, Bits>(),
                                                     rules::lds_access<32, Bits, ds_store_row, Chip>> {
    static constexpr instruction_name called{identity, "ds_store", {Bits}};
  };
  /// GLOBAL_LOAD_*: 8 to 128 Bits of each lane. On gfx1030 those of 32 and 64 bits have `clocks`.
  template <unsigned Bits>
  struct global_load : coalescing::detail::if_it_exists<rules::access_is_known<row, 32, Bits>(),
                                                        typename rules::load_rule<row, 32, Bits>::type> {
    static constexpr instruction_name called{identity, "global_load", {Bits}};
  };
  /// GLOBAL_STORE_*.
  template <unsigned Bits>
  struct global_store
      : coalescing::detail::if_it_exists<rules::access_is_known<row, 32, Bits>(), rules::global_access<row, 32, Bits>> {
    static constexpr instruction_name called{identity, "global_store", {Bits}};
  };
  /// GLOBAL_ATOMIC_* of 32 or 64 bits, which are done in L2.
  template <unsigned Bits>
  struct global_atomic
      : coalescing::detail::if_it_exists<rules::atomic_is_known<row, 32, Bits>(), rules::global_atomic<row, 32, Bits>> {
    static constexpr instruction_name called{identity, "global_atomic", {Bits}};
  };
  /// S_LOAD_B32, B64, B128, B256, B512, on gfx12 B96. One request for the wave, so it has one lane.
  template <unsigned Dwords>
  struct s_load : coalescing::detail::if_it_exists<rules::scalar_load_is_known<row, 32, Dwords>(),
                                                   rules::scalar_load<row, 32, Dwords>> {
    static constexpr instruction_name called{identity, "s_load", {Dwords}};
  };

  /// The same in waves of 64 lanes: two halves, lanes 0 to 31 and 32 to 63, one after the other.
  struct wave64 : rules::unknown_lds_forms, compute_unit<row, 64, environment<generation>> {
    static constexpr machine_name identity{machine::identity.family, name, 0, "wave64"};
    static_assert(row::wave64.value, "rdna wave64: waves of gfx1250 have 32 lanes only");
    template <unsigned Bits>
    struct ds_load : coalescing::detail::if_it_exists<rules::ds_load_is_known<Chip, 64, Bits>(),
                                                      rules::lds_access<64, Bits, ds_load_row, Chip>> {
      static constexpr instruction_name called{identity, "ds_load", {Bits}};
    };
    template <unsigned Bits>
    struct ds_store : coalescing::detail::if_it_exists<rules::ds_store_is_known<Chip, 64, Bits>(),
                                                       rules::lds_access<64, Bits, ds_store_row, Chip>> {
      static constexpr instruction_name called{identity, "ds_store", {Bits}};
    };
    template <unsigned Bits>
    struct global_load : coalescing::detail::if_it_exists<rules::access_is_known<row, 64, Bits>(),
                                                          typename rules::load_rule<row, 64, Bits>::type> {
      static constexpr instruction_name called{identity, "global_load", {Bits}};
    };
    template <unsigned Bits>
    struct global_store : coalescing::detail::if_it_exists<rules::access_is_known<row, 64, Bits>(),
                                                           rules::global_access<row, 64, Bits>> {
      static constexpr instruction_name called{identity, "global_store", {Bits}};
    };
    template <unsigned Bits>
    struct global_atomic : coalescing::detail::if_it_exists<rules::atomic_is_known<row, 64, Bits>(),
                                                            rules::global_atomic<row, 64, Bits>> {
      static constexpr instruction_name called{identity, "global_atomic", {Bits}};
    };
    template <unsigned Dwords>
    struct s_load : coalescing::detail::if_it_exists<rules::scalar_load_is_known<row, 64, Dwords>(),
                                                     rules::scalar_load<row, 64, Dwords>> {
      static constexpr instruction_name called{identity, "s_load", {Dwords}};
    };
  };
};

namespace rules {
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
