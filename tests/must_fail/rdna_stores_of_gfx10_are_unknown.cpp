// SPDX-License-Identifier: BSL-1.0
// EXPECT: Mesa and LLVM 22 differ
#include <coalesce/rdna/caches.hpp>

namespace co = coalescing;

static_assert(co::rdna::caches_of_store<co::rdna::gfx1030>({}).allocates_in_mall);
