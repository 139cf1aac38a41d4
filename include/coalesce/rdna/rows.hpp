// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/documents.hpp>
#include <coalesce/core/source.hpp>
#include <coalesce/rdna/documents.hpp>
#include <coalesce/rdna/generations.hpp>

// The facts of the chips of RDNA 1 to 4 and of gfx1250, each with its source: a row for each chip. (Those of LDS
// instructions are in rdna/lds_rows.hpp.) What is unknown of a chip is missing from its row.

namespace coalescing::rdna {

template <chip Chip>
struct row;

// ---- What is known of which lanes LDS serves together ----

inline constexpr char const *idle_phases = "that a phase without an active lane takes a round, as on GCN and CDNA",
                            *one_store =
                                "that lanes which store to one dword are one request (loom's model counts "
                                "each lane), and that an idle phase takes a round";

/// Each claim once.
namespace phases_by {
inline constexpr source loom_loads =
    documents::loom.implies("ds_read",
                            "masks of waves of 32 and 64, from runs on gfx1100 and gfx1151 whose figures are "
                            "not public (amd-shark-ai's latencies on W7900 agree)",
                            idle_phases);
inline constexpr source loom_stores = documents::loom.implies(
    "ds_write", "masks of waves of 32 and 64, from runs on gfx1100 and gfx1151 whose figures are not public",
    one_store);
inline constexpr source shark_w7900 =
    amd::documents::shark.shows("rdna3info",
                                "latencies of waves of 32 on W7900 (gfx1100); loom's masks agree, of waves of 64 "
                                "too",
                                idle_phases);
inline constexpr source shark_9070_xt =
    amd::documents::shark.shows("rdna4info", "latencies on RX 9070 XT (gfx1201)", idle_phases);
inline constexpr source isa_2 =
    documents::isa_2.says("12.1", "32 accesses of 32 bits at a time, a dword of each bank", idle_phases);
inline constexpr source other_chips =
    taken_over(loom_loads, "that it is as on gfx1100 and gfx1151, and that an idle phase takes a round");
}  // namespace phases_by

// ---- Chips ----

/// Registers, waves and work-groups of gfx1030, and of all that do not say otherwise.
struct every_chip {
  static constexpr fact lanes{32, documents::isa_3.says("3.2.3", "a wave has 32 lanes")};
  static constexpr fact vgprs{
      1024, amd::documents::llvm_subtarget.says("getTotalNumVGPRs", "of a lane of a SIMD, for all waves32")};
  static constexpr fact vgpr_granule{
      16, amd::documents::llvm_subtarget.says("getVGPRAllocGranule", "of a wave32, in granules of 16")};
  static constexpr fact vgprs_of_a_wave{
      256, amd::documents::llvm_subtarget.says("getAddressableNumVGPRs", "at most 256 of a wave")};
  static constexpr fact waves_per_simd{
      16, amd::documents::llvm_subtarget.says("getMaxWavesPerEU", "at most 16 waves a SIMD")};
  static constexpr fact work_group_lanes{
      1024, amd::documents::llvm_subtarget.says("getMaxFlatWorkGroupSize", "at most 1024 lanes a work-group")};
};

/// How many SIMDs, how much LDS, and how many work-groups of several waves a mode gives. ISA4 states them of RDNA 4;
/// LLVM 22 counts with the same of all (tests/truth/outside/llvm compares gfx10 and gfx11 too).
struct every_rdna_chip : every_chip {
  static constexpr fact<bool> wave64{true, documents::isa_3.says("3.2.3", "a wave may have 64 lanes: two passes")};
  static constexpr fact simds_of_wgp{4,
                                     documents::isa_4.says("3.3.5", "of both compute units of a workgroup processor")};
  static constexpr fact simds_of_cu{2, documents::isa_4.says("3.3.5", "of one compute unit")};
  static constexpr fact lds_of_wgp{128 * 1024, documents::isa_4.says("3.3.5", "128 KiB of LDS a workgroup processor")};
  static constexpr fact lds_of_cu{64 * 1024, documents::isa_4.says("3.3.5", "CU mode: one side of the LDS, 64 KiB")};
  static constexpr fact groups_of_wgp{
      32, amd::documents::llvm_subtarget.says("getMaxWorkGroupsPerCU", "32 work-groups of several waves: barriers")};
  static constexpr fact groups_of_cu{16, amd::documents::llvm_subtarget.says("getMaxWorkGroupsPerCU", "in CU mode 16")};

  static constexpr fact lds_bytes{64 * 1024, documents::isa_4.says("3.3.5", "at most 64 KiB of LDS a work-group")};
  static constexpr fact lds_granule{1024, documents::mesa.says("", "in granules of 1024 bytes")};
  static constexpr fact banks{
      32, documents::isa_3.says("12.1", "64 banks a workgroup processor, in two sets of 32: a wave sees one set")};
  static constexpr fact bank_bytes{4, documents::isa_3.says("12.1", "banks of dwords")};
  static constexpr source loads_of_16 = phases_by::other_chips, loads_of_32 = phases_by::other_chips,
                          loads_of_64 = phases_by::other_chips;
  static constexpr bool wave64_was_run = false;  ///< by loom, whose masks are of both waves

  static constexpr fact line_bytes{128, documents::driver_caches.says("", "lines of L0, GL1 and L2 have 128 bytes")};
  static constexpr source lines_of_a_wave =
      documents::driver_caches.implies("",
                                       "that each line of 128 bytes is asked for once by a wave of 32 lanes, or by "
                                       "each half of one of 64: no counter reading is public");
  static constexpr source atomic_lines = taken_over(lines_of_a_wave, "that L2, where atomics are done, is asked alike");
  static constexpr fact scalar_line_bytes{64,
                                          documents::driver_caches.says("", "lines of the scalar cache have 64 bytes")};
  static constexpr fact aligned_bytes{
      4, our_reading.implies(
             "", "what a dword or wider access costs at other addresses, where a mode allows it, is in no source")};
};

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
      8, amd::documents::llvm_subtarget.says("getVGPRAllocGranule", "of a wave32, in granules of 8")};
  static constexpr fact waves_per_simd{
      20, amd::documents::llvm_subtarget.says("getMaxWavesPerEU", "at most 20 waves a SIMD")};
  static constexpr fact lds_granule{512, documents::mesa.says("", "in granules of 512 bytes")};
  static constexpr fact<unsigned> banks = taken_over(rdna_2::banks, "that RDNA 1 is as RDNA 2");
};
template <>
struct row<chip::gfx1012> : row<chip::gfx1010> {
  static constexpr char const* name = "gfx1012";
};
/// Of this chip alone loads that hit L0 were measured: the clocks are a rule that we fitted (rdna/global.hpp).
template <>
struct row<chip::gfx1030> : rdna_2 {
  static constexpr char const* name = "gfx1030";
  static constexpr source clocks = documents::gpu_benches.shows(
      "",
      "a rule that gives all 112 rows of loads that hit L0 on a Radeon RX 6900 XT (gfx1030), of 32 and 64 bits, within "
      "0.05 clocks or 1 %");
  static constexpr fact tag_banks{4, clocks};           ///< address bits 8:7: a line of each in a clock
  static constexpr fact data_banks{32, clocks};         ///< across a line: a dword of each in a clock
  static constexpr fact lines_of_one_clock{2, clocks};  ///< of more, two clocks at least
};
template <>
struct row<chip::gfx1036> : rdna_2 {
  static constexpr char const* name = "gfx1036";
};

/// Some have half as many registers again.
struct rdna_3 : every_rdna_chip {
  using generation = gfx11;
};
template <class Chip>
struct rdna_35 : Chip {
  static constexpr fact lds_granule{1024, documents::isa_35.says("3.3.4", "in granules of 1024 bytes")};
};
template <class Chip>
struct with_more_registers : Chip {
  static constexpr fact vgprs{
      1536, amd::documents::llvm_subtarget.says("getTotalNumVGPRs", "of a lane of a SIMD, for all waves32")};
  static constexpr fact vgpr_granule{
      24, amd::documents::llvm_subtarget.says("getVGPRAllocGranule", "of a wave32, in granules of 24")};
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

/// There is no GL1, and no source tells the size of a line.
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

/// gfx1250 is CDNA 5: a workgroup processor has four SIMDs, LDS and a cache among them, and one mode. (LLVM calls it a
/// compute unit; AMD's guide calls half of it that.) Of LDS the banks are known, and not which lanes they serve
/// together; of the caches no source tells the size of a line.
template <>
struct row<chip::gfx1250> : every_chip {
  using generation = gfx1250;
  static constexpr char const* name = "gfx1250";
  static constexpr fact lanes{32, documents::llvm_wave32_only.says("", "waves have 32 lanes only")};
  static constexpr fact vgpr_granule{16, documents::isa_cdna_5.says("3.3.2", "of a wave, in blocks of 16")};
  static constexpr fact vgprs_of_a_wave{1024, documents::isa_cdna_5.says("3.3.2", "at most 1024 of a wave")};
  static constexpr fact sgprs_of_a_wave{
      106, documents::isa_cdna_5.says("3.3.2", "always 106 of a wave, so they never limit")};
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

/// Chips that LLVM 22 does not know, and later sources do: how much LDS a work-group has.
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

// ---- Generations ----

/// Chips of which sources tell how much LDS a work-group has, and nothing else: their rows name no generation.
template <chip Chip>
inline constexpr bool is_only_named = !requires {
  typename row<Chip>::generation;
};

/// The generation of a chip or of a generation.
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
  using type = gfx12;  // any: the sentence is all that is to be read
  static_assert(
      !is_only_named<Chip>,
      "rdna: of gfx1170, gfx1171, gfx1172 and gfx1310 sources tell how much LDS a work-group has, and nothing "
      "else");
};

/// Whether waves can have so many lanes. (Of a wave64 that does not exist rdna.hpp says so.)
template <class Row, unsigned Lanes>
inline constexpr bool wave_exists = Lanes == 32 || Row::wave64.value;

}  // namespace coalescing::rdna
