// SPDX-License-Identifier: BSL-1.0
// EXPECT: rdna: of gfx1170, gfx1171, gfx1172 and gfx1310 sources tell how much LDS a work-group has, and nothing else
#include <coalesce/rdna.hpp>
namespace co = coalescing;
namespace rdna = co::rdna;

static_assert(co::cost<rdna::gfx1310::s_load<4>>(co::broadcast{}).transactions == 1);
