// SPDX-License-Identifier: BSL-1.0
// EXPECT: matrix_instructions_need_every_lane
#include <coalesce/cuda.hpp>
#include <coalesce/total.hpp>
namespace co = coalescing;

static_assert(co::total<co::cuda::cc90::ldmatrix<1>>(co::layout<1>{.shape = {8}, .stride = {16}}).phases == 1);
