// SPDX-License-Identifier: BSL-1.0
// EXPECT: no more is read than is written
#include <coalesce/cuda.hpp>
namespace co = coalescing;

constexpr auto cost = co::cost<co::cuda::cc80::cp_async<8, 16>::global>(co::linear{.stride = 16});
