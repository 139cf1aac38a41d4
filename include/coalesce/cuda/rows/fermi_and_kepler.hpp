// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cuda/rows/every_capability.hpp>

// The facts of Fermi and Kepler: CC 2.x and 3.x.

namespace coalescing::cuda {

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
      "Memory Statistics, Atomics", "they bypass L1 and are done in L2", "a transaction for each of its segments");
  static constexpr source shared_atomics =
      documents::jia.implies("atomic operations, K80",
                             "the rounds of one pass of a load of the same words: before CC 5.0 such an "
                             "atomic is a loop with a lock, whose passes are not counted");
  static constexpr fact constant_lanes{32, documents::pg_5_5.says("5.3.2", "as many requests as different addresses")};
  static constexpr fact shared_bytes{48 * 1024, documents::pg_5_5.says("G.1", "48 KB a multiprocessor")};
};
/// The bytes of a line of L1, on a machine that can cache global loads in L1.
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
struct row<21> : row<20> {};  // the guide has one chapter for CC 2.x

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

}  // namespace coalescing::cuda
