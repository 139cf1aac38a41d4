// SPDX-License-Identifier: BSL-1.0
// EXPECT: access_runs_past_the_end_of_shared_memory
#include <coalesce/cuda.hpp>

namespace co = coalescing;

static_assert(co::cost<co::cuda::cc90::shared_load<32>>([](int lane) { return 4ll * lane - 4; }).rounds == 1);
