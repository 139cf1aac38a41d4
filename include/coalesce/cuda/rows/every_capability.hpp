// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/core/source.hpp>
#include <coalesce/cuda/documents.hpp>

// What the rows of all compute capabilities share: the names of the rules, and the facts that hold for every warp.

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

}  // namespace coalescing::cuda
