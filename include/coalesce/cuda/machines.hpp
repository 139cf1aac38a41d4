// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cost.hpp>
#include <coalesce/cuda/global.hpp>
#include <coalesce/cuda/shared.hpp>

// The table: what each compute capability does, oldest first. A row is written out, or taken from the machine that its
// guide says it behaves like, naming what changes. The sources are named in cuda.hpp.

namespace coalescing::cuda::detail {

template <unsigned ComputeCapability>
struct row;

// ---- Tesla: CC 1.x ----

template <>
struct row<10> {
  using rules = half_warp_rules;
  using protocol = in_order_words;
  static constexpr unsigned widest = 128;                           // bits of a global access
  static constexpr bool caches_in_l1 = false, bypasses_l1 = false;  // what a load may ask for
  static constexpr bool eight_byte_banks = false, merges_pairs = false;
  static constexpr bool atomics_in_l2 = false;
  static constexpr unsigned constant_lanes = 16;

  static constexpr source parts{"PG3.2 G.3.2: a warp is two requests, one for each half-warp", evidence::documented};
  static constexpr source transactions{
      "PG3.2 G.3.2.1 (16-byte words: PG2.0 5.1.2.1 wants 256-byte alignment, later editions 128); not coalesced, one "
      "transaction for each active lane, where some are inactive: inferred",
      evidence::documented};
  static constexpr source atomics{"none: refused", evidence::inferred};
  static constexpr source serialized = atomics;
  static constexpr source constants{"PG2.0: cost linear in the different addresses of each half-warp",
                                    evidence::documented};
  static constexpr source banks{
      "PG2.0 5.1.2.5, PG3.2 G.3.3: 16 banks, half-warps; rounds is the worst and rounds_at_least the best of the "
      "choices that the guide leaves open",
      evidence::documented};
  static constexpr source shared_atomics{"none: refused", evidence::inferred};
};
template <>
struct row<11> : row<10> {};  // one section for both
template <>
struct row<12> : row<10> {
  using protocol = shrinking_segments;
  static constexpr source transactions{"PG2.0 5.1.2.1, PG3.2 G.3.2.2: the segment protocol", evidence::documented};
};
template <>
struct row<13> : row<12> {};  // one section for both

// ---- Fermi: CC 2.x ----

template <>
struct row<20> {
  using rules = request_rules;
  static constexpr unsigned widest = 128;
  static constexpr caching default_caching = caching::l1;
  static constexpr bool caches_in_l1 = true, bypasses_l1 = true;
  static constexpr bool eight_byte_banks = false, merges_pairs = false;
  static constexpr bool atomics_in_l2 = true;
  static constexpr unsigned constant_lanes = 32;

  static constexpr source parts{"PG3.2 G.4.2: words of 8 bytes are 2 requests, of 16 bytes 4, issued independently",
                                evidence::documented};
  static constexpr source transactions{
      "PG3.2 G.4.2: lines of 128 bytes through L1, segments of 32 past it; no merging across requests: inferred",
      evidence::documented};
  static constexpr source stores{"segments of 32 bytes in L2, as loads past L1: third-party book only",
                                 evidence::inferred};
  static constexpr source one_writer{"PG3.2 G.4.2: of lanes that write one location, one writes", evidence::documented};
  static constexpr source atomics{
      "Nsight, Memory Statistics, Atomics: they pass L1 and are done in L2, in its segments", evidence::documented};
  static constexpr source serialized{
      "CUDA programming guide, atomic functions: a warp's operations on one address are all done, one after the other",
      evidence::documented};
  static constexpr source banks{"PG3.2 G.4.3", evidence::documented};
  static constexpr source constants{"PG5.5 5.3.2: as many requests as different addresses", evidence::documented};
  static constexpr source partial{
      "counted from the addresses; that a partial sector costs L2 a read: NCU 2.11.3, for CC 7.0 on",
      evidence::inferred};
  static constexpr source shared_atomics{
      "the rounds of one pass of a load of the same words; before CC 5.0 such an atomic is a loop with a lock (Jia et "
      "al., on K80)",
      evidence::inferred};
};
template <>
struct row<21> : row<20> {};  // one chapter for 2.x

// ---- Kepler: CC 3.x ----

/// L2 is as on CC 2.x (PG5.5 G.5.2); global loads pass L1, unless the part can use it and is asked to.
template <>
struct row<30> : row<20> {
  using rules = kepler_rules;
  static constexpr caching default_caching = caching::l2;
  static constexpr bool caches_in_l1 = false;
  static constexpr bool eight_byte_banks = true;

  static constexpr source parts{"PG10.2 H.3.2: halves and quarters of the warp as on CC 2.x", evidence::documented};
  static constexpr source atomics{"as CC 2.x: PG5.5 G.5.2 says that L2 behaves alike", evidence::documented};
  static constexpr source banks{"PG5.5 G.5.3", evidence::documented};
  static constexpr source banks_of_wide_words{"PG5.5 G.5.3 for the mapping; which lanes go together: inferred",
                                              evidence::inferred};
  static constexpr source one_writer{"as CC 2.x", evidence::inferred};
  static constexpr source transactions{
      "PG5.5 G.5.2, BPG5.5 9.2.1, PG10.2 H.3.2: 32 bytes past L1; 128 through it, where it can (some CC 3.5 parts, "
      "3.7)",
      evidence::documented};
};
template <>
struct row<32> : row<30> {};
template <>
struct row<35> : row<30> {
  static constexpr bool caches_in_l1 = true;  // some parts: PG10.2 H.3.2
};
template <>
struct row<37> : row<35> {};

// ---- Maxwell and Pascal: CC 5.x, 6.x ----

template <>
struct row<50> {
  using rules = split_rules;
  static constexpr unsigned widest = 128;
  static constexpr bool caches_in_l1 = false, bypasses_l1 = false;
  static constexpr bool eight_byte_banks = false, merges_pairs = false;
  static constexpr bool atomics_in_l2 = true;
  static constexpr unsigned constant_lanes = 32;
  static constexpr auto sector_level = coalescing::level::l2;  // PG10.2 H.4.2: by default L1 is for read-only data

  static constexpr source parts{"NVIDIA employee, forum 49571: requests of 8, 4 or 2 lanes before the tag lookup",
                                evidence::documented};
  static constexpr source transactions{
      "sectors: NVIDIA employee, forum 49571, and BPG13 10.2.1 for CC 6.0 and later; one that two requests share "
      "is counted once: inferred from NVIDIA's figures",
      evidence::documented};
  static constexpr source one_writer = row<30>::one_writer;
  static constexpr source partial = row<20>::partial;
  static constexpr source atomics{"done in L2 as on CC 2.x, in its sectors", evidence::inferred};
  static constexpr source serialized = row<20>::serialized;
  static constexpr source banks{"PG12.3 19.4.3: 32 banks of 4 bytes", evidence::documented};
  static constexpr source banks_of_8_bytes{"half-warps: measured for L1 hits on CC 8.0, 8.6 and 9.0, not here",
                                           evidence::inferred};
  static constexpr source banks_of_16_bytes{"quarter-warps: NVIDIA GTC 2019, S9593", evidence::documented};
  static constexpr source shared_atomics{
      "the rounds of a load of the same words; what serialization adds is in no document", evidence::inferred};
  static constexpr source constants{
      "PG12.3, device memory accesses: as many requests as different addresses (NCU 2.3.4 tells of replays by cache "
      "line)",
      evidence::documented};
};
// One chapter for 5.x. Loads that opt in to L1 on 5.2 are counted in sectors too (forum 49571; BPG13 has 128 bytes).
template <>
struct row<52> : row<50> {};
template <>
struct row<53> : row<50> {};
template <>
struct row<60> : row<50> {
  static constexpr auto sector_level = coalescing::level::l1;  // BPG13: cached in L1 by default
};
template <>
struct row<61> : row<60> {};
template <>
struct row<62> : row<60> {};

// ---- Volta and later: CC 7.0 to 12.1. "Behaves the same way as" 5.x and 6.x: PG12.3 ch. 19, PG12.9x ch. 20 ----

template <>
struct row<70> : row<60> {
  using rules = whole_warp_rules;
  static constexpr bool merges_pairs = true;

  static constexpr source parts{"NCU 2.3.7: one request for each instruction of the warp", evidence::documented};
  static constexpr source transactions{"BPG13 10.2.1, PG13, PG12.3 ch. 19, PG12.9x ch. 20: 32-byte transactions",
                                       evidence::documented};
  static constexpr source sectors_of_256_bits{
      "the access is in PTX ISA 8.8; its sectors are counted as for narrower words", evidence::inferred};
  static constexpr source data_stage{"the bank rule of shared memory: measured on CC 8.0, 8.6 and 9.0, not here",
                                     evidence::inferred};
  static constexpr source data_stage_of_wide_words{
      "the bank rule of shared memory, a part of the warp for each 4 bytes of a word: measured for 4 and 8 bytes only",
      evidence::inferred};
  static constexpr source data_stage_of_stores{"as loads, for which it was measured", evidence::inferred};
  static constexpr source tag_stage{
      "NVIDIA employee, forums 49571, 312884, 273699: 4 tags a cycle; a bound, since which lines share a set is not "
      "known",
      evidence::documented};
  static constexpr source partial{"NCU 2.11.3", evidence::documented};
  static constexpr source data_stage_of_narrow_words{
      "the bank rule of shared memory: measured for words of 4 and 8 bytes only", evidence::inferred};
};
template <>
struct row<72> : row<70> {};
template <>
struct row<75> : row<70> {};
template <>
struct row<80> : row<70> {
  static constexpr bool merges_pairs = false;
  static constexpr source data_stage{"the bank rule of shared memory: gpu-benches gpu-strides on this capability",
                                     evidence::measured};
  static constexpr source banks_of_8_bytes{"half-warps: gpu-benches gpu-strides, on this capability, for L1 hits",
                                           evidence::measured};
};
template <>
struct row<86> : row<80> {};
template <>
struct row<87> : row<80> {
  static constexpr source data_stage = row<70>::data_stage;
  static constexpr source banks_of_8_bytes = row<50>::banks_of_8_bytes;
};
template <>
struct row<88> : row<87> {
  static constexpr source transactions{"as CC 8.7 and 8.9; we have seen no chapter on this capability",
                                       evidence::inferred};
  static constexpr source banks{"as CC 8.7 and 8.9; we have seen no chapter on this capability", evidence::inferred};
  static constexpr source constants{"as CC 8.7 and 8.9; we have seen no chapter on this capability",
                                    evidence::inferred};
  static constexpr source tag_stage{"as CC 8.7 and 8.9; we have seen no chapter on this capability",
                                    evidence::inferred};
};
template <>
struct row<89> : row<87> {};
template <>
struct row<90> : row<80> {};
template <>
struct row<100> : row<87> {
  static constexpr unsigned widest = 256;  // PTX ISA 8.8; LLVM has256BitVectorLoadStore: sm_100 and later
  static constexpr source tag_stage{
      "4 tags a cycle, as CC 7.0 to 9.0; a bound, since which lines share a set is not known", evidence::inferred};
  static constexpr source banks_of_16_bytes{"quarter-warps, as CC 5.0 to 9.0", evidence::inferred};
};
template <>
struct row<103> : row<100> {
  static constexpr source transactions{"as CC 10.0; we have seen no chapter on this capability", evidence::inferred};
  static constexpr source banks{"as CC 10.0; we have seen no chapter on this capability", evidence::inferred};
  static constexpr source constants{"as CC 10.0; we have seen no chapter on this capability", evidence::inferred};
};
template <>
struct row<110> : row<103> {};
template <>
struct row<120> : row<100> {};
template <>
struct row<121> : row<120> {
  static constexpr source transactions{"as CC 12.0; we have seen no chapter on this capability", evidence::inferred};
  static constexpr source banks{"as CC 12.0; we have seen no chapter on this capability", evidence::inferred};
  static constexpr source constants{"as CC 12.0; we have seen no chapter on this capability", evidence::inferred};
};

}  // namespace coalescing::cuda::detail
