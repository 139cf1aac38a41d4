// SPDX-License-Identifier: BSL-1.0
// EXPECT: AMD's guide gives gfx1250 64 banks, but no source tells which lanes are served together
#include <coalesce/rdna.hpp>
namespace co = coalescing;
namespace rdna = co::rdna;

static_assert(co::cost<rdna::gfx1250::ds_load<32>>(co::linear{.stride = 16}).rounds == 1);
