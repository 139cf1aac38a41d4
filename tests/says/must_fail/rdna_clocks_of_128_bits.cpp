// SPDX-License-Identifier: BSL-1.0
// EXPECT: clocks
// Loads of 32 and 64 bits were measured.
#include <coalesce/rdna.hpp>
namespace co = coalescing;
namespace rdna = co::rdna;

static_assert(co::cost<rdna::gfx1030::global_load<128>>(co::linear{.stride = 16}).clocks == 4);
