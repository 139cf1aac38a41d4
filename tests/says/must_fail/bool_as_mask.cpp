// SPDX-License-Identifier: BSL-1.0
// EXPECT: not a mask of lanes
#include <coalesce/gcn.hpp>
namespace co = coalescing;
namespace gcn = co::gcn;

static_assert(co::cost<gcn::buffer_load<32>>(co::linear{.stride = 4}, true).transactions == 1);
