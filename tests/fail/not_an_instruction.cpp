// SPDX-License-Identifier: BSL-1.0
// EXPECT: cost<gcn::compute_unit>|no matching function for call to .cost
#include <coalesce/gcn.hpp>
namespace co = coalescing;
namespace gcn = co::gcn;

static_assert(co::cost<gcn::compute_unit>(co::linear{.stride = 4}).clocks == 4);
