// SPDX-License-Identifier: BSL-1.0
// EXPECT: address_is_misaligned
#include <coalesce/cuda.hpp>
namespace co = coalescing;
namespace cuda = co::cuda;

static_assert(co::cost<cuda::cc90::load<128>>(co::linear{.base = 8, .stride = 16}).transactions == 16);
