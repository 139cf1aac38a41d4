// SPDX-License-Identifier: BSL-1.0
// EXPECT: bases_are_less_aligned_than_the_instruction
#include <coalesce/cuda.hpp>
#include <coalesce/total.hpp>
namespace co = coalescing;

static_assert(
    co::worst<co::cuda::cc90::load<128>>(co::linear{.stride = 16}, co::every_base{.alignment = 4}).cost.requests == 1);
