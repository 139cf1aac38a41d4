// SPDX-License-Identifier: BSL-1.0
// EXPECT: cuda load<Bits>: Bits are 8, 16, 32, 64 or 128
#include <coalesce/cuda.hpp>
namespace co = coalescing;
namespace cuda = co::cuda;

static_assert(co::cost<cuda::cc90::load<24>>(co::linear{.stride = 4}).transactions == 4);
