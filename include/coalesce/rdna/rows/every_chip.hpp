// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/lds.hpp>
#include <coalesce/core/name.hpp>
#include <coalesce/rdna/documents.hpp>
#include <coalesce/rdna/generations.hpp>

// The facts that chips share: registers and waves of every chip; LDS, cache lines and modes of RDNA 1 to 4.

namespace coalescing::rdna {

template <chip Chip>
struct row;

// ---- Which lanes LDS serves together ----

inline constexpr amd::lane_masks<1> all_of_32{{0xffff'ffff}};
inline constexpr amd::lane_masks<2> halves_of_32{{0x0000'ffff, 0xffff'0000}};
inline constexpr amd::lane_masks<4> quarters_of_32{{0x0000'00ff, 0x0000'ff00, 0x00ff'0000, 0xff00'0000}};
/// Four phases. Their lanes: {0-3, 20-23} {4-7, 16-19} {8-11, 28-31} {12-15, 24-27}.
inline constexpr amd::lane_masks<4> paired_quads_of_32{{0x00f0'000f, 0x000f'00f0, 0xf000'0f00, 0x0f00'f000}};

inline constexpr char const *idle_phases = "that a phase without an active lane takes a round, as on GCN and CDNA",
                            *one_store =
                                "that lanes which store to one dword are one request (loom's model counts "
                                "each lane), and that an idle phase takes a round",
                            *one_store_elsewhere =
                                "that it is as on gfx1100 and gfx1151, that lanes which store to one dword are one "
                                "request, and that an idle phase takes a round";

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
    documents::shark.shows("rdna3info",
                           "latencies of waves of 32 on W7900 (gfx1100); loom's masks agree, of waves of 64 "
                           "too",
                           idle_phases);
inline constexpr source shark_9070_xt =
    documents::shark.shows("rdna4info", "latencies on RX 9070 XT (gfx1201)", idle_phases);
inline constexpr char const* dwords_at_a_time = "32 loads or stores of 32 bits at a time, a dword of each bank";
inline constexpr source isa_2 = documents::isa_2.says("12.1", dwords_at_a_time, idle_phases),
                        isa_2_stores = documents::isa_2.says("12.1", dwords_at_a_time, one_store),
                        isa_3 = documents::isa_3.says("12.1", dwords_at_a_time, idle_phases),
                        isa_3_stores = documents::isa_3.says("12.1", dwords_at_a_time, one_store);
inline constexpr source other_chips =
    taken_over(loom_loads, "that it is as on gfx1100 and gfx1151, and that an idle phase takes a round");
inline constexpr source other_stores = taken_over(loom_stores, one_store_elsewhere);
/// In Triton's pull request 11365, GFX12 serves lanes in other phases than GFX11 only in loads of 96 and 128 bits. We
/// conclude that the phases of GFX12's stores are those of GFX11's stores.
inline constexpr source stores_of_rdna_4 =
    taken_over(documents::triton_phases.implies("getSharedLdStTiles",
                                                "GFX12 differs from GFX11 in DS_LOAD_B96 and B128; so its stores are "
                                                "GFX11's: the whole wave for 32 bits, halves for 64, quarters for 128"),
               one_store_elsewhere);
inline constexpr source wide_loads_of_rdna_4 = documents::triton_phases.says(
    "getSharedLdStTiles", "GFX12, DS_LOAD_B96 and B128: lanes 0 to 7, 8 to 15, 16 to 23, 24 to 31 in four cycles",
    idle_phases);
inline constexpr source wide_loads_of_rdna_2_and_3 = documents::triton_phases.implies(
    "getSharedLdStTiles", "RDNA 2 and 3 as CDNA 3; so it was measured on gfx1100, and loom's runs on gfx1151 agree",
    idle_phases);
/// What we conclude from amd-shark-ai's kernel guide for instructions with two addresses for each lane: LDS serves all
/// phases of the first address before those of the second.
inline constexpr char const* pairs_as_on_mi300 =
    "the phases of the first address, then of the second, as ds_read2_b64 on MI300, whose phases of one address are "
    "those of gfx11";
inline constexpr source pairs_of_rdna_3 = documents::kernel_guide.implies("Avoiding LDS Bank Conflicts, MI300",
                                                                          pairs_as_on_mi300, idle_phases),
                        pairs_elsewhere =
                            taken_over(pairs_of_rdna_3, "that it is as on gfx11, and that an idle phase takes a round");
}  // namespace phases_by

// ---- Chips ----

/// The facts of registers, waves and work-groups. A chip that differs states its own fact in its row.
struct every_chip {
  static constexpr fact lanes{32, documents::isa_3.says("3.2.3", "a wave has 32 lanes")};
  static constexpr fact vgprs{
      1024, documents::llvm_subtarget.says("getTotalNumVGPRs", "VGPRs that a lane of a SIMD has for all its waves32")};
  static constexpr fact vgpr_granule{
      16, documents::llvm_subtarget.says("getVGPRAllocGranule", "a wave32 gets VGPRs in granules of 16")};
  static constexpr fact vgprs_of_a_wave{
      256, documents::llvm_subtarget.says("getAddressableNumVGPRs", "a wave has at most 256 VGPRs")};
  static constexpr fact waves_per_simd{16,
                                       documents::llvm_subtarget.says("getMaxWavesPerEU", "at most 16 waves a SIMD")};
  static constexpr fact work_group_lanes{
      1024, documents::llvm_subtarget.says("getMaxFlatWorkGroupSize", "at most 1024 lanes a work-group")};
};

/// The facts that RDNA 1 to 4 share. ISA4 states how many SIMDs and how much LDS the work-groups of RDNA 4 share in
/// each mode. LLVM 22 states how many work-groups of several waves fit. We use these numbers for RDNA 1 to 3, too,
/// because LLVM 22 computes the occupancy of RDNA 1 to 4 with them (tests/truth/outside/llvm compares gfx10, gfx11 and
/// gfx12).
struct every_rdna_chip : every_chip {
  static constexpr fact<bool> wave64{true, documents::isa_3.says("3.2.3", "a wave may have 64 lanes: two passes")};
  static constexpr fact simds_of_wgp{
      4, documents::isa_4.says("3.3.5", "two SIMDs on each compute unit of a workgroup processor")};
  static constexpr fact simds_of_cu{2, documents::isa_4.says("3.3.5", "two SIMDs on a compute unit")};
  static constexpr fact lds_of_wgp{128 * 1024, documents::isa_4.says("3.3.5", "128 KiB of LDS a workgroup processor")};
  static constexpr fact lds_of_cu{64 * 1024, documents::isa_4.says("3.3.5", "CU mode: one side of the LDS, 64 KiB")};
  static constexpr fact groups_of_wgp{
      32, documents::llvm_subtarget.says("getMaxWorkGroupsPerCU", "32 work-groups of several waves: barriers")};
  static constexpr fact groups_of_cu{16, documents::llvm_subtarget.says("getMaxWorkGroupsPerCU", "in CU mode 16")};

  static constexpr fact lds_bytes{64 * 1024, documents::isa_4.says("3.3.5", "at most 64 KiB of LDS a work-group")};
  static constexpr fact lds_granule{1024, documents::mesa.says("", "in granules of 1024 bytes")};
  static constexpr fact banks{
      32, documents::isa_3.says("12.1", "64 banks a workgroup processor, in two sets of 32: a wave sees one set")};
  static constexpr fact bank_bytes{4, documents::isa_3.says("12.1", "banks of dwords")};
  static constexpr source loads_of_16 = phases_by::other_chips, loads_of_32 = phases_by::other_chips,
                          loads_of_64 = phases_by::other_chips, stores_of_32 = phases_by::other_stores,
                          stores = phases_by::other_stores, pairs = phases_by::pairs_elsewhere;
  static constexpr bool wave64_was_run = false;  ///< whether the runs of documents::loom had waves of 64 lanes
  static constexpr fact pair_offset{
      255, documents::llvm_pairs.says("offsetsCanBeCombined", "two offsets of 8 bits, in elements")};
  static constexpr fact st64_elements{
      64, documents::llvm_pairs.says("offsetsCanBeCombined", "stride64 forms: in 64 elements")};
  static constexpr source equal_offsets = our_reading.implies("", "equal offsets are one access, as CDNA's guide says");
  static constexpr source offsets_wrap = documents::llvm_features.says(
      "hasUsableDSOffset", "the offset works as expected from GFX7 on: the sum of an address and an offset wraps");

  static constexpr fact line_bytes{128, documents::driver_caches.says("", "lines of L0, GL1 and L2 have 128 bytes")};
  static constexpr source lines_of_a_wave =
      documents::driver_caches.implies("",
                                       "that each line of 128 bytes is asked for once by a wave of 32 lanes, or by "
                                       "each half of one of 64: no counter reading is public");
  static constexpr source buffer_accesses =
      our_reading.implies("", "a buffer access asks for the lines that a global one asks for at its addresses");
  static constexpr source atomic_lines = taken_over(lines_of_a_wave, "that L2, where atomics are done, is asked alike");
  static constexpr fact scalar_line_bytes{64,
                                          documents::driver_caches.says("", "lines of the scalar cache have 64 bytes")};
  static constexpr fact aligned_bytes{
      4, our_reading.implies(
             "", "what a dword or wider access costs at other addresses, where a mode allows it, is in no source")};
};

/// A chip of another generation than RDNA 3, for which we read these facts in RDNA 3's guide alone.
template <class Chip>
struct as_in_rdna_3 : Chip {
  static constexpr char const* as_rdna_3_is = "that it is as RDNA 3";
  static constexpr fact<unsigned> lanes = taken_over(Chip::lanes, as_rdna_3_is);
  static constexpr fact<bool> wave64 = taken_over(Chip::wave64, as_rdna_3_is);
  static constexpr fact<unsigned> banks = taken_over(Chip::banks, as_rdna_3_is);
  static constexpr fact<unsigned> bank_bytes = taken_over(Chip::bank_bytes, as_rdna_3_is);
};
/// A chip before RDNA 4, for which we read these facts in RDNA 4's guide alone.
template <class Chip>
struct before_rdna_4 : Chip {
  static constexpr char const* as_rdna_4_is = "that earlier chips are as RDNA 4, as LLVM 22 counts their waves";
  static constexpr fact<unsigned> simds_of_wgp = taken_over(Chip::simds_of_wgp, as_rdna_4_is);
  static constexpr fact<unsigned> simds_of_cu = taken_over(Chip::simds_of_cu, as_rdna_4_is);
  static constexpr fact<unsigned> lds_of_wgp = taken_over(Chip::lds_of_wgp, as_rdna_4_is);
  static constexpr fact<unsigned> lds_of_cu = taken_over(Chip::lds_of_cu, as_rdna_4_is);
  static constexpr fact<unsigned> lds_bytes = taken_over(Chip::lds_bytes, as_rdna_4_is);
};

}  // namespace coalescing::rdna
