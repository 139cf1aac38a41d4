// SPDX-License-Identifier: BSL-1.0
// EXPECT: aux_has_bits_that_are_not_th_or_scope
#include <coalesce/rdna/bits.hpp>

namespace co = coalescing;

static_assert(co::rdna::from_aux<co::rdna::gfx1201>(32).th == 0);
