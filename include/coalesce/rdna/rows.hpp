// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/source.hpp>
#include <coalesce/rdna/documents.hpp>
#include <coalesce/rdna/generations.hpp>
#include <coalesce/rdna/rows/every_chip.hpp>
#include <coalesce/rdna/rows/rdna_1_to_4.hpp>

// The facts of every chip: row<chip::gfx1100> has those of gfx1100. Each number stands beside its source. A row
// inherits the facts that the chips of its generation share, and adds its own. A row lacks a fact that no source tells,
// and instructions that need this fact are refused. The phases of LDS instructions are in rdna/lds.hpp.
//
//     rows/every_chip.hpp   what the chips share
//     rows/rdna_1_to_4.hpp  gfx1010 to gfx1201
//     rows.hpp              gfx1250, gfx1251; chips that LLVM 22 does not know

namespace coalescing::rdna {

/// gfx1250 is CDNA 5. Its workgroup processors have one mode, and four SIMDs that share LDS and a cache. (LLVM calls
/// this processor a compute unit. AMD's guide calls half of the processor a compute unit.) The number of LDS banks is
/// known, but sources contradict each other on which lanes LDS serves together. No source tells the size of a cache
/// line.
template <>
struct row<chip::gfx1250> : every_chip {
  using generation = gfx1250;
  static constexpr auto counted_by = profiler::rocprof_gfx12;
  static constexpr char const* name = "gfx1250";
  static constexpr fact lanes{32, documents::llvm_wave32_only.says("", "waves have 32 lanes only")};
  static constexpr fact vgpr_granule{16, documents::isa_cdna_5.says("3.3.2", "a wave gets VGPRs in blocks of 16")};
  static constexpr fact vgprs_of_a_wave{1024, documents::isa_cdna_5.says("3.3.2", "a wave has at most 1024 VGPRs")};
  static constexpr fact sgprs_of_a_wave{
      106, documents::isa_cdna_5.says("3.3.2", "a wave always has 106 SGPRs, so they never limit")};
  static constexpr fact<bool> wave64{false, documents::llvm_wave32_only.says("", "waves have 32 lanes only")};
  static constexpr fact simds_of_wgp{4, documents::isa_cdna_5.says("1.1", "a workgroup processor has four SIMDs")};
  static constexpr fact groups_of_wgp{
      32, documents::isa_cdna_5.says("2.2", "32 work-groups; those of one wave do not count")};
  static constexpr fact groups_of_wgp_by_llvm{
      16, documents::llvm_subtarget.says("getMaxWorkGroupsPerCU", "LLVM counts with 16 of several waves")};
  static constexpr fact lds_of_wgp{320 * 1024,
                                   documents::isa_cdna_5.says("11.1", "320 KiB of LDS a workgroup processor")};
  static constexpr fact lds_bytes{320 * 1024,
                                  documents::llvm_targets.says("gfx1250", "at most 320 KiB of LDS a work-group")};
  static constexpr fact lds_granule{2048, documents::llvm_lds_granule.says("", "in granules of 2048 bytes")};
  static constexpr fact banks{64, documents::isa_cdna_5.says("11.1", "64 banks of LDS")};
  static constexpr fact bank_bytes{4, documents::isa_cdna_5.says("11.1", "banks of dwords")};
};
template <>
struct row<chip::gfx1251> : row<chip::gfx1250> {
  static constexpr char const* name = "gfx1251";
};

// Chips that LLVM 22 does not know. LLVM's later sources tell how much LDS they have, and nothing else.

struct only_named {
  static constexpr auto counted_by = profiler::none;
};
template <>
struct row<chip::gfx1170> : only_named {
  static constexpr char const* name = "gfx1170";
  static constexpr fact lds_bytes{
      64 * 1024, documents::llvm_gfx1170.implies("FeatureISAVersion11_7_0",
                                                 "gfx11's common features, so 64 KiB of LDS a work-group")};
};
template <>
struct row<chip::gfx1171> : only_named {
  static constexpr char const* name = "gfx1171";
  static constexpr fact lds_bytes{64 * 1024,
                                  documents::llvm_gfx117x.implies("", "identical to gfx1170 in LLVM, so 64 KiB")};
};
template <>
struct row<chip::gfx1172> : row<chip::gfx1171> {
  static constexpr char const* name = "gfx1172";
};
template <>
struct row<chip::gfx1310> : only_named {
  static constexpr char const* name = "gfx1310";
  static constexpr fact lds_bytes{192 * 1024,
                                  documents::llvm_gfx13_lds.says("", "at most 192 KiB of LDS a work-group")};
  static constexpr fact lds_of_two_simds{96 * 1024,
                                         documents::llvm_gfx13_lds.says("", "96 KiB where it runs on two SIMDs")};
};

/// Whether a chip is only named: sources tell how much LDS its work-groups can have, and nothing else. The row of such
/// a chip states no generation.
template <chip Chip>
inline constexpr bool is_only_named = !requires {
  typename row<Chip>::generation;
};

/// The generation of a machine. If Machine is a chip, this is the chip's generation; if Machine is a generation, it is
/// Machine itself. Refused: a chip that is only named (is_only_named).
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
  using type = gfx12;  // any generation: without a type, the compiler would report more errors
  static_assert(!is_only_named<Chip>,
                "rdna: for gfx1170, gfx1171, gfx1172 and gfx1310, sources tell only how much LDS a work-group has");
};

/// Whether waves of `Lanes` lanes exist, 32 or 64. rdna/forms.hpp has the error for a wave64 that does not exist.
template <class Row, unsigned Lanes>
inline constexpr bool wave_exists = Lanes == 32 || Row::wave64.value;

}  // namespace coalescing::rdna
