// SPDX-License-Identifier: BSL-1.0
// EXPECT: this instruction has no phases
#include <coalesce/cuda.hpp>

namespace co = coalescing;

static_assert(co::phases<co::cuda::cc90::load<32>>(co::linear{.stride = 4}).empty());
