// SPDX-License-Identifier: BSL-1.0
// EXPECT: total_does_not_cover_addresses_so_far_apart
#include <coalesce/cuda.hpp>
#include <coalesce/total.hpp>
namespace co = coalescing;

static_assert(co::total<co::cuda::cc90::load<32>>(co::layout<1>{.shape = {3}, .stride = {1ll << 62}}).transactions ==
              3);
