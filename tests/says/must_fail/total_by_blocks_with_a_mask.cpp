// SPDX-License-Identifier: BSL-1.0
// EXPECT: there is no other mask
#include <coalesce/cuda.hpp>
#include <coalesce/total.hpp>
namespace co = coalescing;

constexpr auto cost =
    co::total<co::cuda::cc90::load<32>>(co::layout<1>{.shape = {64}, .stride = {4}}, co::block{64}, 0xff);
