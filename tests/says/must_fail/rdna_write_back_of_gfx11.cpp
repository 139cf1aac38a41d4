// SPDX-License-Identifier: BSL-1.0
// EXPECT: generation_does_not_issue_that
#include <coalesce/rdna/issued.hpp>

namespace co = coalescing;

static_assert(co::rdna::counts_in<co::rdna::gfx1100>(co::rdna::issued::write_back).vscnt == 0);
