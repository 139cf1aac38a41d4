// SPDX-License-Identifier: BSL-1.0
// EXPECT: interleaved_boxes_are_not_modelled
#include <coalesce/cuda/tma.hpp>
namespace co = coalescing;
namespace cu = co::cuda;

constexpr cu::tensor_map volume{.element = cu::tensor_element::f16,
                                .rank = 3,
                                .extent = {64, 8, 8},
                                .stride = {128, 1024},
                                .box = {8, 4, 2},
                                .interleave = cu::tensor_interleave::bytes_16};
static_assert(volume.cost({0, 0, 0}).sectors == 4);
