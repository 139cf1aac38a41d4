// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/core/cost.hpp>
#include <coalesce/core/source.hpp>
#include <coalesce/cuda/documents.hpp>

// The facts of every compute capability, oldest first, each figure with its source. An era states what its machines
// share; a row is its era and what is its own. What a machine cannot do is missing from its row.

namespace coalescing::cuda {

/// Where a load of CC 2.x or 3.x is cached: nvcc's -dlcm=ca (L1 and L2) and -dlcm=cg (L2 only).
enum class caching {
  by_default,  ///< the compiler's default on that device
  l1,
  l2
};

/// A choice in a word; the default is left out.
COALESCE_API constexpr char const* words_of(caching choice) {
  switch (choice) {
    case caching::by_default:
      return "";
    case caching::l1:
      return "l1";
    case caching::l2:
      return "l2";
  }
  return "";
}

/// The rules: what a machine makes of the figures of its row.
namespace rules {
// of global memory
struct in_order_half_warps;  // tesla.hpp
struct shrinking_segments;   // tesla.hpp
struct parts_of_a_warp;      // fermi.hpp
struct split_warps;          // sectors.hpp
struct whole_warps;          // sectors.hpp
// of shared memory: shared.hpp
struct one_broadcast;
struct parts_and_one;
struct wide_banks;
struct word_banks;
}  // namespace rules

/// Something for each size of word, in bytes.
template <class T>
struct by_width {
  T of_1{}, of_2{}, of_4{}, of_8{}, of_16{}, of_32{};
  COALESCE_API constexpr T of(unsigned bytes) const {
    return bytes == 1 ? of_1 : bytes == 2 ? of_2 : bytes == 4 ? of_4 : bytes == 8 ? of_8 : bytes == 16 ? of_16 : of_32;
  }
};

/// The facts of a compute capability: row<90> are those of CC 9.0.
template <unsigned ComputeCapability>
struct row;

/// What all share.
struct every_capability {
  static constexpr fact lanes{32, documents::pg_3_2.says("4.1", "a warp is 32 threads")};
  static constexpr fact widest_bits{
      128, documents::pg_5_5.says("5.3.2", "words of 1, 2, 4, 8 or 16 bytes, naturally aligned")};
  static constexpr fact<unsigned> widest_shared_bits = widest_bits;  ///< of shared and constant memory
  static constexpr source serialized = documents::pg_12_3.says(
      "atomic functions", "a warp's operations on one address are all done, one after the other");
};

// ---- Tesla: CC 1.x ----

struct tesla : every_capability {
  using shared = rules::one_broadcast;

  static constexpr fact request_lanes{
      16, documents::pg_3_2.says("G.3.2", "a warp is two requests, one for each half-warp")};
  static constexpr fact constant_lanes{
      16, documents::pg_2_0.says("5.1.2.3", "cost linear in the different addresses of each half-warp")};

  static constexpr fact banks{16, documents::pg_3_2.says("G.3.3", "16 banks")};
  static constexpr fact bank_bytes{
      4, documents::pg_3_2.says("G.3.3", "banks of 32 bits; wider words are accesses of 32 bits each")};
  static constexpr fact shared_lanes{
      16, documents::pg_2_0.says("5.1.2.5",
                                 "two requests, one for each half-warp; each step serves one broadcast "
                                 "word and a lane of every other bank: which, "
                                 "is left open")};
  static constexpr fact shared_bytes{16 * 1024, documents::pg_3_2.says("G.1", "16 KB a multiprocessor")};
};
template <>
struct row<10> : tesla {
  using global = rules::in_order_half_warps;
  static constexpr fact sector_bytes{
      32,
      documents::pg_3_2.says("G.3.2.1", "one 32-byte transaction for each thread where the half-warp is not coalesced",
                             "of inactive threads, none")};
  /// Of 16-byte words guide 2.0 (5.1.2.1) wants 256 bytes aligned, 3.2 and later two segments of 128: we follow these.
  static constexpr fact<by_width<unsigned>> segment_bytes{
      {.of_4 = 64, .of_8 = 128, .of_16 = 128},
      documents::pg_3_2.says("G.3.2.1", "lane k reads word k of aligned segments of 64 (4-byte words) or 128 bytes",
                             "not coalesced, and some lanes inactive: a transaction for each active one")};
};
template <>
struct row<11> : row<10> {};  // one section for both
template <>
struct row<12> : tesla {
  using global = rules::shrinking_segments;
  static constexpr fact sector_bytes{32, documents::pg_3_2.says("G.3.2.2", "the smallest transaction is 32 bytes")};
  static constexpr fact<by_width<unsigned>> segment_bytes{
      {.of_1 = 32, .of_2 = 64, .of_4 = 128, .of_8 = 128, .of_16 = 128},
      documents::pg_3_2.says("G.3.2.2",
                             "segments by size of word, each reduced to the half that is used, to 32 bytes")};
};
template <>
struct row<13> : row<12> {};  // one section for both

// ---- Fermi and Kepler: CC 2.x, 3.x ----

struct fermi_and_kepler : every_capability {
  using global = rules::parts_of_a_warp;

  static constexpr fact<by_width<unsigned>> request_lanes{
      {.of_1 = 32, .of_2 = 32, .of_4 = 32, .of_8 = 16, .of_16 = 8},
      documents::pg_3_2.says("G.4.2", "words of 8 bytes are 2 requests, of 16 bytes 4, issued independently")};
  static constexpr fact sector_bytes{
      32, documents::pg_3_2.says("G.4.2", "past L1, segments of 32 bytes", "requests of one instruction do not merge")};
  static constexpr source stores = documents::professional_cuda.implies(
      "global memory writes", "segments of 32 bytes in L2, as loads past L1: no document of NVIDIA says it");
  static constexpr source partial =
      documents::ncu.implies("2.11.3", "that a sector written in part costs L2 a read is told of CC 7.0 and later");
  static constexpr source one_writer = documents::pg_3_2.says("G.4.2", "of lanes that write one location, one writes");
  static constexpr source atomics = documents::nsight_atomics.says(
      "Memory Statistics, Atomics", "they pass L1 and are done in L2", "a transaction for each of its segments");
  static constexpr source shared_atomics =
      documents::jia.implies("atomic operations, K80",
                             "the rounds of one pass of a load of the same words: before CC 5.0 such an "
                             "atomic is a loop with a lock, whose passes are not counted");
  static constexpr fact constant_lanes{32, documents::pg_5_5.says("5.3.2", "as many requests as different addresses")};
  static constexpr fact shared_bytes{48 * 1024, documents::pg_5_5.says("G.1", "48 KB a multiprocessor")};
};
/// A fact of those that can cache global loads in L1.
inline constexpr fact l1_line{
    128, documents::pg_3_2.says("G.4.2", "through L1, lines of 128 bytes", "requests of one instruction do not merge")};

template <>
struct row<20> : fermi_and_kepler {
  using shared = rules::parts_and_one;
  static constexpr fact<unsigned> line_bytes = l1_line;
  static constexpr fact<caching> default_caching{
      caching::l1, documents::pg_3_2.says("G.4.2", "cached in L1 and L2 by default (-dlcm=ca)")};

  static constexpr fact banks{32, documents::pg_3_2.says("G.4.3", "32 banks")};
  static constexpr fact bank_bytes{4, documents::pg_3_2.says("G.4.3", "banks of 32 bits")};
  static constexpr fact<by_width<unsigned>> shared_lanes{
      {.of_1 = 32, .of_2 = 32, .of_4 = 32, .of_8 = 16, .of_16 = 8},
      documents::pg_3_2.says(
          "G.4.3", "64-bit words conflict within half-warps; of 128-bit words, within quarter-warps, one way more")};
  static constexpr fact<by_width<unsigned>> more_ways{{.of_16 = 1}, shared_lanes.from};
};
template <>
struct row<21> : row<20> {};  // one chapter for 2.x

struct kepler : fermi_and_kepler {
  using shared = rules::wide_banks;
  static constexpr fact<by_width<unsigned>> request_lanes{
      fermi_and_kepler::request_lanes.value,
      documents::pg_10_2.says("H.3.2", "halves and quarters of the warp as on CC 2.x")};
  static constexpr fact sector_bytes{32,
                                     documents::pg_10_2.says("H.3.2", "past L1, the default, transactions of 32 bytes",
                                                             "requests of one instruction do not merge")};
  static constexpr fact<caching> default_caching{caching::l2,
                                                 documents::pg_5_5.says("G.5.2", "global loads are not cached in L1")};
  static constexpr source one_writer = documents::pg_3_2.implies("G.4.2", "as CC 2.x");
  static constexpr source atomics =
      documents::nsight_atomics.implies("Memory Statistics, Atomics", "done in L2 as on CC 2.x, in its segments");

  static constexpr fact banks{32, documents::pg_5_5.says("G.5.3", "32 banks")};
  static constexpr fact bank_bytes{4, documents::pg_5_5.says("G.5.3", "32-bit mode, the default")};
  static constexpr fact wide_bank_bytes{
      8, documents::pg_5_5.says("G.5.3", "64-bit mode: banks of 64 bits, lanes in one 64-bit word do not conflict",
                                "the mapping holds, not the remark that conflicts are as many as on CC 2.x or fewer")};
  static constexpr fact delivered_bytes{
      8, documents::pg_5_5.says(
             "G.5.3", "a bank delivers 64 bits: in 32-bit mode words i and i + 32 of 64 aligned ones do not conflict")};
  static constexpr by_width<fact<unsigned>> shared_lanes{
      .of_1 = {32, delivered_bytes.from},
      .of_2 = {32, delivered_bytes.from},
      .of_4 = {32, delivered_bytes.from},
      .of_8 = {32,
               documents::pg_5_5.implies("G.5.3", "the mapping is documented; that one round serves the warp is not")},
      .of_16 = {16, documents::pg_5_5.implies("G.5.3", "the mapping is documented; that halves go together is not")}};
};
template <>
struct row<30> : kepler {};
template <>
struct row<32> : kepler {};
template <>
struct row<35> : kepler {
  static constexpr fact line_bytes{
      128, documents::pg_10_2.says("H.3.2", "where it can use L1 (some CC 3.5 parts, 3.7) and is asked to, 128 bytes",
                                   "requests of one instruction do not merge")};
};
template <>
struct row<37> : row<35> {
  static constexpr fact shared_bytes{112 * 1024, documents::pg_10_2.says("H.1", "112 KB a multiprocessor")};
};

// ---- Maxwell and later: CC 5.0 on ----

/// How wide words go through shared memory. Fuser counts so on whatever device; it supports CC 7.0 and later.
inline constexpr fact half_warps{16, documents::fuser.says("getPhaseSize", "words of 8 bytes: 16 lanes at a time")};
inline constexpr fact quarter_warps{8, documents::fuser.says("getPhaseSize", "words of 16 bytes: 8 lanes at a time")};

struct sectors : every_capability {
  using shared = rules::word_banks;

  static constexpr source one_writer = documents::pg_3_2.implies("G.4.2", "as CC 2.x");
  static constexpr source partial = fermi_and_kepler::partial;
  static constexpr source atomics =
      documents::nsight_atomics.implies("Memory Statistics, Atomics", "done in L2 as on CC 2.x, in its sectors");
  static constexpr source shared_atomics = documents::pg_12_3.implies(
      "19.4.3", "the rounds of a load of the same words; what serialization adds is in no document");
  /// Nsight Compute's guide (2.3.4) tells of replays by cache line.
  static constexpr fact constant_lanes{
      32, documents::pg_12_3.says("device memory accesses", "as many requests as different addresses")};

  static constexpr fact banks{32, documents::pg_12_3.says("19.4.3", "32 banks")};
  static constexpr fact bank_bytes{4, documents::pg_12_3.says("19.4.3", "banks of 32 bits")};
  static constexpr fact up_to_4_bytes{32,
                                      documents::pg_12_3.says("19.4.3", "words of up to 32 bits: the warp at once")};
};

/// What the shared memory of a multiprocessor holds.
inline constexpr source shared_size_by_guide =
    documents::pg_10_2.says("H.1", "maximum amount of shared memory of a multiprocessor");
inline constexpr source shared_size_by_cccl =
    documents::cccl.says("max_shared_memory_per_multiprocessor", "of a multiprocessor");
inline constexpr source shared_size_by_occupancy = documents::cuda_occupancy_13_5.says(
    "cudaOccAlignUpShmemSizeVoltaPlus", "the most that a multiprocessor's can be set to");

// ---- Maxwell and Pascal: CC 5.x, 6.x ----

struct maxwell : sectors {
  using global = rules::split_warps;
  static constexpr fact sector_bytes{
      32, documents::forum_49571.says(
              "post 12", "a line of L1 is four sectors of 32 bytes, and a miss fetches only those asked for",
              "a sector that two requests of an instruction share is counted once, as in NVIDIA's figures")};
  static constexpr fact line_bytes{128, documents::forum_49571.says("post 12", "lines of 128 bytes in L1")};
  static constexpr fact<by_width<unsigned>> request_lanes{
      {.of_1 = 8, .of_2 = 8, .of_4 = 8, .of_8 = 4, .of_16 = 2},
      documents::forum_49571.says("post 14", "requests of 8, 4 or 2 lanes before the tag lookup")};
  static constexpr fact<coalescing::level> loads_at{
      level::l2, documents::pg_10_2.says("H.4.2", "by default L1 is for read-only data")};
  static constexpr fact<coalescing::level> stores_at{
      level::l2, documents::pg_10_2.implies("H.4.2", "that L1 takes stores is known from CC 7.0 on")};
  static constexpr by_width<fact<unsigned>> shared_lanes{
      .of_1 = up_to_4_bytes,
      .of_2 = up_to_4_bytes,
      .of_4 = up_to_4_bytes,
      .of_8 = taken_over(half_warps, "that it is as on CC 7.0 to 9.0"),
      .of_16 = taken_over(quarter_warps, "that it is as on CC 7.0 to 9.0")};
};
// Loads that opt in to L1 on CC 5.2 are counted in sectors too (forum 49571; BPG 13.0, 10.2.1, has 128 bytes).
template <>
struct row<50> : maxwell {
  static constexpr fact shared_bytes{64 * 1024, shared_size_by_guide};
};
template <>
struct row<52> : maxwell {
  static constexpr fact shared_bytes{96 * 1024, shared_size_by_guide};
};
template <>
struct row<53> : row<50> {};

struct pascal_era : maxwell {
  static constexpr fact<coalescing::level> loads_at{
      level::l1, documents::bpg_13.says("10.2.1", "CC 6.0 and later cache in L1 by default")};
};
template <>
struct row<60> : pascal_era {
  static constexpr fact shared_bytes{64 * 1024, shared_size_by_cccl};
};
template <>
struct row<61> : pascal_era {
  static constexpr fact shared_bytes{96 * 1024, shared_size_by_cccl};
};
template <>
struct row<62> : row<60> {};

// ---- Volta and later: CC 7.0 on ----

struct volta : sectors {
  using global = rules::whole_warps;
  /// Global memory "behaves the same way as" CC 5.x: guide 12.3, chapter 19, and guide 13.1, chapter 20.
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
};
/// CC 7.0 to 7.5 only: where each pair of lanes reads one address, the parts of a wide shared load halve.
struct merges_pairs {
  static constexpr fact merged_parts{
      2,
      documents::lds_article.implies(
          "",
          "parts merge where neighbouring lanes read one word, which parts as measured on Turing (NVIDIA in its forum, "
          "thread 77228, post 2, says that they do)")};
};

// ---- Matrix loads and copies into shared memory: what each generation adds ----

struct loads_matrices {
  /// The rows that each lane gives the address of: PTX has the lanes, and the map of what they receive.
  static constexpr source matrix_load =
      documents::ptx_9_1.says("9.7.14.5.15, ldmatrix", "rows of 16 bytes, matrix by matrix, a lane each");
  static constexpr fact matrix_phase_lanes{
      8, documents::fuser.says("ldmatrix", "8 rows of 16 bytes at a time, as lanes of 16-byte loads (GTC S9593)",
                               "that lanes which share an address do not make it faster")};
};
struct copies_to_shared : loads_matrices {
  static constexpr source copied_sectors = documents::copies_13_1.implies(
      "4.11.1", "the copy is documented; its sectors are counted as a load's of what is read");
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
struct row<70> : volta, merges_pairs {
  static constexpr fact shared_bytes{96 * 1024, shared_size_by_occupancy};
};
template <>
struct row<72> : row<70> {
  static constexpr fact shared_bytes{
      96 * 1024, documents::pg_12_3.says("technical specifications per compute capability", "96 KB a multiprocessor")};
};
template <>
struct row<75> : volta, merges_pairs, loads_matrices {
  static constexpr fact shared_bytes{64 * 1024, shared_size_by_occupancy};
};

/// Those on which gpu-strides was run: A100, A40, H200.
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
  static constexpr fact shared_bytes{164 * 1024, shared_size_by_occupancy};
};
template <>
struct row<86> : measured_volta, copies_to_shared {
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
  static constexpr fact shared_bytes{228 * 1024, shared_size_by_occupancy};
  static constexpr source tensor_copies = documents::cuda_h_13_0.says(
      "cuTensorMapEncodeTiled", "tensor maps, and the copies of boxes and of bytes in bulk, since CC 9.0");
};

struct blackwell : volta, narrow_matrices {
  static constexpr source tensor_copies = row<90>::tensor_copies;
  static constexpr source narrow_tensor_copies =
      documents::ptx_9_1.says("5.5.1, 9.7.9.27.1.1", "swizzles of atoms of 32 and 64 bytes, elements of 4 and 6 bits");
  /// "The same way" as CC 5.x and later.
  static constexpr fact banks{32, documents::pg_13_1.says("20.9, 20.10", "shared memory as on CC 5.x: 32 banks")},
      bank_bytes{4, documents::pg_13_1.says("20.9, 20.10", "banks of 32 bits")},
      up_to_4_bytes{32, documents::pg_13_1.says("20.9, 20.10", "words of up to 32 bits: the warp at once")},
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

/// The row of a capability of which we have seen no chapter: its neighbour's figures, inferred.
template <unsigned ComputeCapability>
struct as_its_neighbour : row<ComputeCapability> {
  using neighbour = row<ComputeCapability>;
  static constexpr char const* assumption =
      "that it is as its neighbour, what was taken over there included: we have seen no chapter on this capability";
  static constexpr fact<unsigned> sector_bytes = taken_over(neighbour::sector_bytes, assumption),
                                  tags_per_cycle = taken_over(neighbour::tags_per_cycle, assumption),
                                  constant_lanes = taken_over(neighbour::constant_lanes, assumption),
                                  banks = taken_over(neighbour::banks, assumption),
                                  bank_bytes = taken_over(neighbour::bank_bytes, assumption);
  static constexpr by_width<fact<unsigned>> shared_lanes{
      .of_1 = taken_over(neighbour::shared_lanes.of_1, assumption),
      .of_2 = taken_over(neighbour::shared_lanes.of_2, assumption),
      .of_4 = taken_over(neighbour::shared_lanes.of_4, assumption),
      .of_8 = taken_over(neighbour::shared_lanes.of_8, assumption),
      .of_16 = taken_over(neighbour::shared_lanes.of_16, assumption)};
};
template <>
struct row<88> : as_its_neighbour<89> {};
template <>
struct row<103> : as_its_neighbour<100> {};
template <>
struct row<107> : as_its_neighbour<100> {
  static constexpr fact shared_bytes{328 * 1024, shared_size_by_occupancy};
  static constexpr source narrow_tensor_copies = documents::ptxas_13_5.says(
      "tensormap.replace on sm_107a", "takes swizzles of atoms of 32 and 64 bytes, elements of 4 and 6 bits");
};
template <>
struct row<110> : as_its_neighbour<100> {};
template <>
struct row<121> : as_its_neighbour<120> {};

}  // namespace coalescing::cuda
