// SPDX-License-Identifier: BSL-1.0
// EXPECT: Bits are 32 or 64, those at one address
#include <coalesce/cdna.hpp>
namespace co = coalescing;
namespace cdna = co::cdna;

static_assert(co::cost<cdna::gfx942::ds_read2<128, 0, 1>>(co::linear{.stride = 16}).conflicts == 0);
