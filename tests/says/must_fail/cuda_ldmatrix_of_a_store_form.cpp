// SPDX-License-Identifier: BSL-1.0
// EXPECT: Form is matrix::m8n8, m8n8_trans
#include <coalesce/cuda.hpp>
namespace co = coalescing;

constexpr auto cost =
    co::cost<co::cuda::cc100::ldmatrix<1, co::cuda::matrix::m16n8_trans_b8>>(co::linear{.stride = 16});
