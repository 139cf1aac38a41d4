// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/copies.hpp>
#include <coalesce/cuda/documents.hpp>

// How TMA, which copies boxes of a tensor, lays boxes out in shared memory. cuda/tma.hpp has the other facts and rules
// of TMA.

namespace coalescing::cuda::rules {

// The swizzles that consist of a single exclusive or.
inline constexpr box_swizzle swizzle_32{32, 1, 4, 3, documents::ptx_9_1.says("5.5.7", "bit 4 ^= bit 7")};
inline constexpr box_swizzle swizzle_64{64, 2, 4, 3, documents::ptx_9_1.says("5.5.7", "bits 4-5 ^= bits 7-8")};
inline constexpr box_swizzle swizzle_128{128, 3, 4, 3, documents::ptx_9_1.says("5.5.7", "bits 4-6 ^= bits 7-9")};
inline constexpr box_swizzle swizzle_128_atom_32{128, 2, 5, 2,
                                                 documents::ptx_9_1.says("5.5.7", "bits 5-6 ^= bits 7-8")};
inline constexpr box_swizzle swizzle_128_atom_64{
    128, 1, 6, 1,
    documents::ptx_9_1.implies("5.5.7",
                               "bit 6 ^= bit 7: read off the table, which CuTe's assertion B == 2 contradicts")};

/// The boxes that the tensor copies of a machine can write to shared memory. These boxes differ from machine to machine
/// only in their swizzles.
template <class... Swizzles>
COALESCE_API constexpr copy_in_boxes boxes_with(Swizzles const&... swizzles) {
  return {.widest_element = {8, documents::cuda_h_13_0.says("cuTensorMapEncodeTiled", "tensorDataType: up to 64 bits")},
          .row_multiple = {16, documents::cuda_h_13_0.says("cuTensorMapEncodeTiled", "boxDim: a row of the box")},
          .most_elements = {256, documents::cuda_h_13_0.says("cuTensorMapEncodeTiled", "boxDim: 1 to 256 each way")},
          .destination = {128, documents::copies_13_1.says("4.11.2", "the address in shared memory")},
          .swizzles = {swizzles...},
          .count = sizeof...(Swizzles)};
}

// Concepts that test whether a row of cuda/rows.hpp has a fact that not every row has.
template <class Row>
concept has_tensor_copies = requires {
  Row::tensor_copies;
};
template <class Row>
concept has_narrow_tensor_copies = has_tensor_copies<Row> && requires {
  Row::narrow_tensor_copies;
};

}  // namespace coalescing::cuda::rules

namespace coalescing::detail {

// The swizzle of two exclusive ors (bytes_128_atom_32_flip_8) is left out: a co::swizzle cannot express it.
template <cuda::rules::has_tensor_copies Row>
inline constexpr copy_in_boxes boxes_of<Row> = cuda::rules::boxes_with(cuda::rules::swizzle_128,
                                                                       cuda::rules::swizzle_64,
                                                                       cuda::rules::swizzle_32);
template <cuda::rules::has_narrow_tensor_copies Row>
inline constexpr copy_in_boxes boxes_of<Row> = cuda::rules::boxes_with(cuda::rules::swizzle_128,
                                                                       cuda::rules::swizzle_128_atom_32,
                                                                       cuda::rules::swizzle_128_atom_64,
                                                                       cuda::rules::swizzle_64,
                                                                       cuda::rules::swizzle_32);

}  // namespace coalescing::detail
