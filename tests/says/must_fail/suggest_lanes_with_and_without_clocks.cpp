// SPDX-License-Identifier: BSL-1.0
// EXPECT: these widths are not counted in the same numbers
#include <coalesce/rdna.hpp>
#include <coalesce/suggest.hpp>
namespace co = coalescing;
using co::rdna::gfx1030;

// Of 32 and 64 bits the clocks were measured.
constexpr auto found = co::suggest_lanes<gfx1030::global_load<32>, gfx1030::global_load<64>, gfx1030::global_load<128>>(
    {.rows = 64, .columns = 64, .element_bytes = 4});
