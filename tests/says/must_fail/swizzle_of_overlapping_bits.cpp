// SPDX-License-Identifier: BSL-1.0
// EXPECT: swizzle_is_no_permutation
#include <coalesce/layout.hpp>
namespace co = coalescing;

static_assert(co::swizzle{.bits = 3, .base = 4, .shift = 2}(0) == 0);
