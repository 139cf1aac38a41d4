// SPDX-License-Identifier: BSL-1.0
// EXPECT: a total is over a co::domain
#include <coalesce/cuda.hpp>
#include <coalesce/total.hpp>
namespace co = coalescing;

constexpr auto cost =
    co::total<co::cuda::cc90::load<32>>([](unsigned lane, unsigned step) { return 4 * lane * step; }, 8);
