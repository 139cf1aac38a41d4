// SPDX-License-Identifier: BSL-1.0
// EXPECT: counter_is_out_of_range
#include <coalesce/cdna.hpp>

namespace co = coalescing;

static_assert(co::cdna::waitcnt{.vmcnt = 64}.simm16() == 0);
