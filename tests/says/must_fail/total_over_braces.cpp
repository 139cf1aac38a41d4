// SPDX-License-Identifier: BSL-1.0
// EXPECT: say what the braces are
#include <coalesce/cuda.hpp>
#include <coalesce/total.hpp>
namespace co = coalescing;

constexpr auto cost =
    co::total<co::cuda::cc90::load<32>>(co::layout<2>{.shape = {64, 64}, .stride = {4, 256}}, {32, 8});
