// SPDX-License-Identifier: BSL-1.0
// EXPECT: fragment_has_no_such_lane
#include <coalesce/cuda/fragments.hpp>
namespace co = coalescing;

static_assert(co::cuda::mma<16, 8, 16, 16>::c::of(32, 0).row == 0);
