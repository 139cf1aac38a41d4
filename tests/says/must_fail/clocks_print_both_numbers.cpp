// SPDX-License-Identifier: BSL-1.0
// EXPECT: 16 == 4
// A layout that somebody broke: both numbers are printed.
#include <coalesce/gcn.hpp>
namespace co = coalescing;
namespace gcn = co::gcn;

static_assert(co::cost<gcn::buffer_load<32>>(co::linear{.stride = 8}).clocks == 4);
