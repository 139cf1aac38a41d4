// SPDX-License-Identifier: BSL-1.0
// EXPECT: tensor_map_is_not_legal_see_its_fault
#include <coalesce/cuda/tma.hpp>
namespace co = coalescing;
namespace cu = co::cuda;

constexpr cu::tensor_map wide{.rank = 1, .extent = {4096}, .box = {257}};
static_assert(wide.footprint<32>({0}) == 288);
