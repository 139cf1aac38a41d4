// SPDX-License-Identifier: BSL-1.0
// EXPECT: modelled on gfx942 only .no source tells their phases on gfx950
#include <coalesce/cdna.hpp>
namespace co = coalescing;
namespace cdna = co::cdna;

static_assert(co::cost<cdna::gfx950::ds_read2<64, 0, 1>>(co::linear{.stride = 16}).conflicts == 8);
