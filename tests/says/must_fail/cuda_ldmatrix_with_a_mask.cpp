// SPDX-License-Identifier: BSL-1.0
// EXPECT: matrix_instructions_need_every_lane
#include <coalesce/cuda.hpp>
namespace co = coalescing;

static_assert(co::cost<co::cuda::cc80::ldmatrix<4>>(co::linear{.stride = 16}, 0xff).conflicts == 0);
