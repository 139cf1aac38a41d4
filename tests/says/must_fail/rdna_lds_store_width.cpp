// SPDX-License-Identifier: BSL-1.0
// EXPECT: rdna ds_store<Bits>: Bits are 16, 32, 64 or 128
#include <coalesce/rdna.hpp>
namespace co = coalescing;
namespace rdna = co::rdna;

static_assert(co::cost<rdna::gfx1100::ds_store<12>>(co::linear{.stride = 16}).rounds == 4);
