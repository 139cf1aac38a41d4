// SPDX-License-Identifier: BSL-1.0
// EXPECT: box_starts_off_a_multiple_of_16_bytes
#include <coalesce/cuda/tma.hpp>
namespace co = coalescing;
namespace cu = co::cuda;

constexpr cu::tensor_map halves{.element = cu::tensor_element::f16,
                                .rank = 2,
                                .extent = {4096, 4096},
                                .stride = {8192},
                                .box = {64, 64},
                                .swizzle = cu::tensor_swizzle::bytes_128};
static_assert(halves.cost({1, 0}).sectors == 320);
