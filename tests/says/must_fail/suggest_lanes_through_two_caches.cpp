// SPDX-License-Identifier: BSL-1.0
// EXPECT: one load or store of one machine, on global memory and through the same cache
#include <coalesce/cuda.hpp>
#include <coalesce/suggest.hpp>
namespace co = coalescing;
using namespace co::cuda;

// Lines of L1 and segments of L2 are not counted at the same place.
constexpr auto found = co::suggest_lanes<cc20::load<32, caching::l1>, cc20::load<64, caching::l2>>(
    {.rows = 64, .columns = 8, .element_bytes = 4, .pitch = 4096});
