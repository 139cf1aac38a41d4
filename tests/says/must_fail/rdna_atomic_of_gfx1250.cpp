// SPDX-License-Identifier: BSL-1.0
// EXPECT: rdna global_atomic: no source tells gfx1250's lines
#include <coalesce/rdna.hpp>
namespace co = coalescing;
namespace rdna = co::rdna;

static_assert(co::cost<rdna::gfx1250::global_atomic<32>>(co::linear{.stride = 16}).transactions == 4);
