// SPDX-License-Identifier: BSL-1.0
// EXPECT: cuda ldmatrix: since CC 7.5
#include <coalesce/cuda.hpp>
namespace co = coalescing;

constexpr auto cost = co::cost<co::cuda::cc70::ldmatrix<4>>(co::linear{.stride = 16});
