// SPDX-License-Identifier: BSL-1.0
// EXPECT: 64 bits of a lane in elements of 16, 8 or 4, or 96 in elements of 6
#include <coalesce/cdna.hpp>
namespace co = coalescing;
namespace cdna = co::cdna;

static_assert(cdna::gfx950::ds_read_tr<96>::source_of(0, 0).lane == 0);
