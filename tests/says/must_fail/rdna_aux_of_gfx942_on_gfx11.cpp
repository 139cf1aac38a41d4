// SPDX-License-Identifier: BSL-1.0
// EXPECT: aux_has_bits_that_are_not_glc_slc_or_dlc
#include <coalesce/rdna/bits.hpp>

namespace co = coalescing;

static_assert(co::rdna::from_aux<co::rdna::gfx1100>(16).glc);
