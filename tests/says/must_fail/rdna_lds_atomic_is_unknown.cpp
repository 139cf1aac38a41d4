// SPDX-License-Identifier: BSL-1.0
// EXPECT: rdna ds_atomic: no source tells what atomics in LDS cost
#include <coalesce/rdna.hpp>
namespace co = coalescing;
namespace rdna = co::rdna;

static_assert(co::cost<rdna::gfx1100::ds_atomic<32>>(co::linear{.stride = 16}).rounds == 4);
