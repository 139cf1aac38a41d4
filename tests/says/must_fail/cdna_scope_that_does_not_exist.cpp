// SPDX-License-Identifier: BSL-1.0
// EXPECT: no_such_enumerator
#include <coalesce/cdna.hpp>

namespace co = coalescing;

static_assert(co::cdna::encode(co::cdna::scope(9)).sc0);
