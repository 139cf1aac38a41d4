// SPDX-License-Identifier: BSL-1.0
// EXPECT: gfx942 and gfx950 have it; gfx90a has only buffer_load_lds
#include <coalesce/cdna.hpp>
namespace co = coalescing;
namespace cdna = co::cdna;

static_assert(co::cost<cdna::gfx90a::global_load_lds<32>::global>(co::linear{.stride = 4}).transactions == 4);
