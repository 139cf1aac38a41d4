// SPDX-License-Identifier: BSL-1.0
// EXPECT: no_such_enumerator
#include <coalesce/cdna.hpp>

namespace co = coalescing;

static_assert(co::cdna::synchronize({.kind = co::cdna::operation(9)}, {}).empty());
