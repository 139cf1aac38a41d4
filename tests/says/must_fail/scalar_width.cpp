// SPDX-License-Identifier: BSL-1.0
// EXPECT: Dwords are 1, 2, 4, 8 or 16
#include <coalesce/gcn.hpp>
namespace co = coalescing;
namespace gcn = co::gcn;

static_assert(co::cost<gcn::s_load<3>>(co::linear{}).transactions == 1);
