// SPDX-License-Identifier: BSL-1.0
// EXPECT: k_lies_beyond_the_swizzle_span
#include <coalesce/cuda/tma.hpp>
namespace co = coalescing;
namespace cu = co::cuda;

constexpr cu::shared_operand tile{.swizzle = cu::tensor_swizzle::bytes_128, .stride = 1024};
static_assert(tile(0, 64) == 8192);
