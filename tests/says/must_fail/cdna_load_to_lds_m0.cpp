// SPDX-License-Identifier: BSL-1.0
// EXPECT: m0_or_offset_of_a_load_to_lds_is_out_of_range
#include <coalesce/cdna.hpp>
namespace co = coalescing;
namespace cdna = co::cdna;

static_assert(cdna::gfx942::global_load_lds<32>::lds_address({.m0 = 2}, 1) == 6);
