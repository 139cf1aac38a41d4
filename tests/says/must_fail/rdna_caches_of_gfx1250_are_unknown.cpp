// SPDX-License-Identifier: BSL-1.0
// EXPECT: what gfx1250's caches do is in none of our sources
#include <coalesce/rdna/caches.hpp>

namespace co = coalescing;

static_assert(co::rdna::caches_of_load<co::rdna::gfx1250>({}).by_l2);
