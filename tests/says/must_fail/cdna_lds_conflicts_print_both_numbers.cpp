// SPDX-License-Identifier: BSL-1.0
// EXPECT: 56 == 0
#include <coalesce/cdna.hpp>
namespace co = coalescing;
namespace cdna = co::cdna;

static_assert(co::cost<cdna::gfx942::ds_read<128>>(co::linear{.stride = 128}).conflicts == 0);
