// SPDX-License-Identifier: BSL-1.0
// EXPECT: an offset leads past the end of LDS
#include <coalesce/cdna.hpp>
namespace co = coalescing;
namespace cdna = co::cdna;

static_assert(co::cost<cdna::gfx942::ds_read2st64<64, 0, 128>>(co::linear{.stride = 8}).conflicts == 0);
