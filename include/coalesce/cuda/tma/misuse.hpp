// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/misuse.hpp>

#include <cstdint>

// The refusals of tensor maps, bulk copies and operands. Refusals that are not special to them are in core/misuse.hpp.

namespace coalescing::refused {

[[noreturn]] COALESCE_API inline void swizzle_is_two_exclusive_ors_use_swizzle_address() {
  detail::refuse("bytes_128_atom_32_flip_8 is two exclusive ors, which no co::swizzle says: use cuda::swizzle_address");
}
[[noreturn]] COALESCE_API inline void tensor_has_another_rank() {
  detail::refuse("there are not as many coordinates as the tensor map has dimensions (tensor_map::rank)");
}
[[noreturn]] COALESCE_API inline void box_has_no_such_element(std::uint64_t) {
  detail::refuse(
      "the box has no such element: it has ceil(box / element_stride) each way, the first stride being ignored");
}
[[noreturn]] COALESCE_API inline void box_is_narrower_than_its_swizzle_say_the_pitch() {
  detail::refuse(
      "a row of the box is narrower than the span of its swizzle, and no source says how far apart its rows lie in "
      "shared memory: say the pitch, in bytes");
}
[[noreturn]] COALESCE_API inline void pitch_does_not_fit_the_box(std::uint64_t) {
  detail::refuse("the pitch is a multiple of 16 bytes, no less than a row; where the row fixes it, it is the row");
}
[[noreturn]] COALESCE_API inline void box_in_shared_memory_is_aligned_to_128_bytes(std::uint64_t) {
  detail::refuse("the address of a box in shared memory is a multiple of 128");
}
[[noreturn]] COALESCE_API inline void rows_of_the_box_interleave() {
  detail::refuse(
      "the strides make rows of the box lie between rows of another index without continuing them: the pieces of "
      "memory "
      "that they share are not counted in closed form");
}
[[noreturn]] COALESCE_API inline void box_starts_beyond_32_bits(std::int64_t) {
  detail::refuse("a start coordinate of a box is a signed number of 32 bits");
}
[[noreturn]] COALESCE_API inline void box_starts_off_a_multiple_of_16_bytes(std::int64_t) {
  detail::refuse("the first start coordinate is not a multiple of 16 bytes (an illegal instruction on H100)");
}
[[noreturn]] COALESCE_API inline void box_with_gaps_starts_off_a_multiple_of_128_elements(std::int64_t) {
  detail::refuse(
      "the first start coordinate of u4_align16 and u6_align16 is a multiple of 128 elements (64 in a store)");
}
[[noreturn]] COALESCE_API inline void stored_box_starts_before_the_tensor(std::int64_t) {
  detail::refuse("a start coordinate of a store is not negative");
}
[[noreturn]] COALESCE_API inline void box_runs_past_the_top_of_memory() {
  detail::refuse("the box reaches past the top of the 64-bit address space");
}
[[noreturn]] COALESCE_API inline void tensor_map_is_not_legal_see_its_fault() {
  detail::refuse("the tensor map is not legal, or not in that direction: fault() names the rule, sentence() says it");
}
[[noreturn]] COALESCE_API inline void interleaved_boxes_are_not_modelled() {
  detail::refuse("what a box of an interleaved tensor touches, and its layout in shared memory, are not modelled");
}
[[noreturn]] COALESCE_API inline void bulk_copy_is_not_legal_see_its_fault() {
  detail::refuse("the bulk copy is not legal: fault() names the rule, sentence() says it");
}
[[noreturn]] COALESCE_API inline void operand_is_not_legal_see_its_fault() {
  detail::refuse("the operand is not legal for that unit: fault() names the rule, sentence() says it");
}
[[noreturn]] COALESCE_API inline void k_lies_beyond_the_swizzle_span(std::uint64_t) {
  detail::refuse("a K-major row is as long as the swizzle's span: what lies beyond is another descriptor's");
}
[[noreturn]] COALESCE_API inline void operand_has_no_such_element(std::uint64_t, std::uint64_t) {
  detail::refuse("an element of an operand has places in MN and in K that are not negative, and below 2^18");
}
[[noreturn]] COALESCE_API inline void operand_goes_on_say_leading_or_stride() {
  detail::refuse("the element lies beyond what one .leading or .stride spans, and that one is 0");
}
[[noreturn]] COALESCE_API inline void descriptor_address_is_no_multiple_of_16_below_2_18(std::uint64_t) {
  detail::refuse("the start address in a descriptor is a multiple of 16 below 2^18");
}
[[noreturn]] COALESCE_API inline void start_is_not_in_the_first_row_say_where_the_pattern_starts(std::uint64_t) {
  detail::refuse(
      "the start address is beyond the first 128 bytes of the swizzle's pattern, if that is aligned to its length: say "
      "where the pattern starts");
}
[[noreturn]] COALESCE_API inline void swizzle_pattern_begins_at_a_multiple_of_128(std::uint64_t) {
  detail::refuse("a swizzle's pattern begins at a multiple of 128: the base offset counts steps of 128 bytes");
}
[[noreturn]] COALESCE_API inline void swizzle_pattern_begins_beyond_the_start(std::uint64_t) {
  detail::refuse("the swizzle's pattern begins beyond the start address, which lies in the pattern");
}
[[noreturn]] COALESCE_API inline void operand_is_compared_with_boxes_of_two_dimensions() {
  detail::refuse("an operand matches a box of two dimensions; further ones are 1");
}

}  // namespace coalescing::refused
