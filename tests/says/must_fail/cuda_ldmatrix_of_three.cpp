// SPDX-License-Identifier: BSL-1.0
// EXPECT: 1, 2 or 4 matrices
#include <coalesce/cuda.hpp>
namespace co = coalescing;

constexpr auto cost = co::cost<co::cuda::cc90::ldmatrix<3>>(co::linear{.stride = 16});
