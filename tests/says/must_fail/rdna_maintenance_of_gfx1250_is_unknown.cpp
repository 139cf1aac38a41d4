// SPDX-License-Identifier: BSL-1.0
// EXPECT: only of gfx12 does a source tell
#include <coalesce/rdna/maintenance.hpp>

namespace co = coalescing;

static_assert(co::rdna::maintains<co::rdna::gfx1250>(co::rdna::cache_scope::dev).cu_cache);
