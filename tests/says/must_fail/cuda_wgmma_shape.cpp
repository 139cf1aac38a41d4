// SPDX-License-Identifier: BSL-1.0
// EXPECT: cuda wgmma<N, Bits>: N is a multiple of 8 from 8 to 256
#include <coalesce/cuda/fragments.hpp>
namespace co = coalescing;

static_assert(co::cuda::wgmma<260, 16>::c::values == 130);
