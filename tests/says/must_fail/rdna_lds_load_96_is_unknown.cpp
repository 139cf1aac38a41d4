// SPDX-License-Identifier: BSL-1.0
// EXPECT: no source tells which lanes ds_load_b96 serves together
#include <coalesce/rdna.hpp>
namespace co = coalescing;
namespace rdna = co::rdna;

static_assert(co::cost<rdna::gfx1100::ds_load<96>>(co::linear{.stride = 16}).rounds == 4);
