// SPDX-License-Identifier: BSL-1.0
// EXPECT: not a pattern
#include <coalesce/cuda.hpp>
#include <coalesce/total.hpp>
namespace co = coalescing;

constexpr auto cost = co::worst<co::cuda::cc90::load<32>>([](co::invocation const& at) { return at.thread.x < 8; },
                                                          co::launch{.block = {64}});
