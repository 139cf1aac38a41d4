// SPDX-License-Identifier: BSL-1.0
// EXPECT: bits of a lane, not bytes: a float is shared_load<32>
#include <coalesce/cuda.hpp>

namespace co = coalescing;

constexpr auto cost = co::cost<co::cuda::cc90::shared_load<4>>(co::linear{.stride = 4});
