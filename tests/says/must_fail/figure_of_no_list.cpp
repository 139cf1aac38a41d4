// SPDX-License-Identifier: BSL-1.0
// EXPECT: there is no figure of this instruction
#include <coalesce/cuda.hpp>
#include <coalesce/figure.hpp>
std::string const constant =
    coalescing::svg<coalescing::cuda::cc90::constant_load<32>>(coalescing::linear{.stride = 4});
