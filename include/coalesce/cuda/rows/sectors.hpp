// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cuda/rows/fermi_and_kepler.hpp>

// The facts that all machines from CC 5.0 on share.

namespace coalescing::cuda {

/// How many lanes shared memory serves together if words have 8 or 16 bytes. NVIDIA Fuser counts with these numbers on
/// every device that it supports: CC 7.0 and later.
inline constexpr fact half_warps{16, documents::fuser.says("getPhaseSize", "words of 8 bytes: 16 lanes at a time")};
inline constexpr fact quarter_warps{8, documents::fuser.says("getPhaseSize", "words of 16 bytes: 8 lanes at a time")};

/// How many phases of a load of 8- or 16-byte words become one phase if the two lanes of every pair read one address.
/// (Pairs are lanes n and n ^ 1, or n and n ^ 2.) The two facts below have this number from different measurements:
/// times, and counters. Which phases become one is known from an article on Turing: for 16-byte words, the two
/// quarter-warps of one half-warp. Both measurements agree with the article.
inline constexpr char const* parts_that_merge =
    "the two half-warps of 8-byte words; of 16-byte words the two quarters of each half-warp, as on Turing";
inline constexpr fact merged_by_times{
    2,
    documents::shm_microbench.shows("A100, V100",
                                    "loads of 8 and 16 bytes whose neighbouring lanes share a word take 0.51 to 0.64 "
                                    "times as long as those of neighbouring words",
                                    parts_that_merge)};
inline constexpr fact merged_by_counters{
    2, documents::forum_373160.shows("A10, H100",
                                     "16-byte loads: 2 wavefronts where lanes 0 to 15 share a word, and lanes 16 to 31 "
                                     "another; 8 where lanes k and k + 16 share the words at 32k",
                                     parts_that_merge)};

struct sectors : every_capability {
  using shared = rules::word_banks;

  static constexpr source one_writer = documents::pg_3_2.implies("G.4.2", "as CC 2.x");
  static constexpr source partial = fermi_and_kepler::partial;
  static constexpr source atomics =
      documents::nsight_atomics.implies("Memory Statistics, Atomics", "done in L2 as on CC 2.x, in its sectors");
  static constexpr source shared_atomics = documents::pg_12_3.implies(
      "19.4.3", "the rounds of a load of the same words; what serialization adds is in no document");
  /// We count by address, as the programming guide does. Nsight Compute's guide (2.3.4) says instead that a load of
  /// constants is replayed for each different cache line.
  static constexpr fact constant_lanes{
      32, documents::pg_12_3.says("device memory accesses", "as many requests as different addresses")};

  static constexpr fact banks{32, documents::pg_12_3.says("19.4.3", "32 banks")};
  static constexpr fact bank_bytes{4, documents::pg_12_3.says("19.4.3", "banks of 32 bits")};
  static constexpr fact up_to_4_bytes{32,
                                      documents::pg_12_3.says("19.4.3", "words of up to 32 bits: the warp at once")};
};

/// The sources of shared_bytes, the bytes of shared memory of a multiprocessor.
inline constexpr source shared_size_by_guide =
    documents::pg_10_2.says("H.1", "maximum amount of shared memory of a multiprocessor");
inline constexpr source shared_size_by_cccl =
    documents::cccl.says("max_shared_memory_per_multiprocessor", "of a multiprocessor");
inline constexpr source shared_size_by_occupancy = documents::cuda_occupancy_13_5.says(
    "cudaOccAlignUpShmemSizeVoltaPlus", "the most that a multiprocessor's can be set to");

}  // namespace coalescing::cuda
