// SPDX-License-Identifier: BSL-1.0
// What <coalesce/figure.hpp> refuses. Each section must not compile, and the compiler must say its EXPECT, a regular
// expression. (must_fail.cmake compiles what stands here, and one section.)
#include <coalesce/cuda.hpp>
#include <coalesce/figure.hpp>
namespace co = coalescing;

// ---- of_no_list ----
// EXPECT: there is no figure of this instruction
std::string const constant =
    coalescing::svg<coalescing::cuda::cc90::constant_load<32>>(coalescing::linear{.stride = 4});

// ---- of_swizzled_banks ----
// EXPECT: a figure of a swizzle is of a write and a read
std::string const global = co::svg<co::cuda::cc90::store<32>, co::cuda::cc90::shared_load<32>>(
    co::swizzle{.bits = 5, .base = 2, .shift = 5}, co::linear{.stride = 4}, co::linear{.stride = 128});

// ---- without_stacks ----
// EXPECT: no figure of two addresses a lane
#include <coalesce/cdna.hpp>
std::string const pair = coalescing::svg<coalescing::cdna::gfx942::ds_read2<64, 0, 8>>(coalescing::linear{.stride = 8});
