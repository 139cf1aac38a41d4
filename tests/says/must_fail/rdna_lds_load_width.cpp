// SPDX-License-Identifier: BSL-1.0
// EXPECT: rdna ds_load<Bits>: Bits are 8, 16, 32, 64 or 128
#include <coalesce/rdna.hpp>
namespace co = coalescing;
namespace rdna = co::rdna;

static_assert(co::cost<rdna::gfx1100::ds_load<4>>(co::linear{.stride = 16}).rounds == 4);
