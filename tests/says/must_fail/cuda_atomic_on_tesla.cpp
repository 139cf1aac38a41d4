// SPDX-License-Identifier: BSL-1.0
// EXPECT: no source tells the transactions of atomics on CC 1.x
#include <coalesce/cuda.hpp>
namespace co = coalescing;
namespace cuda = co::cuda;

static_assert(co::cost<cuda::cc13::atomic<32>>(co::linear{.stride = 4}).transactions == 4);
