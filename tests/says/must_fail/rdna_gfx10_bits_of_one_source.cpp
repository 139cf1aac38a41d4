// SPDX-License-Identifier: BSL-1.0
// EXPECT: one_source_alone_tells_of_these_bits
#include <coalesce/rdna/caches.hpp>

namespace co = coalescing;

static_assert(co::rdna::caches_of_load<co::rdna::gfx1030>({.dlc = true}).l0_may_hit);
