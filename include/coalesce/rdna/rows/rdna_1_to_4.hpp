// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/rdna/rows/every_chip.hpp>

// The facts of RDNA 1 and 2 (gfx10), RDNA 3 and 3.5 (gfx11), and RDNA 4 (gfx12).

namespace coalescing::rdna {

/// No source tells which lanes RDNA 1's LDS serves together in loads of 96 and 128 bits. (Triton's pull request 11365
/// covers RDNA 2 to 4, but excludes RDNA 1.)
struct rdna_1 : before_rdna_4<as_in_rdna_3<every_rdna_chip>> {
  using generation = gfx10;
  static constexpr auto counted_by = profiler::rocprof_gfx10;
};
struct rdna_2 : before_rdna_4<as_in_rdna_3<every_rdna_chip>> {
  using generation = gfx10;
  static constexpr auto counted_by = profiler::rocprof_gfx10;
  static constexpr fact banks{
      32, documents::isa_2.says("12.1", "64 banks a workgroup processor, in two sets of 32: a wave sees one set")};
  static constexpr source loads_of_32 = phases_by::isa_2, stores_of_32 = phases_by::isa_2_stores,
                          loads_of_96 = phases_by::wide_loads_of_rdna_2_and_3;
  static constexpr fact wide_loads{paired_quads_of_32, phases_by::wide_loads_of_rdna_2_and_3};
};
template <>
struct row<chip::gfx1010> : rdna_1 {
  static constexpr char const* name = "gfx1010";
  static constexpr fact vgpr_granule{
      8, documents::llvm_subtarget.says("getVGPRAllocGranule", "a wave32 gets VGPRs in granules of 8")};
  static constexpr fact waves_per_simd{20,
                                       documents::llvm_subtarget.says("getMaxWavesPerEU", "at most 20 waves a SIMD")};
  static constexpr fact lds_granule{512, documents::mesa.says("", "in granules of 512 bytes")};
  static constexpr fact<unsigned> banks = taken_over(rdna_2::banks, "that RDNA 1 is as RDNA 2");
};
template <>
struct row<chip::gfx1012> : row<chip::gfx1010> {
  static constexpr char const* name = "gfx1012";
};
/// Loads that hit L0 were measured on this chip alone. We fitted a rule for their clocks to the measurements
/// (rdna/global.hpp).
template <>
struct row<chip::gfx1030> : rdna_2 {
  static constexpr char const* name = "gfx1030";
  static constexpr source clocks = documents::gpu_benches.shows(
      "",
      "a rule that gives all 112 rows of loads that hit L0 on a Radeon RX 6900 XT (gfx1030), of 32 and 64 bits, within "
      "0.05 clocks or 1 %");
  /// Address bits 8:7 choose the bank of tags. Each such bank looks up one line in a clock.
  static constexpr fact tag_banks{4, clocks};
  static constexpr fact data_banks{32, clocks};  ///< one for each dword of a line; each bank reads one dword in a clock
  /// The most lines that one clock can serve. More lines take at least two clocks.
  static constexpr fact lines_of_one_clock{2, clocks};
};
template <>
struct row<chip::gfx1036> : rdna_2 {
  static constexpr char const* name = "gfx1036";
};

struct rdna_3 : before_rdna_4<every_rdna_chip> {
  using generation = gfx11;
  static constexpr auto counted_by = profiler::rocprof_gfx11;
  static constexpr source loads_of_32 = phases_by::isa_3, stores_of_32 = phases_by::isa_3_stores,
                          loads_of_96 = phases_by::wide_loads_of_rdna_2_and_3, pairs = phases_by::pairs_of_rdna_3;
  static constexpr fact wide_loads{paired_quads_of_32, phases_by::wide_loads_of_rdna_2_and_3};
};
/// RDNA 3's guide says how many dwords LDS loads or stores at a time. We did not look for such a sentence in RDNA 3.5's
/// guide. So here the source for loads and stores of 32 bits is documents::loom, with its runs on gfx1100 and gfx1151.
template <class Chip>
struct rdna_35 : as_in_rdna_3<Chip> {
  static constexpr source loads_of_32 = phases_by::other_chips, stores_of_32 = phases_by::other_stores;
  static constexpr fact lds_granule{1024, documents::isa_35.says("3.3.4", "in granules of 1024 bytes")};
};
/// A chip that has one and a half times as many VGPRs as the other chips.
template <class Chip>
struct with_more_registers : Chip {
  static constexpr fact vgprs{
      1536, documents::llvm_subtarget.says("getTotalNumVGPRs", "VGPRs that a lane of a SIMD has for all its waves32")};
  static constexpr fact vgpr_granule{
      24, documents::llvm_subtarget.says("getVGPRAllocGranule", "a wave32 gets VGPRs in granules of 24")};
};
template <>
struct row<chip::gfx1100> : with_more_registers<rdna_3> {
  static constexpr char const* name = "gfx1100";
  static constexpr source loads_of_16 = phases_by::loom_loads, loads_of_32 = phases_by::shark_w7900,
                          loads_of_64 = phases_by::shark_w7900, stores = phases_by::loom_stores;
  static constexpr fact wide_loads{paired_quads_of_32, phases_by::shark_w7900};
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
  static constexpr source loads_of_32 = phases_by::loom_loads, loads_of_64 = phases_by::loom_loads,
                          stores_of_32 = phases_by::loom_stores;
  static constexpr fact wide_loads{paired_quads_of_32, phases_by::loom_loads};
};
template <>
struct row<chip::gfx1152> : rdna_35<rdna_3> {
  static constexpr char const* name = "gfx1152";
};
template <>
struct row<chip::gfx1153> : rdna_35<rdna_3> {
  static constexpr char const* name = "gfx1153";
};

/// No source tells the size of RDNA 4's cache lines, so it is taken over from RDNA 3. RDNA 4 has no GL1.
struct rdna_4 : as_in_rdna_3<every_rdna_chip> {
  using generation = gfx12;
  static constexpr auto counted_by = profiler::rocprof_gfx12;
  static constexpr char const* as_rdna_3 = "that RDNA 4 has the lines of RDNA 3";
  static constexpr fact lds_granule{1024, documents::isa_4.says("3.3.5", "in granules of 1024 bytes")};
  static constexpr fact banks{
      32, documents::isa_4.says("12.1", "64 banks a workgroup processor, in two sets of 32: a wave sees one set")};
  static constexpr fact<unsigned> line_bytes = taken_over(every_rdna_chip::line_bytes, as_rdna_3);
  static constexpr source lines_of_a_wave = taken_over(every_rdna_chip::lines_of_a_wave, as_rdna_3);
  static constexpr fact<unsigned> scalar_line_bytes = taken_over(every_rdna_chip::scalar_line_bytes, as_rdna_3);
  static constexpr source scalar_load_b96 = documents::llvm_assembler.says("s_load_b96", "from gfx12 on");
  static constexpr source stores_of_32 = phases_by::stores_of_rdna_4, stores = phases_by::stores_of_rdna_4,
                          loads_of_96 = phases_by::wide_loads_of_rdna_4;
  static constexpr fact wide_loads{quarters_of_32, phases_by::wide_loads_of_rdna_4};
};
template <>
struct row<chip::gfx1200> : with_more_registers<rdna_4> {
  static constexpr char const* name = "gfx1200";
};
template <>
struct row<chip::gfx1201> : with_more_registers<rdna_4> {
  static constexpr char const* name = "gfx1201";
  static constexpr source loads_of_32 = phases_by::shark_9070_xt, loads_of_64 = phases_by::shark_9070_xt;
  static constexpr fact wide_loads{quarters_of_32, phases_by::shark_9070_xt};
};

}  // namespace coalescing::rdna
