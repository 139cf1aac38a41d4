// SPDX-License-Identifier: BSL-1.0
// EXPECT: not a pattern
#include <coalesce/gcn.hpp>
namespace co = coalescing;
namespace gcn = co::gcn;

static_assert(co::cost<gcn::buffer_load<32>>(1024).transactions == 1);
