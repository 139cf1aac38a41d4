// SPDX-License-Identifier: BSL-1.0
// EXPECT: of two addresses a lane .ds_read2, ds_write2., say footprint
#include <coalesce/cdna.hpp>

namespace co = coalescing;

static_assert(co::footprint<64, co::cdna::gfx942::ds_read2<32, 0, 64>>(co::linear{.stride = 4}) == 512);
