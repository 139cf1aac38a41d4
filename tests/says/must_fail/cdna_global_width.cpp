// SPDX-License-Identifier: BSL-1.0
// EXPECT: cdna global_load<Bits>: Bits are 8, 16, 32, 64, 96 or 128
#include <coalesce/cdna.hpp>
namespace co = coalescing;
namespace cdna = co::cdna;

static_assert(co::cost<cdna::gfx942::global_load<256>>(co::linear{.stride = 32}).transactions == 16);
