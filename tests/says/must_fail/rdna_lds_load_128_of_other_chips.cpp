// SPDX-License-Identifier: BSL-1.0
// EXPECT: rdna ds_load<128>: known of gfx1100, gfx1151 and gfx1201 only, and these differ
#include <coalesce/rdna.hpp>
namespace co = coalescing;
namespace rdna = co::rdna;

static_assert(co::cost<rdna::gfx1030::ds_load<128>>(co::linear{.stride = 16}).rounds == 4);
