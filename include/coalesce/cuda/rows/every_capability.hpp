// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/name.hpp>
#include <coalesce/cuda/documents.hpp>

// The base of every row of facts: the names of the rules, and the facts that hold for every capability.

namespace coalescing::cuda {

/// In which caches a load of CC 2.x or 3.x is cached: nvcc's -dlcm=ca (L1 and L2) and -dlcm=cg (L2 only).
enum class caching {
  by_default,  ///< the compiler's default on that device
  l1,          ///< -dlcm=ca: lines of 128 bytes
  l2           ///< -dlcm=cg: segments of 32 bytes
};

/// The name of an enumerator of `caching`; empty for by_default.
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

/// The rules, which turn the facts of a row into costs. A row names one rule for global memory and one for shared
/// memory.
namespace rules {
// Global memory:
struct in_order_half_warps;  // defined in cuda/tesla.hpp
struct shrinking_segments;   // defined in cuda/tesla.hpp
struct parts_of_a_warp;      // defined in cuda/fermi.hpp
struct split_warps;          // defined in cuda/sectors.hpp
struct whole_warps;          // defined in cuda/sectors.hpp
// Shared memory:
struct one_broadcast;  // defined in cuda/shared_tesla.hpp
struct parts_and_one;  // defined in cuda/shared.hpp
struct wide_banks;     // defined in cuda/shared.hpp
struct word_banks;     // defined in cuda/shared.hpp
}  // namespace rules

/// A value for each width of a lane's word: of_4 is the value for words of 4 bytes, and of(4) returns it. For a width
/// that a row leaves out, of() returns T{}.
template <class T>
struct by_width {
  T of_1{}, of_2{}, of_4{}, of_8{}, of_16{}, of_32{};
  COALESCE_API constexpr T of(unsigned bytes) const {
    return bytes == 1 ? of_1 : bytes == 2 ? of_2 : bytes == 4 ? of_4 : bytes == 8 ? of_8 : bytes == 16 ? of_16 : of_32;
  }
};

/// The facts of a compute capability: row<90> has those of CC 9.0.
template <unsigned ComputeCapability>
struct row;

/// The facts that every capability shares.
struct every_capability {
  static constexpr auto counted_by = profiler::nvprof;
  static constexpr fact lanes{32, documents::pg_3_2.says("4.1", "a warp is 32 threads")};
  static constexpr fact widest_bits{
      128, documents::pg_5_5.says("5.3.2", "words of 1, 2, 4, 8 or 16 bytes, naturally aligned")};
  static constexpr fact<unsigned> widest_shared_bits = widest_bits;  ///< the limit of shared and constant memory
  static constexpr source serialized = documents::pg_12_3.says(
      "atomic functions", "a warp's operations on one address are all done, one after the other");
};

}  // namespace coalescing::cuda
