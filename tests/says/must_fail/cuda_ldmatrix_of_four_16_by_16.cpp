// SPDX-License-Identifier: BSL-1.0
// EXPECT: of 16 x 16, 1 or 2
#include <coalesce/cuda.hpp>
namespace co = coalescing;

constexpr auto cost =
    co::cost<co::cuda::cc100::ldmatrix<4, co::cuda::matrix::m16n16_trans_b8>>(co::linear{.stride = 16});
