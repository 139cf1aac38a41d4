// SPDX-License-Identifier: BSL-1.0
// EXPECT: only gfx950 has transpose loads
#include <coalesce/cdna.hpp>
namespace co = coalescing;
namespace cdna = co::cdna;

static_assert(co::cost<cdna::gfx942::ds_read_tr<64>>(co::linear{.stride = 8}).conflicts == 0);
