// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cuda/boxes.hpp>
#include <coalesce/cuda/rows.hpp>

// The rules of a tensor map, each as a sentence beside its source.

namespace coalescing::cuda {

/// The rules of a tensor map, in the order of the map's fields. fault() names the first rule, in this order, that the
/// map breaks.
enum class tensor_fault {
  none,  ///< the map is legal
  no_such_enumerator,
  im2col_is_not_modelled,
  rank_is_not_1_to_5,
  interleaved_rank_is_not_3_to_5,
  address_is_not_a_multiple_of_16,
  address_is_not_a_multiple_of_32,
  extent_is_not_1_to_2_32,
  extent_is_odd,
  extent_is_not_a_multiple_of_128,
  stride_is_not_a_multiple_of_16,
  stride_is_not_a_multiple_of_32,
  stride_is_not_below_2_40,
  box_is_not_1_to_256,
  box_is_not_128_wide,
  box_row_is_not_a_multiple_of_16_bytes,
  element_stride_is_not_1_to_8,
  element_is_not_interleaved,
  interleave_of_32_needs_the_swizzle_of_32,
  box_row_is_wider_than_the_swizzle,
  element_has_no_such_swizzle,
  fill_of_nan_needs_floating_point,
  // Only fault(tensor_copy) finds these:
  element_is_loaded_only,
  swizzle_is_for_stores_only,
  swizzle_is_for_loads_only,
  // Only fault_on finds these:
  machine_has_no_tensor_copies,
  machine_has_no_swizzle_atoms,
  machine_has_no_elements_below_a_byte
};
COALESCE_API constexpr bool is_enumerator(tensor_fault value) {
  return value == tensor_fault::none || value == tensor_fault::no_such_enumerator ||
         value == tensor_fault::im2col_is_not_modelled || value == tensor_fault::rank_is_not_1_to_5 ||
         value == tensor_fault::interleaved_rank_is_not_3_to_5 ||
         value == tensor_fault::address_is_not_a_multiple_of_16 ||
         value == tensor_fault::address_is_not_a_multiple_of_32 || value == tensor_fault::extent_is_not_1_to_2_32 ||
         value == tensor_fault::extent_is_odd || value == tensor_fault::extent_is_not_a_multiple_of_128 ||
         value == tensor_fault::stride_is_not_a_multiple_of_16 ||
         value == tensor_fault::stride_is_not_a_multiple_of_32 || value == tensor_fault::stride_is_not_below_2_40 ||
         value == tensor_fault::box_is_not_1_to_256 || value == tensor_fault::box_is_not_128_wide ||
         value == tensor_fault::box_row_is_not_a_multiple_of_16_bytes ||
         value == tensor_fault::element_stride_is_not_1_to_8 || value == tensor_fault::element_is_not_interleaved ||
         value == tensor_fault::interleave_of_32_needs_the_swizzle_of_32 ||
         value == tensor_fault::box_row_is_wider_than_the_swizzle ||
         value == tensor_fault::element_has_no_such_swizzle ||
         value == tensor_fault::fill_of_nan_needs_floating_point || value == tensor_fault::element_is_loaded_only ||
         value == tensor_fault::swizzle_is_for_stores_only || value == tensor_fault::swizzle_is_for_loads_only ||
         value == tensor_fault::machine_has_no_tensor_copies || value == tensor_fault::machine_has_no_swizzle_atoms ||
         value == tensor_fault::machine_has_no_elements_below_a_byte;
}

/// A rule in words, and its source.
struct tensor_rule {
  char const* text = "";
  source from = {};
};
/// The rule in words, and its source.
[[nodiscard]] COALESCE_API constexpr tensor_rule rule_of(tensor_fault fault) {
  constexpr auto encode = [](char const* parameter) {
    return documents::cuda_h_13_0.says("cuTensorMapEncodeTiled", parameter);
  };
  constexpr tensor_rule rules[] = {
      {"legal", our_reading.implies("", "keeps every rule below")},
      {"a value is not one of its enumeration's names", encode("the enumerations")},
      {"im2col maps are not modelled", our_reading.implies("", "restricted to cuTensorMapEncodeTiled")},
      {"the rank is 1 to 5", encode("tensorRank")},
      {"an interleaved tensor has a rank of 3 to 5", encode("tensorRank")},
      {"the address is a multiple of 16", encode("globalAddress")},
      {"the address is a multiple of 32 if interleaved by 32 bytes, and for u4_align16 and u6_align16",
       encode("globalAddress")},
      {"each extent is 1 to 2^32 elements", encode("globalDim")},
      {"the first extent is even for u4_align8", encode("globalDim")},
      {"the first extent is a multiple of 128 for u4_align16 and u6_align16", encode("globalDim")},
      {"each stride is a multiple of 16 bytes", encode("globalStrides")},
      {"each stride is a multiple of 32 bytes if interleaved by 32 bytes, and for u4_align16 and u6_align16",
       encode("globalStrides")},
      {"each stride is less than 2^40 bytes", encode("globalStrides")},
      {"a box is 1 to 256 elements each way", encode("boxDim")},
      {"a box of u4_align16 or u6_align16 is 128 elements wide", encode("boxDim")},
      {"a row of the box is a multiple of 16 bytes unless interleaved", encode("boxDim")},
      {"each element stride is 1 to 8; the first is ignored unless interleaved", encode("elementStrides")},
      {"u6_align16 is not interleaved", encode("interleave")},
      {"the interleave of 32 bytes goes with the swizzle of 32 bytes", encode("swizzle")},
      {"a row of the box is no wider than the span of the swizzle: 32, 64 or 128 bytes", encode("interleave")},
      {"u6_align16 has the swizzles none, bytes_128, bytes_128_atom_32 and bytes_128_atom_64, u4_align16 all of these "
       "but the last",
       encode("swizzle")},
      {"elements outside are NaN only of floating-point types", encode("oobFill")},
      {"u4_align16 is loaded, never stored", encode("swizzle")},
      {"u6_align16 with bytes_128_atom_64 is stored, never loaded", encode("swizzle")},
      {"bytes_128_atom_32_flip_8 is for loads, never for stores",
       documents::ptx_9_1.says("9.7.9.27.1.1", "32-byte atomicity with 8-byte flip: only from global memory")},
      {"tensor maps exist since CC 9.0", encode("requirements")},
      {"swizzles of 32- and 64-byte atoms exist since CC 10.0, on targets such as sm_100a",
       documents::ptx_9_1.says("9.7.9.27.1.1", "swizzle_atomicity: sm_100a, sm_110a, sm_120a")},
      {"elements of 4 and 6 bits exist since CC 10.0, on targets such as sm_100a",
       documents::ptx_9_1.says("5.5.1", "the sub-byte types: sm_100a and later families")},
  };
  coalescing::detail::check_enumerator(fault);
  return rules[static_cast<unsigned>(fault)];
}
/// The rule in words.
[[nodiscard]] COALESCE_API constexpr char const* sentence(tensor_fault fault) { return rule_of(fault).text; }

}  // namespace coalescing::cuda
