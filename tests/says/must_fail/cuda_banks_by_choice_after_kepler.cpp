// SPDX-License-Identifier: BSL-1.0
// EXPECT: only CC 3.x has a choice of banks
#include <coalesce/cuda.hpp>
namespace co = coalescing;
namespace cuda = co::cuda;

static_assert(
    co::cost<cuda::cc50::shared_load<64, cuda::shared_mode::eight_byte_banks>>(co::linear{.stride = 8}).rounds == 1);
