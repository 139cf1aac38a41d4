// SPDX-License-Identifier: BSL-1.0
// EXPECT: what sources say of gfx1250's LDS banks contradicts each other
#include <coalesce/rdna.hpp>
namespace co = coalescing;
namespace rdna = co::rdna;

static_assert(co::cost<rdna::gfx1250::ds_load<32>>(co::linear{.stride = 16}).rounds == 1);
