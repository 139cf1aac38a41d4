// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/documents.hpp>
#include <coalesce/core/source.hpp>
#include <coalesce/rdna/documents.hpp>
#include <coalesce/rdna/generations.hpp>
#include <coalesce/rdna/rows/every_chip.hpp>

// The facts of RDNA 3 and 3.5 (gfx11), and of RDNA 4 (gfx12).

namespace coalescing::rdna {

struct rdna_3 : every_rdna_chip {
  using generation = gfx11;
};
template <class Chip>
struct rdna_35 : Chip {
  static constexpr fact lds_granule{1024, documents::isa_35.says("3.3.4", "in granules of 1024 bytes")};
};
/// Some chips have one and a half times the registers.
template <class Chip>
struct with_more_registers : Chip {
  static constexpr fact vgprs{1536, amd::documents::llvm_subtarget.says(
                                        "getTotalNumVGPRs", "VGPRs that a lane of a SIMD has for all its waves32")};
  static constexpr fact vgpr_granule{
      24, amd::documents::llvm_subtarget.says("getVGPRAllocGranule", "a wave32 gets VGPRs in granules of 24")};
};
template <>
struct row<chip::gfx1100> : with_more_registers<rdna_3> {
  static constexpr char const* name = "gfx1100";
  static constexpr source loads_of_16 = phases_by::loom_loads, loads_of_32 = phases_by::shark_w7900,
                          loads_of_64 = phases_by::shark_w7900, stores = phases_by::loom_stores;
  static constexpr bool wave64_was_run = true;
};
template <>
struct row<chip::gfx1101> : with_more_registers<rdna_3> {
  static constexpr char const* name = "gfx1101";
};
template <>
struct row<chip::gfx1102> : rdna_3 {
  static constexpr char const* name = "gfx1102";
};
template <>
struct row<chip::gfx1103> : rdna_3 {
  static constexpr char const* name = "gfx1103";
};
template <>
struct row<chip::gfx1150> : rdna_35<rdna_3> {
  static constexpr char const* name = "gfx1150";
};
template <>
struct row<chip::gfx1151> : rdna_35<row<chip::gfx1100>> {
  static constexpr char const* name = "gfx1151";
  static constexpr source loads_of_32 = phases_by::loom_loads, loads_of_64 = phases_by::loom_loads;
};
template <>
struct row<chip::gfx1152> : rdna_35<rdna_3> {
  static constexpr char const* name = "gfx1152";
};
template <>
struct row<chip::gfx1153> : rdna_35<rdna_3> {
  static constexpr char const* name = "gfx1153";
};

/// RDNA 4 has no GL1. No source tells the size of its lines, so they are taken over from RDNA 3.
struct rdna_4 : every_rdna_chip {
  using generation = gfx12;
  static constexpr char const* as_rdna_3 = "that RDNA 4 has the lines of RDNA 3";
  static constexpr fact lds_granule{1024, documents::isa_4.says("3.3.5", "in granules of 1024 bytes")};
  static constexpr fact banks{
      32, documents::isa_4.says("12.1", "64 banks a workgroup processor, in two sets of 32: a wave sees one set")};
  static constexpr fact<unsigned> line_bytes = taken_over(every_rdna_chip::line_bytes, as_rdna_3);
  static constexpr source lines_of_a_wave = taken_over(every_rdna_chip::lines_of_a_wave, as_rdna_3);
  static constexpr fact<unsigned> scalar_line_bytes = taken_over(every_rdna_chip::scalar_line_bytes, as_rdna_3);
  static constexpr source scalar_load_b96 = documents::llvm_assembler.says("s_load_b96", "from gfx12 on");
};
template <>
struct row<chip::gfx1200> : with_more_registers<rdna_4> {
  static constexpr char const* name = "gfx1200";
};
template <>
struct row<chip::gfx1201> : with_more_registers<rdna_4> {
  static constexpr char const* name = "gfx1201";
  static constexpr source loads_of_32 = phases_by::shark_9070_xt, loads_of_64 = phases_by::shark_9070_xt;
};

}  // namespace coalescing::rdna
