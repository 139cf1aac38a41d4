// SPDX-License-Identifier: BSL-1.0
//
// A user's named module that exports costs, without exporting any of our names.
module;
#include <coalesce/cuda.hpp>
export module costs;

export constexpr auto load = coalescing::cost<coalescing::cuda::cc90::load<32>>(coalescing::linear{.stride = 4});
export constexpr auto column =
    coalescing::cost<coalescing::cuda::cc90::shared_load<32>>(coalescing::linear{.stride = 128});
