// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/amd/lds.hpp>
#include <coalesce/gcn/documents.hpp>

// The facts of GCN, each with its source. GCN is one machine, so one row has its facts. Each LDS instruction has a row
// of its own.

namespace coalescing::gcn {

struct row {
  static constexpr char const* name = "gcn";
  static constexpr char const* peak = "Reviewing peak throughput limits for a GCN Compute Unit";

  static constexpr fact lanes{64, documents::gcn_post.says(peak, "a wave is 64 wide")};
  static constexpr fact simds{4, documents::gcn_post.says(peak, "4 SIMD units")};
  static constexpr fact simd_lanes{16, documents::gcn_post.says(peak, "a SIMD unit is 16 wide")};
  static constexpr fact tex_units{1, documents::gcn_post.says(peak, "1 TEX unit")};
  static constexpr fact quads_per_clock{1,
                                        documents::gcn_post.says(peak, "TEX processes one 2x2 fragment quad a clock")};
  static constexpr fact texel_reads_per_fragment{
      4, documents::gcn_post.says(peak, "up to 4 reads for each fragment of a filtered output")};
  static constexpr fact channels_per_texel{
      4, documents::gcn_post.says(peak, "16 values of 32 bits: 4 fragments of 4 channels")};
  static constexpr fact point_sampled_texel_bits{
      128, documents::gcn_post.says(peak, "up to four 128-bit point sampled texels a clock")};
  static constexpr fact filtered_bits{
      32, documents::gcn_post.says(peak, "filtering processes 32 bits of each of four fragments a clock",
                                   "a quad without an active lane takes no clock")};

  // ---- L1 ----

  static constexpr fact quad_lanes{
      4, documents::gcn_post.says("Coalescing For L1 Access Via Image Operations",
                                  "aligned groups of 4 lanes, one a clock; buffer loads of several channels "
                                  "or more than 32 bits as well",
                                  "a quad without an active lane takes no clock")};
  static constexpr fact coalesced_lanes{
      16, documents::gcn_post.says("Coalescing for L1 Access Via Buffer Operations",
                                   "single channels of 32 bits or less: aligned groups of 16 lanes")};
  static constexpr fact coalesced_bits{32, coalesced_lanes.from};  ///< bits of the widest channel that can be coalesced
  /// In the most general case that AMD's post (gcn_post) lists, the lanes of a quad read a block of 4 consecutive
  /// addresses in any order. The post does not say where the block may start, nor how many bytes one address spans. The
  /// measurements of perftest show both.
  static constexpr fact run_elements{
      4,
      documents::perftest.shows(
          "loadTypedBody, loadRawBody",
          "the 4 lanes of a quad read within a run of 4 elements, which starts anywhere and steps by the access's own "
          "size",
          "repeats in a run, quads of different cases in a group, and inactive lanes do no harm; other steps are no "
          "run; "
          "GFX6 and MI100, which were not measured, are as the others")};
  static constexpr source store_clocks = documents::clrx.implies(
      "BUFFER_STORE",
      "16 clocks a wave, a quad a clock as other loads (the OpenCL guide, 2.1.2, has 8 on Southern Islands)");
  static constexpr source atomic_clocks = documents::gcn_post.implies("Coalescing For L1 Access Via Image Operations",
                                                                      "4 addresses a clock, as for loads by quads");
  static constexpr source image_store_clocks =
      documents::gcn_post.implies("Coalescing For L1 Access Via Image Operations",
                                  "the groups of 4 are documented, no rate of stores is: one a clock");
  /// The hardware ignores the two low address bits of a dword or wider access. We refuse such an access unless these
  /// bits are 0.
  static constexpr fact aligned_bytes{
      4, documents::gcn3_isa.says("8.1.6", "the two low address bits of dword and wider accesses are ignored")};

  // ---- L2 and the scalar cache ----

  static constexpr fact request_bytes{
      64, documents::gcn_post.says("Coalescing For L2 Access Via Image or Buffer Operations",
                                   "the fewest 64-byte aligned requests for all 64 lanes")};
  static constexpr source one_writer =
      documents::gcn_post.says("Coalescing For L2 Access Via Image or Buffer Operations",
                               "stores to one address collapse into one write; of atomics each remains");
  static constexpr source atomic_lines =
      documents::gcn_post.implies("Coalescing For L2 Access Via Image or Buffer Operations",
                                  "the line rule, which names loads and stores, for atomics");
  static constexpr source named_texels =
      documents::gcn_post.implies("Coalescing For L2 Access Via Image or Buffer Operations",
                                  "the lines of the one texel that each lane names; a filter reads more");
  static constexpr fact scalar_line_bytes{64, documents::kfd.says("cache tables", "lines of 64 bytes on all chips")};
  static constexpr fact scalar_alignment{4, documents::gcn3_isa.says("7.2", "the address is truncated to a dword")};

  // ---- LDS ----

  static constexpr fact banks{32, documents::opt.says("2.2", "32 banks, bank = address bits 6:2",
                                                      "of all GCN; LLVM has 16 on gfx703, gfx705 and gfx810")};
  static constexpr fact bank_bytes{4, documents::opt.says("2.2", "banks of 4 bytes")};
  static constexpr fact lds_bytes{
      64 * 1024, documents::opt.says("2.2", "64 kB a compute unit",
                                     "a work-group can have them all: on Southern Islands it can have 32 kB")};
};

// ---- Which lanes LDS serves together, by instruction. An instruction without a row does not exist, or no source
// states its phases ----

/// An assumption that several rows below add to what their source says. We infer it from the counters of 32-bit reads
/// in ROCm Compute Profiler's test runs, with one active lane and with two.
inline constexpr char const* idle_phases = "a phase without an active lane takes a round";

template <unsigned Bits>
struct ds_read_row;
template <>
struct ds_read_row<32> : row {
  static constexpr fact phases{amd::halves, documents::opt.says("2.2", "by half waves", idle_phases)};
};
template <>
struct ds_read_row<8> : row {
  static constexpr fact phases{amd::halves,
                               documents::opt.says("2.2", "by half waves; bytes and shorts take 4 bytes", idle_phases)};
};
template <>
struct ds_read_row<16> : ds_read_row<8> {};
template <>
struct ds_read_row<64> : row {
  static constexpr fact phases{
      amd::quarters,
      documents::shark.implies("cdna3info",
                               "by quarter waves: measured on gfx942 only; the OpenCL guide, 2.2, on float2 agrees")};
};
template <>
struct ds_read_row<128> : row {
  static constexpr fact phases{amd::paired_quads, documents::ck.says("ds_read_b128", "eight phases", idle_phases)};
};
template <>
struct ds_read_row<96> : row {
  static constexpr fact phases{
      amd::paired_quads, documents::hipkittens.implies("ds_read_b96", "as ds_read_b128: measured on gfx950 only")};
};

template <unsigned Bits>
struct ds_write_row;
template <>
struct ds_write_row<32> : row {
  static constexpr fact phases{amd::halves, documents::opt.says("2.2", "by half waves", idle_phases)};
};
template <>
struct ds_write_row<8> : row {
  static constexpr fact phases{amd::halves, documents::opt.implies("2.2", "as reads of bytes and shorts")};
};
template <>
struct ds_write_row<16> : ds_write_row<8> {};
template <>
struct ds_write_row<64> : row {
  static constexpr fact phases{
      amd::quarters, documents::hipkittens.implies("ds_write_b64", "by quarter waves: measured on gfx950 only")};
};
template <>
struct ds_write_row<128> : row {
  static constexpr fact phases{amd::eighths,
                               documents::ck.says("ds_write_b128", "eight phases of consecutive lanes", idle_phases)};
};

}  // namespace coalescing::gcn
