// SPDX-License-Identifier: BSL-1.0
// EXPECT: layout_has_no_such_element
// A warp has 32 lanes; say which are active, or that the launch is of 16 threads.
#include <coalesce/cuda.hpp>
#include <coalesce/layout.hpp>
namespace co = coalescing;

static_assert(co::cost<co::cuda::cc90::load<32>>(co::layout<1>{.shape = {16}, .stride = {4}}).transactions == 2);
