// SPDX-License-Identifier: BSL-1.0
// EXPECT: say_base_or_stride_by_name
#include <coalesce/cuda.hpp>

namespace co = coalescing;

constexpr auto cost = co::cost<co::cuda::cc90::load<32>>(co::linear{128});
