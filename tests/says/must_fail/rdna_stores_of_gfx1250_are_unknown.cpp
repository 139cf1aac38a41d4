// SPDX-License-Identifier: BSL-1.0
// EXPECT: what these caches do with a store is in none of our sources .gfx1250.
#include <coalesce/rdna/caches.hpp>

namespace co = coalescing;

static_assert(co::rdna::caches_of_store<co::rdna::gfx1250>({}).by_l2);
