// SPDX-License-Identifier: BSL-1.0
// EXPECT: rdna global_load, global_store<Bits>: Bits are 8, 16, 32, 64, 96 or 128
#include <coalesce/rdna.hpp>
namespace co = coalescing;
namespace rdna = co::rdna;

static_assert(co::cost<rdna::gfx1100::global_store<256>>(co::linear{.stride = 16}).transactions == 4);
