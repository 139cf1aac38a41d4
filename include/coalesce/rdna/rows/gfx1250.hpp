// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/documents.hpp>
#include <coalesce/core/source.hpp>
#include <coalesce/rdna/documents.hpp>
#include <coalesce/rdna/generations.hpp>
#include <coalesce/rdna/rows/every_chip.hpp>

// The facts of gfx1250 and gfx1251: CDNA 5.

namespace coalescing::rdna {

/// A workgroup processor has four SIMDs, which share LDS and a cache, and one mode. (LLVM calls the processor a compute
/// unit; AMD's guide calls half of it that.) The banks of LDS are known, but not which lanes they serve together. No
/// source tells the size of a cache line.
template <>
struct row<chip::gfx1250> : every_chip {
  using generation = gfx1250;
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
      16, amd::documents::llvm_subtarget.says("getMaxWorkGroupsPerCU", "LLVM counts with 16 of several waves")};
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

}  // namespace coalescing::rdna
