// SPDX-License-Identifier: BSL-1.0
// EXPECT: width_of_the_counter_is_unknown
#include <coalesce/rdna/counters.hpp>

namespace co = coalescing;

static_assert(co::rdna::waitcnt<co::rdna::gfx1250>{.asynccnt = 1}.encoding().size() == 1);
