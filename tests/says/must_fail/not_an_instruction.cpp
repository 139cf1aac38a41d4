// SPDX-License-Identifier: BSL-1.0
// EXPECT: constraints not satisfied
#include <coalesce/gcn.hpp>
namespace co = coalescing;
namespace gcn = co::gcn;

static_assert(co::cost<gcn::compute_unit>(co::linear{.stride = 4}).clocks == 4);
