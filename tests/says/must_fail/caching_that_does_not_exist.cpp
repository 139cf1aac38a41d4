// SPDX-License-Identifier: BSL-1.0
// EXPECT: Caching is caching::by_default, caching::l1 or caching::l2
#include <coalesce/cuda.hpp>

namespace co = coalescing;

constexpr auto cost = co::cost<co::cuda::cc20::load<32, co::cuda::caching(9)>>(co::linear{.stride = 4});
