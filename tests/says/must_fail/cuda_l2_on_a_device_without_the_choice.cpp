// SPDX-License-Identifier: BSL-1.0
// EXPECT: only CC 2.x and 3.x tell loads through L1
#include <coalesce/cuda.hpp>
namespace co = coalescing;
namespace cuda = co::cuda;

static_assert(co::cost<cuda::cc90::load<32, cuda::caching::l2>>(co::linear{.stride = 4}).transactions == 4);
