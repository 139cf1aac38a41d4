// SPDX-License-Identifier: BSL-1.0
// EXPECT: const-callable from a co::invocation to exactly bool
#include <coalesce/cuda.hpp>
#include <coalesce/total.hpp>
namespace co = coalescing;

constexpr auto cost = co::total<co::cuda::cc90::load<32>>([](co::invocation const& at) { return 4 * at.thread.x; },
                                                          co::launch{.block = {64}},
                                                          [](co::invocation const& at) { return at.thread.x; });
