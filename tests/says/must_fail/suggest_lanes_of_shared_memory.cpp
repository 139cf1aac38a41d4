// SPDX-License-Identifier: BSL-1.0
// EXPECT: one load or store of one machine, on global memory and through the same cache
#include <coalesce/cuda.hpp>
#include <coalesce/suggest.hpp>
namespace co = coalescing;

constexpr auto found = co::suggest_lanes<co::cuda::cc90::load<32>, co::cuda::cc90::shared_load<128>>(
    {.rows = 32, .columns = 32, .element_bytes = 4});
