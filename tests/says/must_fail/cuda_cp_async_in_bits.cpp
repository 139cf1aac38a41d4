// SPDX-License-Identifier: BSL-1.0
// EXPECT: 4, 8 or 16 bytes of a lane
#include <coalesce/cuda.hpp>
namespace co = coalescing;

constexpr auto cost = co::cost<co::cuda::cc80::cp_async<128>::shared>(co::linear{.stride = 16});
