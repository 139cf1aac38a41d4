// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/rdna/documents.hpp>
#include <coalesce/rdna/generations.hpp>

// The facts that chips share: registers and waves of every chip; LDS, lines and modes of RDNA 1 to 4.

namespace coalescing::rdna {

template <chip Chip>
struct row;

// ---- Which lanes LDS serves together: the sources ----

inline constexpr char const *idle_phases = "that a phase without an active lane takes a round, as on GCN and CDNA",
                            *one_store =
                                "that lanes which store to one dword are one request (loom's model counts "
                                "each lane), and that an idle phase takes a round";

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
inline constexpr source isa_2 =
    documents::isa_2.says("12.1", "32 accesses of 32 bits at a time, a dword of each bank", idle_phases);
inline constexpr source other_chips =
    taken_over(loom_loads, "that it is as on gfx1100 and gfx1151, and that an idle phase takes a round");
}  // namespace phases_by

// ---- Chips ----

/// Registers, waves and work-groups. A chip that differs says so in its row.
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

/// RDNA 1 to 4. ISA4 states for RDNA 4 how many SIMDs, how much LDS and how many work-groups of several waves a mode
/// has. LLVM 22 counts with these figures on all four (tests/truth/outside/llvm compares gfx10 and gfx11 too).
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
                          loads_of_64 = phases_by::other_chips;
  static constexpr bool wave64_was_run = false;  ///< whether loom ran waves of 64 lanes too

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

}  // namespace coalescing::rdna
