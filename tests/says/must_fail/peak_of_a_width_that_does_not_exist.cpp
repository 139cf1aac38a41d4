// SPDX-License-Identifier: BSL-1.0
// EXPECT: Bits per channel are 8, 16 or 32
#include <coalesce/gcn.hpp>
namespace co = coalescing;
namespace gcn = co::gcn;

static_assert(gcn::peak_clocks<gcn::buffer_load<24>> == 4);
