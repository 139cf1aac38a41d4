// SPDX-License-Identifier: BSL-1.0
// EXPECT: rdna wave64: waves of gfx1250 have 32 lanes only
#include <coalesce/rdna.hpp>
namespace co = coalescing;
namespace rdna = co::rdna;

static_assert(rdna::gfx1250::wave64::occupancy({.vgprs = 8}, {}).waves == 16);
