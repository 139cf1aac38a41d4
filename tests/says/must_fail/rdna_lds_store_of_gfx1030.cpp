// SPDX-License-Identifier: BSL-1.0
// EXPECT: rdna ds_store: which lanes are served together is known of gfx1100 and gfx1151 only
#include <coalesce/rdna.hpp>
namespace co = coalescing;
namespace rdna = co::rdna;

static_assert(co::cost<rdna::gfx1030::wave64::ds_store<32>>(co::linear{.stride = 16}).rounds == 8);
