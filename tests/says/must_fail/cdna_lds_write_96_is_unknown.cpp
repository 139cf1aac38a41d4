// SPDX-License-Identifier: BSL-1.0
// EXPECT: no source tells the phases of ds_write_b96
#include <coalesce/cdna.hpp>
namespace co = coalescing;
namespace cdna = co::cdna;

static_assert(co::cost<cdna::gfx950::ds_write<96>>(co::linear{.stride = 16}).conflicts == 0);
