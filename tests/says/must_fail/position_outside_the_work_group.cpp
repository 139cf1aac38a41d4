// SPDX-License-Identifier: BSL-1.0
// EXPECT: position_is_outside_the_work_group
#include <coalesce/gcn.hpp>
namespace co = coalescing;
namespace gcn = co::gcn;

static_assert(gcn::invocation_index({8, 0, 0}, {8, 8}) == 8);
