// SPDX-License-Identifier: BSL-1.0
// EXPECT: not a mask of lanes
#include <coalesce/cuda.hpp>
#include <coalesce/total.hpp>
namespace co = coalescing;

constexpr auto cost = co::total<co::cuda::cc90::load<32>>(co::linear{.stride = 4}, co::every_base{4}, 'x');
