// SPDX-License-Identifier: BSL-1.0
// EXPECT: a pattern is const-callable with the lane and N more numbers
#include <coalesce/cuda.hpp>
#include <coalesce/total.hpp>
namespace co = coalescing;

constexpr auto cost =
    co::worst<co::cuda::cc90::load<32>>([](unsigned lane, unsigned step) { return 4 * lane * step; }, co::domain{4, 8});
