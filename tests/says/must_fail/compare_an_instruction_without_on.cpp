// SPDX-License-Identifier: BSL-1.0
// EXPECT: machines are co::on<Instructions\.\.\.>\(\[active\]\)
#include <coalesce/compare.hpp>
#include <coalesce/cuda.hpp>

constexpr auto rows = coalescing::compare(coalescing::linear{.stride = 4}, coalescing::cuda::cc90::load<32>{});
