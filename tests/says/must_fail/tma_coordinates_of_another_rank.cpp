// SPDX-License-Identifier: BSL-1.0
// EXPECT: tensor_has_another_rank
#include <coalesce/cuda/tma.hpp>
namespace co = coalescing;
namespace cu = co::cuda;

constexpr cu::tensor_map halves{.element = cu::tensor_element::f16,
                                .rank = 2,
                                .extent = {4096, 4096},
                                .stride = {8192},
                                .box = {64, 64},
                                .swizzle = cu::tensor_swizzle::bytes_128};
static_assert(halves.cost({0}).sectors == 256);
