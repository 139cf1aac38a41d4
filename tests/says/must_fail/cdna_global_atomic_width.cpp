// SPDX-License-Identifier: BSL-1.0
// EXPECT: cdna global_atomic<Bits>: Bits are 32 or 64
#include <coalesce/cdna.hpp>
namespace co = coalescing;
namespace cdna = co::cdna;

static_assert(co::cost<cdna::gfx942::global_atomic<128>>(co::linear{.stride = 16}).operations == 64);
