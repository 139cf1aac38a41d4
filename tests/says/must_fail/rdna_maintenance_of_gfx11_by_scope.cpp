// SPDX-License-Identifier: BSL-1.0
// EXPECT: only the cache operations of gfx12 and gfx1250 have a scope
#include <coalesce/rdna/maintenance.hpp>

namespace co = coalescing;

static_assert(co::rdna::maintains<co::rdna::gfx1100>(co::rdna::cache_scope::dev).cu_cache);
