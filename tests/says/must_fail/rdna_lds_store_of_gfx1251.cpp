// SPDX-License-Identifier: BSL-1.0
// EXPECT: rdna ds_store: AMD's guide gives gfx1250 64 banks, but no source tells which lanes are served together
#include <coalesce/rdna.hpp>
namespace co = coalescing;
namespace rdna = co::rdna;

static_assert(co::cost<rdna::gfx1251::ds_store<32>>(co::linear{.stride = 16}).rounds == 1);
