// SPDX-License-Identifier: BSL-1.0
// EXPECT: product_has_no_such_partition
#include <coalesce/cdna.hpp>

namespace co = coalescing;

static_assert(co::cdna::mi300x::l2_caches(co::cdna::partition::tpx) == 3);
