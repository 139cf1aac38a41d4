// SPDX-License-Identifier: BSL-1.0
// EXPECT: an instruction has a width, in bits of a lane
#include <coalesce/cuda.hpp>

namespace co = coalescing;

static_assert(co::cost<co::cuda::cc90::shared_load>(co::linear{.stride = 4}).conflicts == 0);
