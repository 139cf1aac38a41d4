// SPDX-License-Identifier: BSL-1.0
// EXPECT: Bits are 8, 16 or 32, and on gfx950 96 or 128
#include <coalesce/cdna.hpp>
namespace co = coalescing;
namespace cdna = co::cdna;

static_assert(co::cost<cdna::gfx942::buffer_load_lds<128>::global>(co::linear{.stride = 16}).transactions == 8);
