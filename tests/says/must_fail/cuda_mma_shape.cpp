// SPDX-License-Identifier: BSL-1.0
// EXPECT: cuda mma<M, N, K, Bits>: modelled are
#include <coalesce/cuda/fragments.hpp>
namespace co = coalescing;

static_assert(co::cuda::mma<16, 16, 16, 16>::a::values == 8);  // two instructions of 16 x 8 x 16
