// SPDX-License-Identifier: BSL-1.0
// EXPECT: rdna ds_store<8>, ds_store<96>: no source tells which lanes they serve together
#include <coalesce/rdna.hpp>
namespace co = coalescing;
namespace rdna = co::rdna;

static_assert(co::cost<rdna::gfx1100::ds_store<8>>(co::linear{.stride = 16}).rounds == 4);
