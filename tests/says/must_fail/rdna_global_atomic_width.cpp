// SPDX-License-Identifier: BSL-1.0
// EXPECT: rdna global_atomic<Bits>: Bits are 32 or 64
#include <coalesce/rdna.hpp>
namespace co = coalescing;
namespace rdna = co::rdna;

static_assert(co::cost<rdna::gfx1100::global_atomic<16>>(co::linear{.stride = 16}).transactions == 4);
