// SPDX-License-Identifier: BSL-1.0
// EXPECT: matrix_has_no_such_lane_or_value
#include <coalesce/cuda.hpp>
namespace co = coalescing;

static_assert(co::cuda::cc80::ldmatrix<2>::source_of(0, 4).lane == 0);
