// SPDX-License-Identifier: BSL-1.0
// EXPECT: one load or store of one machine, on global memory and through the same cache
#include <coalesce/rdna.hpp>
#include <coalesce/suggest.hpp>
namespace co = coalescing;
using co::rdna::gfx1100;

// All three have the same kind of cost.
constexpr auto found = co::suggest_lanes<gfx1100::global_store<32>, gfx1100::global_load<64>, gfx1100::s_load<16>>(
    {.rows = 64, .columns = 16, .element_bytes = 4, .pitch = 4096});
