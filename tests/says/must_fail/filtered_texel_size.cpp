// SPDX-License-Identifier: BSL-1.0
// EXPECT: texels have 8, 16, 32, 64 or 128 bits
#include <coalesce/gcn.hpp>
namespace co = coalescing;
namespace gcn = co::gcn;

static_assert(co::cost<gcn::image_sample<96>>(co::linear{.stride = 12}).clocks == 48);
