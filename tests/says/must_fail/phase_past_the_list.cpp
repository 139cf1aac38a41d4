// SPDX-License-Identifier: BSL-1.0
// EXPECT: list_has_no_such_phase
#include <coalesce/cuda.hpp>

namespace co = coalescing;

static_assert(co::phases<co::cuda::cc90::shared_load<32>>(co::linear{.stride = 4})[1].rounds == 1);
