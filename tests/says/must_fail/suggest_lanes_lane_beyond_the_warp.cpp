// SPDX-License-Identifier: BSL-1.0
// EXPECT: suggestion_has_no_such_lane
#include <coalesce/cuda.hpp>
#include <coalesce/suggest.hpp>
namespace co = coalescing;

constexpr auto lanes =
    co::suggest_lanes<co::cuda::cc90::load<32>>(co::tile{.rows = 8, .columns = 8, .element_bytes = 4});
static_assert(lanes(32).row == 4);
