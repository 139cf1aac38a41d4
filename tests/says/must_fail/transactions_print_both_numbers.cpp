// SPDX-License-Identifier: BSL-1.0
// EXPECT: 5 <= 4
#include <coalesce/gcn.hpp>
namespace co = coalescing;
namespace gcn = co::gcn;

static_assert(co::cost<gcn::buffer_load<32>>(co::linear{.base = 4, .stride = 4}).transactions <= 4);
