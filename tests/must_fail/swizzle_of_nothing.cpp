// SPDX-License-Identifier: BSL-1.0
// EXPECT: swizzle_is_no_permutation
#include <coalesce/cuda.hpp>
#include <coalesce/total.hpp>
namespace co = coalescing;

static_assert(co::total<co::cuda::cc90::load<32>>(co::swizzle{3, 4, 2}.over(co::layout<1>{.shape = {0}})).requests ==
              0);
