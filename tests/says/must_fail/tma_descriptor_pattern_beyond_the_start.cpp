// SPDX-License-Identifier: BSL-1.0
// EXPECT: swizzle_pattern_begins_beyond_the_start
#include <coalesce/cuda/tma.hpp>
namespace cuda = coalescing::cuda;

constexpr cuda::shared_operand tile{.swizzle = cuda::tensor_swizzle::bytes_128, .stride = 1024};
static_assert(tile.wgmma_descriptor(0x400, 0x10000) != 0);
