// SPDX-License-Identifier: BSL-1.0
// EXPECT: constraints not satisfied
#include <coalesce/cuda.hpp>
namespace co = coalescing;
namespace cuda = co::cuda;

static_assert(co::cost<cuda::device<91>::load<32>>(co::linear{.stride = 4}).transactions == 4);
