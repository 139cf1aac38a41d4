// SPDX-License-Identifier: BSL-1.0
// EXPECT: on CC 10.0 and later 256
#include <coalesce/cuda.hpp>
namespace co = coalescing;
namespace cuda = co::cuda;

static_assert(co::cost<cuda::cc90::load<256>>(co::linear{.stride = 32}).transactions == 32);
