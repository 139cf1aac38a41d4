// SPDX-License-Identifier: BSL-1.0
// EXPECT: only CC 7.0 to 7.5 are known to merge
#include <coalesce/cuda.hpp>
namespace co = coalescing;
namespace cuda = co::cuda;

static_assert(co::cost<cuda::cc80::shared_load<128, cuda::shared_mode::pair_merge>>(co::broadcast{}).rounds == 2);
