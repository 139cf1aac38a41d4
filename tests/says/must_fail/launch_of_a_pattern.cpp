// SPDX-License-Identifier: BSL-1.0
// EXPECT: over a launch a pattern is const-callable with a co::invocation
#include <coalesce/cuda.hpp>
#include <coalesce/total.hpp>
namespace co = coalescing;

constexpr auto cost =
    co::total<co::cuda::cc90::load<32>>([](unsigned lane) { return 4 * lane; }, co::launch{.block = {64}});
