// SPDX-License-Identifier: BSL-1.0
// EXPECT: rdna ds_store_2addr: no source tells which lanes two-address stores serve together
#include <coalesce/rdna.hpp>
namespace co = coalescing;
namespace rdna = co::rdna;

static_assert(co::cost<rdna::gfx1201::ds_store_2addr<32, 0, 1>>(co::linear{.stride = 16}).rounds == 4);
