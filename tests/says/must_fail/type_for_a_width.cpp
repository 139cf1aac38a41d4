// SPDX-License-Identifier: BSL-1.0
// EXPECT: expected a constant of type|must be an expression
#include <coalesce/cuda.hpp>

namespace co = coalescing;

struct float4 {
  float of[4];
};
constexpr auto cost = co::cost<co::cuda::cc90::load<float4>>(co::linear{.stride = 16});
