// SPDX-License-Identifier: BSL-1.0
// EXPECT: cascading_atomics_return_nothing
#include <coalesce/rdna/caches.hpp>

namespace co = coalescing;

static_assert(co::rdna::encode_atomic<co::rdna::gfx1201>({.returns_value = true, .cascades = true}).th == 5);
