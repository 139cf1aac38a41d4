// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/cost.hpp>
#include <coalesce/cuda/rows/sectors.hpp>

// The facts of Maxwell and Pascal: CC 5.x and 6.x.

namespace coalescing::cuda {

inline constexpr fact merged_by_remark{
    2, documents::maxas_8.implies("a comment of 2016-03-18",
                                  "loads of 16 bytes need at least two passes on CC 5.2, where we count four",
                                  "that parts merge as on CC 7.0 to 9.0")};

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
  static constexpr by_width<fact<unsigned>> merged_parts{.of_8 = merged_by_remark, .of_16 = merged_by_remark};
};
// On CC 5.2, loads that opt in to L1 are counted in sectors, too, as forum thread 49571 says. (The Best Practices
// Guide 13.0, 10.2.1, says 128 bytes.)
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

}  // namespace coalescing::cuda
