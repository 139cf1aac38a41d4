// SPDX-License-Identifier: BSL-1.0
// EXPECT: start_is_not_in_the_first_row_say_where_the_pattern_starts
#include <coalesce/cuda/tma.hpp>
namespace co = coalescing;
namespace cu = co::cuda;

constexpr cu::shared_operand tile{.swizzle = cu::tensor_swizzle::bytes_128, .stride = 1024};
static_assert(tile.wgmma_descriptor(0x480) != 0);
