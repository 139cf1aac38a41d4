// SPDX-License-Identifier: BSL-1.0
// EXPECT: modelled on gfx942 only .no source tells their phases on gfx950 and gfx90a
#include <coalesce/cdna.hpp>
namespace co = coalescing;
namespace cdna = co::cdna;

static_assert(co::cost<cdna::gfx90a::ds_write2st64<32, 0, 1>>(co::linear{.stride = 4}).conflicts == 0);
