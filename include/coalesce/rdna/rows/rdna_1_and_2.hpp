// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/documents.hpp>
#include <coalesce/core/source.hpp>
#include <coalesce/rdna/documents.hpp>
#include <coalesce/rdna/generations.hpp>
#include <coalesce/rdna/rows/every_chip.hpp>

// The facts of RDNA 1 and 2: gfx10.

namespace coalescing::rdna {

struct rdna_1 : every_rdna_chip {
  using generation = gfx10;
};
struct rdna_2 : every_rdna_chip {
  using generation = gfx10;
  static constexpr fact banks{
      32, documents::isa_2.says("12.1", "64 banks a workgroup processor, in two sets of 32: a wave sees one set")};
  static constexpr source loads_of_32 = phases_by::isa_2;
};
template <>
struct row<chip::gfx1010> : rdna_1 {
  static constexpr char const* name = "gfx1010";
  static constexpr fact vgpr_granule{
      8, amd::documents::llvm_subtarget.says("getVGPRAllocGranule", "a wave32 gets VGPRs in granules of 8")};
  static constexpr fact waves_per_simd{
      20, amd::documents::llvm_subtarget.says("getMaxWavesPerEU", "at most 20 waves a SIMD")};
  static constexpr fact lds_granule{512, documents::mesa.says("", "in granules of 512 bytes")};
  static constexpr fact<unsigned> banks = taken_over(rdna_2::banks, "that RDNA 1 is as RDNA 2");
};
template <>
struct row<chip::gfx1012> : row<chip::gfx1010> {
  static constexpr char const* name = "gfx1012";
};
/// Loads that hit L0 were measured on this chip alone. We fitted the rule of their clocks (rdna/global.hpp).
template <>
struct row<chip::gfx1030> : rdna_2 {
  static constexpr char const* name = "gfx1030";
  static constexpr source clocks = documents::gpu_benches.shows(
      "",
      "a rule that gives all 112 rows of loads that hit L0 on a Radeon RX 6900 XT (gfx1030), of 32 and 64 bits, within "
      "0.05 clocks or 1 %");
  static constexpr fact tag_banks{4, clocks};           ///< by address bits 8:7; each reads one line a clock
  static constexpr fact data_banks{32, clocks};         ///< of dwords, across a line; each reads one dword a clock
  static constexpr fact lines_of_one_clock{2, clocks};  ///< more lines take at least two clocks
};
template <>
struct row<chip::gfx1036> : rdna_2 {
  static constexpr char const* name = "gfx1036";
};

}  // namespace coalescing::rdna
