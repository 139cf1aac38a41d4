// SPDX-License-Identifier: BSL-1.0
// EXPECT: a figure of a swizzle is of a write and a read
#include <coalesce/cuda.hpp>
#include <coalesce/figure.hpp>
namespace co = coalescing;
std::string const global = co::svg<co::cuda::cc90::store<32>, co::cuda::cc90::shared_load<32>>(
    co::swizzle{.bits = 5, .base = 2, .shift = 5}, co::linear{.stride = 4}, co::linear{.stride = 128});
