// SPDX-License-Identifier: BSL-1.0
// EXPECT: not_an_instruction|constraints|no matching function
#include <coalesce/cuda.hpp>
namespace co = coalescing;

constexpr auto cost = co::cost<co::cuda::cc80::cp_async<16>>(co::linear{.stride = 16});
