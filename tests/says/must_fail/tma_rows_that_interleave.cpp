// SPDX-License-Identifier: BSL-1.0
// EXPECT: rows_of_the_box_interleave
#include <coalesce/cuda/tma.hpp>
namespace co = coalescing;
namespace cu = co::cuda;

constexpr cu::tensor_map comb{.rank = 3, .extent = {16, 8, 8}, .stride = {128, 336}, .box = {16, 8, 8}};
static_assert(comb.cost({0, 0, 0}).sectors == 64);
