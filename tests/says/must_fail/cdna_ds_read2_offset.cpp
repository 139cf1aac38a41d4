// SPDX-License-Identifier: BSL-1.0
// EXPECT: offsets are 0 to 255, in elements of Bits
#include <coalesce/cdna.hpp>
namespace co = coalescing;
namespace cdna = co::cdna;

static_assert(co::cost<cdna::gfx942::ds_read2<32, 0, 256>>(co::linear{.stride = 4}).conflicts == 0);
