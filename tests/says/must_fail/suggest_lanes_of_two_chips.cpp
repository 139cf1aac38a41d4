// SPDX-License-Identifier: BSL-1.0
// EXPECT: one load or store of one machine, on global memory and through the same cache
#include <coalesce/cdna.hpp>
#include <coalesce/suggest.hpp>
namespace co = coalescing;
using namespace co::cdna;

constexpr auto found = co::suggest_lanes<gfx90a::global_load<32>, gfx942::global_load<64>>(
    {.rows = 64, .columns = 8, .element_bytes = 4, .pitch = 4096});
