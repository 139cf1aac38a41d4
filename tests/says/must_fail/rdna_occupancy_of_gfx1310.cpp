// SPDX-License-Identifier: BSL-1.0
// EXPECT: occupancy_of_the_chip_is_unknown
#include <coalesce/rdna.hpp>
namespace co = coalescing;
namespace rdna = co::rdna;

static_assert(rdna::gfx1310::occupancy({.vgprs = 8}, {}).waves == 16);
