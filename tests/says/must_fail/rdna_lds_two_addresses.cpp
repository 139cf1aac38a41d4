// SPDX-License-Identifier: BSL-1.0
// EXPECT: rdna ds_load_2addr: no source tells which lanes two-address loads serve together
#include <coalesce/rdna.hpp>
namespace co = coalescing;
namespace rdna = co::rdna;

static_assert(co::cost<rdna::gfx1100::ds_load_2addr<64, 0, 1>>(co::linear{.stride = 16}).rounds == 4);
