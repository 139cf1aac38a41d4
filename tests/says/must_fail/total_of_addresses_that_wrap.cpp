// SPDX-License-Identifier: BSL-1.0
// EXPECT: total_does_not_cover_addresses_that_wrap
#include <coalesce/cuda.hpp>
#include <coalesce/total.hpp>
namespace co = coalescing;

static_assert(co::total<co::cuda::cc90::load<32>>(co::layout<1>{.shape = {1024}, .stride = {-4}}).requests == 32);
