// SPDX-License-Identifier: BSL-1.0
// EXPECT: worst and best are over a co::domain
#include <coalesce/cuda.hpp>
#include <coalesce/total.hpp>
namespace co = coalescing;

constexpr auto cost = co::worst<co::cuda::cc90::load<32>>(co::layout<1>{.shape = {64}, .stride = {4}}, co::block{64});
