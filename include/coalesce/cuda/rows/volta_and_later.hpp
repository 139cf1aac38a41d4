// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/cost.hpp>
#include <coalesce/cuda/rows/sectors.hpp>

// The facts of Volta and later: CC 7.0 to 12.0.

namespace coalescing::cuda {

struct volta : sectors {
  static constexpr auto counted_by = profiler::nsight_compute;
  using global = rules::whole_warps;
  /// The programming guides 12.3 (chapter 19) and 13.1 (chapter 20) say that global memory behaves as on CC 5.x.
  static constexpr fact sector_bytes{
      32, documents::bpg_13.says("10.2.1", "the 32-byte transactions needed to serve the warp")};
  static constexpr fact line_bytes{128, documents::ncu.says("2.3.7", "a line is four sectors, 128 bytes")};
  static constexpr fact<by_width<unsigned>> request_lanes{
      {.of_1 = 32, .of_2 = 32, .of_4 = 32, .of_8 = 32, .of_16 = 32, .of_32 = 32},
      documents::ncu.says("2.3.7", "one request for each instruction of the warp")};
  static constexpr fact<coalescing::level> loads_at{level::l1, documents::ncu.says("2.3.7", "sectors of L1")};
  static constexpr fact<coalescing::level> stores_at = loads_at;
  static constexpr source partial =
      documents::ncu.says("2.11.3", "under ECC, writing a part of a sector makes L2 load the sector");

  static constexpr source atomics_of_16_bits =
      documents::ptx_9_1.says("atom, red", "additions of f16, and compare-and-swap of b16, from sm_70 on");
  static constexpr fact tags_per_cycle{
      4, documents::forum_312884.says("", "four tags a cycle; a bound, since which lines share a set is not known")};
  static constexpr char const* bank_rule = "the bank rule of shared memory: measured on CC 8.0, 8.6 and 9.0, not here";
  static constexpr char const* narrow_or_wide =
      "the bank rule of shared memory: measured for words of 4 and 8 bytes only";
  static constexpr by_width<fact<unsigned>> data_lanes{
      .of_1 = {32, documents::gpu_benches.implies("", narrow_or_wide)},
      .of_2 = {32, documents::gpu_benches.implies("", narrow_or_wide)},
      .of_4 = {32, documents::gpu_benches.implies("", bank_rule)},
      .of_8 = {16, documents::gpu_benches.implies("", bank_rule)},
      .of_16 = {8, documents::gpu_benches.implies("", narrow_or_wide)},
      .of_32 = {4, documents::gpu_benches.implies("", narrow_or_wide)}};
  static constexpr source data_stage_of_stores =
      documents::gpu_benches.implies("", "as loads, for which it was measured");
  static constexpr source tag_stage_of_stores = documents::forum_312884.implies("", "as loads, of which it is told");
  static constexpr by_width<fact<unsigned>> shared_lanes{
      .of_1 = up_to_4_bytes, .of_2 = up_to_4_bytes, .of_4 = up_to_4_bytes, .of_8 = half_warps, .of_16 = quarter_warps};
  static constexpr by_width<fact<unsigned>> merged_parts{
      .of_8 = taken_over(merged_by_times, "that it is as on CC 8.0"),
      .of_16 = taken_over(merged_by_counters, "that it is as on CC 8.6 and 9.0")};
};
/// How many phases of a shared-memory load of 8- or 16-byte words become one phase on CC 7.0 to 7.5. An employee of
/// NVIDIA states this number. (The times that gpu_shm_microbench measured on V100 agree.)
inline constexpr fact merged_by_nvidia{
    2, documents::forum_77228.says("post 2",
                                   "CC 7.0 to 7.5: half the requests where lanes n and n ^ 1, or n and n ^ 2, have "
                                   "the same address, for all active lanes",
                                   parts_that_merge)};
struct merges_by_word_of_nvidia : volta {
  static constexpr by_width<fact<unsigned>> merged_parts{.of_8 = merged_by_nvidia, .of_16 = merged_by_nvidia};
};

// ---- Matrix loads and copies into shared memory: what each generation adds ----

struct loads_matrices {
  /// PTX states which lane gives the address of which row, and also which elements each lane receives.
  static constexpr source matrix_load =
      documents::ptx_9_1.says("9.7.14.5.15, ldmatrix", "rows of 16 bytes, matrix by matrix, a lane each");
  static constexpr fact matrix_phase_lanes{
      8, documents::fuser.says("ldmatrix", "8 rows of 16 bytes at a time, as lanes of 16-byte loads (GTC S9593)",
                               "that lanes which share an address do not make it faster")};
};
struct copies_to_shared : loads_matrices {
  static constexpr source copied_sectors = documents::copies_13_1.implies(
      "4.11.1", "the copy is documented; its sectors are counted as a load's of what is read");
  static constexpr source copied_lines = documents::copies_13_1.implies(
      "4.11.1", "the copy is documented; its lines are counted as a load's of what is read");
  static constexpr source copied_rounds = documents::copies_13_1.implies(
      "4.11.1", "the copy is documented; its rounds are counted as a store's of that size");
};
struct stores_matrices : copies_to_shared {
  static constexpr source matrix_store = documents::fuser.implies(
      "stmatrix", "as ldmatrix; of a swizzled one on CC 9.0 no conflicts were measured (its pull request 3499)");
};
struct narrow_matrices : stores_matrices {
  static constexpr fact<unsigned> matrix_phase_lanes =
      taken_over(loads_matrices::matrix_phase_lanes, "that it is as on CC 7.5 to 9.0");
  static constexpr source narrow_matrix = documents::cute.implies(
      "copy_traits_sm100.hpp",
      "the forms of 8, 6 and 4 bits are documented; that 8 rows of 16 bytes go at a time is not");
};

template <>
struct row<70> : merges_by_word_of_nvidia {
  static constexpr fact shared_bytes{96 * 1024, shared_size_by_occupancy};
};
template <>
struct row<72> : row<70> {
  static constexpr fact shared_bytes{
      96 * 1024, documents::pg_12_3.says("technical specifications per compute capability", "96 KB a multiprocessor")};
};
template <>
struct row<75> : merges_by_word_of_nvidia, loads_matrices {
  static constexpr fact shared_bytes{64 * 1024, shared_size_by_occupancy};
};

/// The machines on which the benchmark gpu-strides was run: A100 (CC 8.0), A40 (8.6), H200 (9.0).
struct measured_volta : volta {
  static constexpr char const* files = "a100.txt (CC 8.0), a40.txt (8.6), h200.txt (9.0)";
  static constexpr fact words_of_4{
      32, documents::gpu_benches.shows(files, "L1 hits take the rounds of shared memory's banks")};
  static constexpr fact words_of_8{16, documents::gpu_benches.shows(files, "L1 hits of 8-byte words: by half-warps")};
  static constexpr by_width<fact<unsigned>> data_lanes{.of_1 = volta::data_lanes.of_1,
                                                       .of_2 = volta::data_lanes.of_2,
                                                       .of_4 = words_of_4,
                                                       .of_8 = words_of_8,
                                                       .of_16 = volta::data_lanes.of_16,
                                                       .of_32 = volta::data_lanes.of_32};
};
template <>
struct row<80> : measured_volta, copies_to_shared {
  static constexpr by_width<fact<unsigned>> merged_parts{.of_8 = merged_by_times, .of_16 = merged_by_times};
  static constexpr fact shared_bytes{164 * 1024, shared_size_by_occupancy};
};
template <>
struct row<86> : measured_volta, copies_to_shared {
  static constexpr by_width<fact<unsigned>> merged_parts{.of_8 = volta::merged_parts.of_8, .of_16 = merged_by_counters};
  static constexpr fact shared_bytes{100 * 1024, shared_size_by_occupancy};
};
template <>
struct row<87> : volta, copies_to_shared {
  static constexpr fact shared_bytes{164 * 1024, shared_size_by_occupancy};
};
template <>
struct row<89> : volta, copies_to_shared {
  static constexpr fact shared_bytes{100 * 1024, shared_size_by_occupancy};
};
template <>
struct row<90> : measured_volta, stores_matrices {
  static constexpr by_width<fact<unsigned>> merged_parts{
      .of_8 = {2, documents::counts_of_h100.shows(
                      "shared_load<64>",
                      "the two half-warps take one wavefront for both where lanes n and n ^ 1, or n "
                      "and n ^ 2, have the same address, for all active lanes")},
      .of_16 = merged_by_counters};
  static constexpr source matrix_store =
      documents::counts_of_h100.shows("stmatrix", "8 rows of 16 bytes at a time, as stores of 16 bytes");
  static constexpr source copied_sectors =
      documents::counts_of_h100.shows("cp_async::global", "the sectors of a load of what is read");
  static constexpr source copied_rounds =
      documents::counts_of_h100.shows("cp_async::shared", "the wavefronts of a store of that size",
                                      "that no two lanes copy to one place: an H100 counts each of these lanes");
  static constexpr fact shared_bytes{228 * 1024, shared_size_by_occupancy};
  static constexpr source tensor_copies = documents::cuda_h_13_0.says(
      "cuTensorMapEncodeTiled", "tensor maps, and the copies of boxes and of bytes in bulk, since CC 9.0");
  static constexpr source atomics_of_128_bits =
      documents::ptx_9_1.says("atom", "exchange and compare-and-swap of b128 from sm_90 on");
};

struct blackwell : volta, narrow_matrices {
  static constexpr source tensor_copies = row<90>::tensor_copies;
  static constexpr source atomics_of_128_bits = row<90>::atomics_of_128_bits;
  static constexpr source narrow_tensor_copies =
      documents::ptx_9_1.says("5.5.1, 9.7.9.27.1.1", "swizzles of atoms of 32 and 64 bytes, elements of 4 and 6 bits");
  /// The source of the facts about banks is Nsight Compute's guide, which describes one model for all machines that the
  /// tool profiles. The programming guide's chapters of CC 10.0 and 12.0 do not mention banks. About shared memory they
  /// state only its size. They say that global memory works "the same way" as on CC 5.x, but do not say this of shared
  /// memory.
  static constexpr fact banks{32, documents::ncu.says("2.3.1", "shared memory has 32 banks")},
      bank_bytes{4, documents::ncu.says("2.3.1", "banks of 32 bits")},
      up_to_4_bytes{32, documents::ncu.says("2.3.1", "words of up to 32 bits: the warp at once")},
      constant_lanes = taken_over(sectors::constant_lanes, "that it is as on CC 5.0 to 9.0");
  static constexpr fact widest_bits{
      256, documents::ptx_8_8.says("ld, st", "256 bits: of global memory alone, on sm_100 and later")};
  static constexpr source sectors_of_256_bits =
      documents::ptx_8_8.implies("ld, st", "the access is documented; its sectors are counted as for narrower words");
  static constexpr fact<unsigned> tags_per_cycle = taken_over(volta::tags_per_cycle, "that it is as on CC 7.0 to 9.0");
  static constexpr by_width<fact<unsigned>> shared_lanes{
      .of_1 = up_to_4_bytes,
      .of_2 = up_to_4_bytes,
      .of_4 = up_to_4_bytes,
      .of_8 = taken_over(half_warps, "that it is as on CC 7.0 to 9.0"),
      .of_16 = taken_over(quarter_warps, "that it is as on CC 7.0 to 9.0")};
};
template <>
struct row<100> : blackwell {
  static constexpr fact shared_bytes{228 * 1024, shared_size_by_occupancy};
};
template <>
struct row<120> : blackwell {
  static constexpr fact shared_bytes{100 * 1024, shared_size_by_occupancy};
};

}  // namespace coalescing::cuda
