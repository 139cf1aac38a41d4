// SPDX-License-Identifier: BSL-1.0
// EXPECT: stored_box_starts_before_the_tensor
#include <coalesce/cuda/tma.hpp>
namespace co = coalescing;
namespace cu = co::cuda;

constexpr cu::tensor_map halves{.element = cu::tensor_element::f16,
                                .rank = 2,
                                .extent = {4096, 4096},
                                .stride = {8192},
                                .box = {64, 64},
                                .swizzle = cu::tensor_swizzle::bytes_128};
static_assert(halves.cost({-8, 0}, cu::tensor_copy::store).sectors == 256);
