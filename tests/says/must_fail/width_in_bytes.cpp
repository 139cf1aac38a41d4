// SPDX-License-Identifier: BSL-1.0
// EXPECT: bits of a lane, not bytes: a float is load<32>, a float4 load<128>
#include <coalesce/cuda.hpp>

namespace co = coalescing;

constexpr auto cost = co::cost<co::cuda::cc90::load<4>>(co::linear{.stride = 4});
