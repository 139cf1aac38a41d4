// SPDX-License-Identifier: BSL-1.0
// EXPECT: matrices of 8, 6 and 4 bits since CC 10.0
#include <coalesce/cuda.hpp>
namespace co = coalescing;

constexpr auto cost =
    co::cost<co::cuda::cc90::ldmatrix<1, co::cuda::matrix::m16n16_trans_b8>>(co::linear{.stride = 16});
