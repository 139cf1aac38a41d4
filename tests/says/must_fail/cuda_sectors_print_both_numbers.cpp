// SPDX-License-Identifier: BSL-1.0
// EXPECT: 32 == 16
#include <coalesce/cuda.hpp>
namespace co = coalescing;
namespace cuda = co::cuda;

static_assert(co::cost<cuda::cc90::load<128>>(co::linear{.stride = 65536}).transactions == 16);
