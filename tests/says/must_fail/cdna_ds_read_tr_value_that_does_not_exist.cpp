// SPDX-License-Identifier: BSL-1.0
// EXPECT: transpose_has_no_such_lane_or_value
#include <coalesce/cdna.hpp>
namespace co = coalescing;
namespace cdna = co::cdna;

static_assert(cdna::gfx950::ds_read_tr<64>::source_of(0, 4).lane == 0);
