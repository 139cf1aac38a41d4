// SPDX-License-Identifier: BSL-1.0
// EXPECT: cuda cp_async: since CC 8.0
#include <coalesce/cuda.hpp>
namespace co = coalescing;

constexpr auto cost = co::cost<co::cuda::cc75::cp_async<16>::global>(co::linear{.stride = 16});
