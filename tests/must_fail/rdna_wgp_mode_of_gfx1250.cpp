// SPDX-License-Identifier: BSL-1.0
// EXPECT: gfx1250_has_no_wgp_mode
#include <coalesce/rdna.hpp>
namespace co = coalescing;
namespace rdna = co::rdna;

static_assert(rdna::gfx1250::occupancy({.vgprs = 8}, {.cu_mode = false}).waves == 16);
