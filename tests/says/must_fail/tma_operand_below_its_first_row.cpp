// SPDX-License-Identifier: BSL-1.0
// EXPECT: operand_has_no_such_element
#include <coalesce/cuda/tma.hpp>
namespace cuda = coalescing::cuda;

constexpr cuda::shared_operand tile{.swizzle = cuda::tensor_swizzle::bytes_128, .stride = 1024};
static_assert(tile(-1, 0) != 0);
