// SPDX-License-Identifier: BSL-1.0
// EXPECT: rdna: of gfx1170, gfx1171, gfx1172 and gfx1310 sources tell how much LDS a work-group has, and nothing else
#include <coalesce/rdna.hpp>
namespace co = coalescing;
namespace rdna = co::rdna;

static_assert(co::cost<rdna::gfx1170::global_load<32>>(co::linear{.stride = 4}).transactions == 1);
