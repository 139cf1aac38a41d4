// SPDX-License-Identifier: BSL-1.0
// EXPECT: blocks cover a co::layout of up to three modes
#include <coalesce/cuda.hpp>
#include <coalesce/total.hpp>
namespace co = coalescing;

constexpr auto cost = co::total<co::cuda::cc90::load<32>>([](unsigned lane) { return 4 * lane; }, co::block{256});
