// SPDX-License-Identifier: BSL-1.0
// EXPECT: mask_could_be_a_number_of_bytes
#include <coalesce/cuda.hpp>

namespace co = coalescing;

static_assert(co::footprint<64, co::cuda::cc90::load<32>>(co::linear{.stride = 4}, 4) == 128);
