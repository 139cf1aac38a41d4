// SPDX-License-Identifier: BSL-1.0
// EXPECT: on gfx950 96 or 128, never 64
#include <coalesce/cdna.hpp>
namespace co = coalescing;
namespace cdna = co::cdna;

static_assert(cdna::gfx950::global_load_lds<64>::lds_address({}, 0) == 0);
