// SPDX-License-Identifier: BSL-1.0
// EXPECT: access_runs_past_the_end_of_shared_memory
#include <coalesce/cuda.hpp>

namespace co = coalescing;

// CC 9.0 has 228 KB.
static_assert(co::cost<co::cuda::cc90::shared_load<32>>(co::broadcast{228 * 1024}).rounds == 1);
