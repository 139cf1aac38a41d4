// SPDX-License-Identifier: BSL-1.0
// EXPECT: swizzle_is_two_exclusive_ors_use_swizzle_address
#include <coalesce/cuda/tma.hpp>
namespace co = coalescing;
namespace cu = co::cuda;

static_assert(cu::swizzle_of(cu::tensor_swizzle::bytes_128_atom_32_flip_8)(0) == 0);
