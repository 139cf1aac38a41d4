// SPDX-License-Identifier: BSL-1.0
// EXPECT: clocks
// Measured on gfx1030 alone.
#include <coalesce/rdna.hpp>
namespace co = coalescing;
namespace rdna = co::rdna;

static_assert(co::cost<rdna::gfx1100::global_load<32>>(co::linear{.stride = 16}).clocks == 4);
