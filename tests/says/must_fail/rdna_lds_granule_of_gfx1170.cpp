// SPDX-License-Identifier: BSL-1.0
// EXPECT: lds_granule_of_the_chip_is_unknown
#include <coalesce/rdna.hpp>
namespace co = coalescing;
namespace rdna = co::rdna;

static_assert(rdna::gfx1170::lds_allocated(1) == 1024);
