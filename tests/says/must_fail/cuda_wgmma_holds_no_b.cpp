// SPDX-License-Identifier: BSL-1.0
// EXPECT: no lane holds B. It lies in shared memory
#include <coalesce/cuda/fragments.hpp>
namespace co = coalescing;

static_assert(co::cuda::wgmma<128, 16>::b::of(0, 0) == co::cell{});
