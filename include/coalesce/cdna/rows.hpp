// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna/documents.hpp>
#include <coalesce/core/name.hpp>

// The facts of the chips of CDNA 2, 3 and 4, each with its source: a row for each chip. (Those of LDS instructions are
// in cdna/lds_rows.hpp and cdna/lds_pair_rows.hpp.) A row lacks the facts that are unknown or that its chip does not
// have.

namespace coalescing::cdna {

enum class chip { gfx90a, gfx942, gfx950 };

template <chip Chip>
struct row;
template <chip Chip>
struct machine;  // defined in cdna.hpp

// ---- Chips ----

struct every_chip {
  static constexpr auto counted_by = profiler::rocprof_mi200;
  static constexpr fact lanes{64, documents::isa_4.says("2.1", "a wave is 64 lanes")};
  static constexpr fact write_bytes{64, documents::profiler.says("L2", "64 bytes a write or atomic request")};
  static constexpr fact quad_lanes{
      4, documents::profiler.implies(
             "vector L1, coalescing percentage",
             "16 accesses of L1 for a coalesced wave, 64 for one that is not: at least one for each quad of lanes")};
  static constexpr fact aligned_bytes{
      4, our_reading.implies(
             "", "what a dword or wider access costs at other addresses, where a mode allows it, is in no source")};
  static constexpr source writes =
      documents::profiler.implies("L2", "that a wave makes exactly one request for each 64 bytes");
  static constexpr source one_writer =
      documents::gcn_post.implies("Coalescing For L2 Access Via Image or Buffer Operations",
                                  "as on GCN, lanes that store to one address collapse into one write");
  static constexpr source lds_atomics =
      documents::profiler.says("LDS", "atomics on one address are address conflicts, and serialize");
  static constexpr source buffer_accesses = documents::profiler.implies(
      "vL1D", "one address unit takes buffer and global instructions, so they ask alike for the bytes at one address");

  static constexpr fact scalar_alignment{
      4, our_reading.implies("", "as on GCN, whose guide says so (GCN3 ISA 7.2): an address is truncated to a dword")};

  // The two offsets of a DS_READ2 or DS_WRITE2.
  static constexpr fact pair_offset{255, documents::isa_4.says("11.3.1", "two offsets of 8 bits, in elements")};
  static constexpr fact st64_elements{64, documents::isa_4.says("11.3.1", "ST64 forms: in 64 elements")};
  static constexpr source equal_offsets = documents::isa_4.says("11.3.1", "are one access only");
  static constexpr source offsets_wrap = documents::llvm_features.says(
      "hasUsableDSOffset", "the offset works as expected from GFX7 on: the sum of an address and an offset wraps");

  // Loads from memory straight to LDS.
  static constexpr source loads_to_lds =
      documents::profiler.implies("L2", "as a load to registers: exactly one request for each line of L1");
  static constexpr fact lds_slot{
      4, documents::llvm_dma.says("GFX9 DMA",
                                  "lane k writes 4 * k bytes on, of 1, 2 or 4 bytes (CDNA4 ISA 9.1.9, 10.3 agrees)")};
  static constexpr fact lds_load_offset{
      4095,
      documents::llvm_assembler.says("offset", "12 bits; those of global loads have a sign too, which we leave aside")};
  static constexpr fact m0_multiple{
      4, documents::isa_4.implies("9.1.9, 10.3", "any multiple of 4: M0[17:2] * 4 in 10.3, M0[17:0] in 9.1.9")};

  // A compute unit's LDS, registers and waves.
  static constexpr fact bank_bytes{4, documents::isa_4.says("11.1", "banks of dwords")};
  static constexpr fact simds{4, documents::isa_4.says("2.1", "4 SIMDs a compute unit")};
  static constexpr fact waves_per_simd{8, documents::llvm_subtarget.says("getMaxWavesPerEU", "at most 8 waves a SIMD")};
  static constexpr fact work_group_lanes{1024, documents::isa_4.says("4.3", "at most 16 waves a work-group")};
  static constexpr fact vgprs{
      512, documents::isa_4.says("3.6", "registers of a lane, of both kinds, for all waves of a SIMD")};
  static constexpr fact vgprs_of_a_kind{256, documents::isa_4.says("3.6", "at most 256 of each kind for a wave")};
  static constexpr fact vgpr_granule{
      8, documents::llvm_doc.says("COMPUTE_PGM_RSRC1, GRANULATED_WORKITEM_VGPR_COUNT", "in granules of 8")};
  static constexpr fact acc_vgpr_start{
      4, documents::llvm_doc.says("COMPUTE_PGM_RSRC3, ACCUM_OFFSET", "AGPRs begin at a multiple of 4")};
  static constexpr fact sgprs{
      800, documents::specifications.says("SGPR file", "12.5 KiB a compute unit: 800 registers of each SIMD")};
  static constexpr fact sgpr_granule{
      16, documents::llvm_doc.says("COMPUTE_PGM_RSRC1, GRANULATED_WAVEFRONT_SGPR_COUNT", "in granules of 16")};
  static constexpr fact sgprs_of_a_wave{
      108, documents::llvm_subtarget.says("getAddressableNumSGPRs", "102 that a program names",
                                          "6 more for VCC, flat_scratch and xnack")};
};

/// Facts of the chips before CDNA 4 that we read only in CDNA 4's guide, not in the guides of these chips. The source
/// of each fact states the assumption `as_cdna_4`, too.
template <class Chips>
struct before_cdna_4 : Chips {
  static constexpr char const* as_cdna_4 = "that earlier chips do as CDNA 4";
  static constexpr fact<unsigned> lanes = taken_over(Chips::lanes, as_cdna_4);
  static constexpr fact<unsigned> pair_offset = taken_over(Chips::pair_offset, as_cdna_4);
  static constexpr fact<unsigned> st64_elements = taken_over(Chips::st64_elements, as_cdna_4);
  static constexpr source equal_offsets = taken_over(Chips::equal_offsets, as_cdna_4);
  static constexpr fact<unsigned> bank_bytes = taken_over(Chips::bank_bytes, as_cdna_4);
  static constexpr fact<unsigned> simds = taken_over(Chips::simds, as_cdna_4);
  static constexpr fact<unsigned> work_group_lanes = taken_over(Chips::work_group_lanes, as_cdna_4);
  static constexpr fact<unsigned> vgprs = taken_over(Chips::vgprs, as_cdna_4);
  static constexpr fact<unsigned> vgprs_of_a_kind = taken_over(Chips::vgprs_of_a_kind, as_cdna_4);
};

template <>
struct row<chip::gfx90a> : before_cdna_4<every_chip> {
  static constexpr char const* name = "gfx90a";
  /// The chip whose LDS rows (lds_rows.hpp) this chip uses. gfx90a uses its own rows. A chip whose row inherits from
  /// this row uses gfx90a's LDS rows, too.
  static constexpr chip lds_of = chip::gfx90a;
  static constexpr fact line_bytes{64, documents::profiler.says("vector L1", "64 bytes a request between L1 and L2")};
  static constexpr source loads =
      documents::profiler.implies("L2", "that a wave makes exactly one request for each line");
  static constexpr fact scalar_line_bytes{
      64, documents::driver_caches.says("aldebaran_cache_info", "lines of the scalar cache have 64 bytes")};
  /// LLVM 22's assembler has no global_load_lds for this chip, so the row has no global_lds_bits.
  static constexpr fact buffer_lds_bits{
      32, documents::llvm_assembler.says("buffer_load_dword lds", "the widest of this chip")};
  static constexpr fact banks{32, documents::rocke.says("gfx90a.py, collision_key", "32 banks of dwords: 128 bytes")};
  static constexpr fact lds_bytes{64 * 1024, documents::specifications.says("", "64 KiB of LDS a compute unit")};
  static constexpr fact lds_granule{
      512, documents::llvm_doc.says("COMPUTE_PGM_RSRC2, GRANULATED_LDS_SIZE", "in granules of 512 bytes")};
  static constexpr fact read_banks{
      32, documents::profiler.says("LDS", "128 bytes a clock for a compute unit, 64 of them for a wave alone")};
  static constexpr fact write_banks{32, documents::profiler.says("LDS", "128 bytes a clock")};
  static constexpr fact<unsigned> lds_load_bytes = lds_bytes;
  static constexpr fact m0_bits{16, documents::isa_4.implies("9.1.9", "the bits of M0[17:0] that 64 KiB need")};
};

/// The facts that CDNA 3 and 4 share: the lines of the scalar cache, and the requests of a load.
struct cdna_3_and_4 : every_chip {
  static constexpr fact<unsigned> scalar_line_bytes = taken_over(
      row<chip::gfx90a>::scalar_line_bytes, "that its scalar cache has the lines of gfx90a's, as all of GCN");
  static constexpr source loads =
      documents::profiler.implies("L2", "that a wave makes exactly one request for each line of L1");
};

template <>
struct row<chip::gfx942> : before_cdna_4<cdna_3_and_4> {
  static constexpr char const* name = "gfx942";
  static constexpr chip lds_of = chip::gfx942;
  static constexpr fact line_bytes{128, documents::white_paper_3.says("", "lines of L1 have 128 bytes")};
  static constexpr fact banks{32, documents::shark.shows("cdna3info", "32 banks (composable_kernel's page agrees)")};
  static constexpr fact lds_bytes{64 * 1024, documents::specifications.says("", "64 KiB of LDS a compute unit")};
  static constexpr fact lds_granule{
      512, documents::llvm_doc.says("COMPUTE_PGM_RSRC2, GRANULATED_LDS_SIZE", "in granules of 512 bytes")};
  static constexpr fact<unsigned> read_banks = row<chip::gfx90a>::read_banks;
  static constexpr fact<unsigned> write_banks = row<chip::gfx90a>::write_banks;

  static constexpr fact<unsigned> buffer_lds_bits = row<chip::gfx90a>::buffer_lds_bits;
  static constexpr fact global_lds_bits{
      32, documents::llvm_assembler.says("global_load_lds_dword", "the widest of this chip")};
  static constexpr fact<unsigned> lds_load_bytes = lds_bytes;
  static constexpr fact<unsigned> m0_bits = row<chip::gfx90a>::m0_bits;
};
template <>
struct row<chip::gfx950> : cdna_3_and_4 {
  static constexpr char const* name = "gfx950";
  static constexpr chip lds_of = chip::gfx950;
  static constexpr fact<unsigned> write_bytes = taken_over(every_chip::write_bytes, "that it is as on gfx942");
  static constexpr fact line_bytes{128, documents::mi350.says("", "lines of L1 have 128 bytes")};
  static constexpr fact banks{64, documents::isa_4.says("2.2.1, 11.1", "64 banks")};
  static constexpr fact lds_bytes{160 * 1024, documents::specifications.says("", "160 KiB of LDS a compute unit")};
  static constexpr fact lds_granule{
      1280, documents::llvm_doc.says("COMPUTE_PGM_RSRC2, GRANULATED_LDS_SIZE", "in granules of 1280 bytes")};
  static constexpr fact read_banks{64,
                                   documents::mi350.implies("", "read bandwidth is doubled: so a dword of each bank")};
  static constexpr fact write_banks{32, documents::mi350.implies("", "nothing is stated for writes: so as on CDNA 3")};

  static constexpr fact buffer_lds_bits{
      128, documents::isa_4.says("9.1.9", "dwordx3 and dwordx4, but no dwordx2 (LLVM 22's assembler agrees)")};
  static constexpr fact global_lds_bits{
      128, documents::isa_4.says("10.3", "dwordx3 and dwordx4, but no dwordx2 (LLVM 22's assembler agrees)")};
  static constexpr fact wide_lds_slot{
      16,
      documents::isa_4.says(
          "9.1.9, 10.3", "lane k writes 16 * k bytes on (LLVM's page on DMA agrees); dwordx3 skips the fourth dword")};
  static constexpr fact<unsigned> lds_load_bytes = lds_bytes;
  static constexpr fact m0_bits{
      18, documents::isa_4.says("9.1.9", "M0[17:0]; 10.3 has M0[17:2] * 4, equal for a multiple of 4")};

  static constexpr fact transpose_lanes{
      16, documents::iree_transpose.says("", "in groups of 16 lanes (CDNA4 ISA 11.4 agrees)")};
};

}  // namespace coalescing::cdna
