// SPDX-License-Identifier: BSL-1.0
// EXPECT: 16 == 4
// This fails, but not with the expected words: the must-fail machinery has to complain.
#include <coalesce/gcn.hpp>
namespace co = coalescing;
namespace gcn = co::gcn;

static_assert(co::cost<gcn::buffer_load<32>>(co::linear{.stride = 4}).clocks == 5);
