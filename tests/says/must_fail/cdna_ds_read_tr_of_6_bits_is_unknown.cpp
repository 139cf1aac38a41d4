// SPDX-License-Identifier: BSL-1.0
// EXPECT: no source tells the phases of ds_read_b96_tr_b6
#include <coalesce/cdna.hpp>
namespace co = coalescing;
namespace cdna = co::cdna;

static_assert(co::cost<cdna::gfx950::ds_read_tr<96, 6>>(co::linear{.stride = 16}).conflicts == 0);
