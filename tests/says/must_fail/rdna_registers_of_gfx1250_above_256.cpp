// SPDX-License-Identifier: BSL-1.0
// EXPECT: gfx1250_registers_above_256_were_not_checked
#include <coalesce/rdna.hpp>
namespace rdna = coalescing::rdna;

static_assert(rdna::gfx1250::occupancy({.vgprs = 300}, {}).waves == 3);
