// SPDX-License-Identifier: BSL-1.0
// What <coalesce/cuda/tma.hpp> refuses. Each section must not compile, and the compiler must say its EXPECT, a regular
// expression. (must_fail.cmake compiles what stands here, and one section.)
#include <coalesce/cuda/tma.hpp>
namespace co = coalescing;

// ---- box_of_257 ----
// EXPECT: tensor_map_is_not_legal_see_its_fault
namespace cu = co::cuda;

constexpr cu::tensor_map wide{.rank = 1, .extent = {4096}, .box = {257}};
static_assert(wide.footprint<32>({0}) == 288);

// ---- box_off_16_bytes ----
// EXPECT: box_starts_off_a_multiple_of_16_bytes
namespace cu = co::cuda;

constexpr cu::tensor_map halves{.element = cu::tensor_element::f16,
                                .rank = 2,
                                .extent = {4096, 4096},
                                .stride = {8192},
                                .box = {64, 64},
                                .swizzle = cu::tensor_swizzle::bytes_128};
static_assert(halves.cost({1, 0}).sectors == 320);

// ---- box_with_gaps_off_128_elements ----
// EXPECT: box_with_gaps_starts_off_a_multiple_of_128_elements
namespace cu = co::cuda;

constexpr cu::tensor_map fours{
    .element = cu::tensor_element::u4_align16, .rank = 2, .extent = {256, 8}, .stride = {128}, .box = {128, 8}};
static_assert(fours.cost({32, 0}).sectors == 24);

// ---- bulk_of_24_bytes ----
// EXPECT: bulk_copy_is_not_legal_see_its_fault
namespace cu = co::cuda;

static_assert(cu::cp_async_bulk{.bytes = 24}.cost().sectors == 1);

// ---- coordinates_of_another_rank ----
// EXPECT: tensor_has_another_rank
namespace cu = co::cuda;

constexpr cu::tensor_map halves{.element = cu::tensor_element::f16,
                                .rank = 2,
                                .extent = {4096, 4096},
                                .stride = {8192},
                                .box = {64, 64},
                                .swizzle = cu::tensor_swizzle::bytes_128};
static_assert(halves.cost({0}).sectors == 256);

// ---- descriptor_inside_a_pattern ----
// EXPECT: start_is_not_in_the_first_row_say_where_the_pattern_starts
namespace cu = co::cuda;

constexpr cu::shared_operand tile{.swizzle = cu::tensor_swizzle::bytes_128, .stride = 1024};
static_assert(tile.wgmma_descriptor(0x480) != 0);

// ---- descriptor_of_another_unit ----
// EXPECT: operand_is_not_legal_see_its_fault
namespace cu = co::cuda;

constexpr cu::shared_operand transposed{.bits = 8, .major = cu::major::mn};
static_assert(transposed.tcgen05_descriptor(0) != 0 && transposed.wgmma_descriptor(0) == 0);

// ---- descriptor_pattern_beyond_the_start ----
// EXPECT: swizzle_pattern_begins_beyond_the_start
namespace cuda = coalescing::cuda;

constexpr cuda::shared_operand tile{.swizzle = cuda::tensor_swizzle::bytes_128, .stride = 1024};
static_assert(tile.wgmma_descriptor(0x400, 0x10000) != 0);

// ---- interleaved_box ----
// EXPECT: interleaved_boxes_are_not_modelled
namespace cu = co::cuda;

constexpr cu::tensor_map volume{.element = cu::tensor_element::f16,
                                .rank = 3,
                                .extent = {64, 8, 8},
                                .stride = {128, 1024},
                                .box = {8, 4, 2},
                                .interleave = cu::tensor_interleave::bytes_16};
static_assert(volume.cost({0, 0, 0}).sectors == 4);

// ---- operand_below_its_first_row ----
// EXPECT: operand_has_no_such_element
namespace cuda = coalescing::cuda;

constexpr cuda::shared_operand tile{.swizzle = cuda::tensor_swizzle::bytes_128, .stride = 1024};
static_assert(tile(-1, 0) != 0);

// ---- operand_beyond_its_row ----
// EXPECT: k_lies_beyond_the_swizzle_span
namespace cu = co::cuda;

constexpr cu::shared_operand tile{.swizzle = cu::tensor_swizzle::bytes_128, .stride = 1024};
static_assert(tile(0, 64) == 8192);

// ---- pitch_of_a_narrow_box ----
// EXPECT: box_is_narrower_than_its_swizzle_say_the_pitch
namespace cu = co::cuda;

constexpr cu::tensor_map narrow{.element = cu::tensor_element::f16,
                                .rank = 2,
                                .extent = {4096, 4096},
                                .stride = {8192},
                                .box = {32, 64},
                                .swizzle = cu::tensor_swizzle::bytes_128};
static_assert(narrow.shared_offset({0, 1}) == 144);

// ---- rows_that_interleave ----
// EXPECT: rows_of_the_box_interleave
namespace cu = co::cuda;

constexpr cu::tensor_map comb{.rank = 3, .extent = {16, 8, 8}, .stride = {128, 336}, .box = {16, 8, 8}};
static_assert(comb.cost({0, 0, 0}).sectors == 64);

// ---- store_before_the_tensor ----
// EXPECT: stored_box_starts_before_the_tensor
namespace cu = co::cuda;

constexpr cu::tensor_map halves{.element = cu::tensor_element::f16,
                                .rank = 2,
                                .extent = {4096, 4096},
                                .stride = {8192},
                                .box = {64, 64},
                                .swizzle = cu::tensor_swizzle::bytes_128};
static_assert(halves.cost({-8, 0}, cu::tensor_copy::store).sectors == 256);

// ---- swizzle_of_two_ors ----
// EXPECT: swizzle_is_two_exclusive_ors_use_swizzle_address
namespace cu = co::cuda;

static_assert(cu::swizzle_of(cu::tensor_swizzle::bytes_128_atom_32_flip_8)(0) == 0);
