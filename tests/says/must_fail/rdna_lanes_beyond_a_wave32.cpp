// SPDX-License-Identifier: BSL-1.0
// EXPECT: mask_names_lanes_beyond_the_wave
#include <coalesce/rdna.hpp>
namespace co = coalescing;
namespace rdna = co::rdna;

static_assert(co::cost<rdna::gfx1100::ds_load<32>>(co::linear{.stride = 16}, 1ull << 32).rounds == 1);
