// SPDX-License-Identifier: BSL-1.0
// EXPECT: box_is_narrower_than_its_swizzle_say_the_pitch
#include <coalesce/cuda/tma.hpp>
namespace co = coalescing;
namespace cu = co::cuda;

constexpr cu::tensor_map narrow{.element = cu::tensor_element::f16,
                                .rank = 2,
                                .extent = {4096, 4096},
                                .stride = {8192},
                                .box = {32, 64},
                                .swizzle = cu::tensor_swizzle::bytes_128};
static_assert(narrow.shared_offset({0, 1}) == 144);
