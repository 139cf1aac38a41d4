// SPDX-License-Identifier: BSL-1.0
// EXPECT: of gfx90a's LDS the phases of 32-bit reads alone are public
#include <coalesce/cdna.hpp>
namespace co = coalescing;
namespace cdna = co::cdna;

static_assert(co::cost<cdna::gfx90a::ds_read<32>>(co::linear{.stride = 4}).conflicts == 0);
