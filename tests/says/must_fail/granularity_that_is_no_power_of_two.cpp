// SPDX-License-Identifier: BSL-1.0
// EXPECT: Granularity is a power of two
#include <coalesce/gcn.hpp>
namespace co = coalescing;
namespace gcn = co::gcn;

static_assert(co::footprint<48>(co::linear{.stride = 4}, 4) == 288);
