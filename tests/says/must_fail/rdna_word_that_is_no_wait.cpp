// SPDX-License-Identifier: BSL-1.0
// EXPECT: no_such_wait
#include <coalesce/rdna/counters.hpp>

namespace co = coalescing;

static_assert(co::rdna::waitcnt<co::rdna::gfx11>::decode(0xbf8c0000).vmcnt == 0);
