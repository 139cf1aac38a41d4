// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/source.hpp>
#include <coalesce/rdna/documents.hpp>
#include <coalesce/rdna/generations.hpp>
#include <coalesce/rdna/rows/every_chip.hpp>
#include <coalesce/rdna/rows/gfx1250.hpp>
#include <coalesce/rdna/rows/rdna_1_and_2.hpp>
#include <coalesce/rdna/rows/rdna_3_and_4.hpp>

// The facts of every chip: row<chip::gfx1100> has those of gfx1100. Each figure stands beside its source. A generation
// states what its chips share. A row inherits its generation and adds its own. A row lacks what no source tells, and
// instructions that need it are refused. The phases of LDS instructions are in rdna/lds_rows.hpp.
//
//     rows/every_chip.hpp    what the chips share
//     rows/rdna_1_and_2.hpp  gfx1010 to gfx1036
//     rows/rdna_3_and_4.hpp  gfx1100 to gfx1201
//     rows/gfx1250.hpp       gfx1250, gfx1251

namespace coalescing::rdna {

// ---- Chips that LLVM 22 does not know ----

template <>
struct row<chip::gfx1170> {
  static constexpr char const* name = "gfx1170";
  static constexpr fact lds_bytes{
      64 * 1024, documents::llvm_gfx1170.implies("FeatureISAVersion11_7_0",
                                                 "gfx11's common features, so 64 KiB of LDS a work-group")};
};
template <>
struct row<chip::gfx1171> {
  static constexpr char const* name = "gfx1171";
  static constexpr fact lds_bytes{64 * 1024,
                                  documents::llvm_gfx117x.implies("", "identical to gfx1170 in LLVM, so 64 KiB")};
};
template <>
struct row<chip::gfx1172> : row<chip::gfx1171> {
  static constexpr char const* name = "gfx1172";
};
template <>
struct row<chip::gfx1310> {
  static constexpr char const* name = "gfx1310";
  static constexpr fact lds_bytes{192 * 1024,
                                  documents::llvm_gfx13_lds.says("", "at most 192 KiB of LDS a work-group")};
  static constexpr fact lds_of_two_simds{96 * 1024,
                                         documents::llvm_gfx13_lds.says("", "96 KiB where it runs on two SIMDs")};
};

/// Whether sources tell how much LDS a work-group of the chip has, and nothing else. Such a row lacks its generation.
template <chip Chip>
inline constexpr bool is_only_named = !requires {
  typename row<Chip>::generation;
};

/// The generation of a chip; a generation is its own. Refused: a chip that is only named.
template <class Machine>
struct generation_of {
  using type = typename Machine::generation;
};
template <chip Chip>
struct generation_of<machine<Chip>> {
  using type = typename row<Chip>::generation;
};
template <chip Chip>
requires is_only_named<Chip>
struct generation_of<machine<Chip>> {
  using type = gfx12;  // any generation does, so that the sentence is the only error
  static_assert(
      !is_only_named<Chip>,
      "rdna: of gfx1170, gfx1171, gfx1172 and gfx1310 sources tell how much LDS a work-group has, and nothing "
      "else");
};

/// Whether waves of that many lanes exist, 32 or 64. rdna.hpp has the sentence for a wave64 that does not exist.
template <class Row, unsigned Lanes>
inline constexpr bool wave_exists = Lanes == 32 || Row::wave64.value;

}  // namespace coalescing::rdna
