// SPDX-License-Identifier: BSL-1.0
// EXPECT: cuda stmatrix: since CC 9.0
#include <coalesce/cuda.hpp>
namespace co = coalescing;

constexpr auto cost = co::cost<co::cuda::cc89::stmatrix<4>>(co::linear{.stride = 16});
