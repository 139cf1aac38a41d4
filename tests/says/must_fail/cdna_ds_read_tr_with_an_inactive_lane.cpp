// SPDX-License-Identifier: BSL-1.0
// EXPECT: transpose_loads_need_every_lane
#include <coalesce/cdna.hpp>
namespace co = coalescing;
namespace cdna = co::cdna;

static_assert(co::cost<cdna::gfx950::ds_read_tr<64>>(co::linear{.stride = 8}, 0xffff).conflicts == 0);
