// SPDX-License-Identifier: BSL-1.0
// EXPECT: no member named .operations|has no member named
// How many of the writes to one location are done on CC 1.x is open in the guide.
#include <coalesce/cuda.hpp>
namespace co = coalescing;
namespace cuda = co::cuda;

static_assert(co::cost<cuda::cc10::store<32>>(co::broadcast{}).operations == 1);
