// SPDX-License-Identifier: BSL-1.0
// EXPECT: aux_has_bits_that_are_not_sc0_nt_or_sc1
#include <coalesce/cdna.hpp>

namespace co = coalescing;

static_assert(co::cdna::from_aux(4).nt);
