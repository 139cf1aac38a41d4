// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cuda/rows/every_capability.hpp>

// The facts of Tesla: CC 1.0 to 1.3.

namespace coalescing::cuda {

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
  /// For words of 16 bytes the guides differ. In guide 2.0 (5.1.2.1), a coalesced half-warp reads one segment of 256
  /// bytes. In guide 3.2 and later, it reads two segments of 128 bytes, so its base may be any multiple of 128 bytes.
  /// We follow the later guides.
  static constexpr fact<by_width<unsigned>> segment_bytes{
      {.of_4 = 64, .of_8 = 128, .of_16 = 128},
      documents::pg_3_2.says("G.3.2.1", "lane k reads word k of aligned segments of 64 (4-byte words) or 128 bytes",
                             "not coalesced, and some lanes inactive: a transaction for each active one")};
};
template <>
struct row<11> : row<10> {};  // the guide has one section for CC 1.0 and 1.1
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
struct row<13> : row<12> {};  // the guide has one section for CC 1.2 and 1.3

}  // namespace coalescing::cuda
