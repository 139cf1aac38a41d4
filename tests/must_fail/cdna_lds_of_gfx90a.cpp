// SPDX-License-Identifier: BSL-1.0
// EXPECT: no source tells the LDS phases of gfx90a
#include <coalesce/cdna.hpp>
namespace co = coalescing;
namespace cdna = co::cdna;

static_assert(co::cost<cdna::gfx90a::ds_read<32>>(co::linear{.stride = 4}).conflicts == 0);
