// SPDX-License-Identifier: BSL-1.0
// EXPECT: rdna s_load<Dwords>: Dwords are 1, 2, 4, 8 or 16, and on gfx12 3
// S_LOAD_B96 is gfx12's.
#include <coalesce/rdna.hpp>
namespace co = coalescing;
namespace rdna = co::rdna;

static_assert(co::cost<rdna::gfx1100::s_load<3>>(co::broadcast{}).transactions == 1);
