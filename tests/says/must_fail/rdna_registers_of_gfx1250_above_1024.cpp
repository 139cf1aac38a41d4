// SPDX-License-Identifier: BSL-1.0
// EXPECT: kernel_uses_more_than_there_is
#include <coalesce/rdna.hpp>
namespace rdna = coalescing::rdna;

static_assert(rdna::gfx1250::occupancy({.vgprs = 1025}, {}).waves == 1);
