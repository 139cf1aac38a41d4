// SPDX-License-Identifier: BSL-1.0
// EXPECT: address_is_misaligned
#include <coalesce/cuda.hpp>
namespace co = coalescing;

static_assert(co::cost<co::cuda::cc80::ldmatrix<4>>(co::linear{.stride = 8}).conflicts == 0);
