// SPDX-License-Identifier: BSL-1.0
// EXPECT: they cover layouts of up to three modes
#include <coalesce/cuda.hpp>
#include <coalesce/total.hpp>
namespace co = coalescing;

constexpr auto cost = co::total<co::cuda::cc90::load<32>>(
    co::layout<4>{.shape = {8, 8, 8, 8}, .stride = {4, 32, 256, 2048}}, co::block{64});
