// SPDX-License-Identifier: BSL-1.0
// EXPECT: rdna s_load: no source tells gfx1250's lines
#include <coalesce/rdna.hpp>
namespace co = coalescing;
namespace rdna = co::rdna;

static_assert(co::cost<rdna::gfx1250::s_load<4>>(co::broadcast{}).transactions == 1);
