// SPDX-License-Identifier: BSL-1.0
// EXPECT: gfx1250_has_cu_mode_only
#include <coalesce/rdna.hpp>
namespace co = coalescing;
namespace rdna = co::rdna;

static_assert(rdna::gfx1250::occupancy({.vgprs = 8}, {.cu_mode = false}).waves == 16);
