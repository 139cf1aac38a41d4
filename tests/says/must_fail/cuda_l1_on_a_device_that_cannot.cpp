// SPDX-License-Identifier: BSL-1.0
// EXPECT: no guide says that this device can cache global loads
#include <coalesce/cuda.hpp>
namespace co = coalescing;
namespace cuda = co::cuda;

static_assert(co::cost<cuda::cc30::load<32, cuda::caching::l1>>(co::linear{.stride = 4}).transactions == 1);
