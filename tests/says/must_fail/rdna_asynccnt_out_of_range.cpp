// SPDX-License-Identifier: BSL-1.0
// EXPECT: rdna_counter_is_out_of_range
#include <coalesce/rdna/counters.hpp>

namespace co = coalescing;

static_assert(co::rdna::waitcnt<co::rdna::gfx1250>{.asynccnt = 64}.encoding().size() == 1);
