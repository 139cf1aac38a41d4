// SPDX-License-Identifier: BSL-1.0
// EXPECT: Form is matrix::m8n8, m8n8_trans
#include <coalesce/cuda.hpp>
namespace co = coalescing;

constexpr auto cost = co::cost<co::cuda::cc100::stmatrix<1, co::cuda::matrix::m8n16_b4>>(co::linear{.stride = 16});
