// SPDX-License-Identifier: BSL-1.0
// EXPECT: Mode is shared_mode::by_default
#include <coalesce/cuda.hpp>

namespace co = coalescing;

constexpr auto cost = co::cost<co::cuda::cc35::shared_load<32, co::cuda::shared_mode(9)>>(co::linear{.stride = 4});
