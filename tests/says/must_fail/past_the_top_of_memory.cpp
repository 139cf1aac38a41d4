// SPDX-License-Identifier: BSL-1.0
// EXPECT: access_runs_past_the_top_of_memory
#include <coalesce/gcn.hpp>
namespace co = coalescing;
namespace gcn = co::gcn;

static_assert(co::cost<gcn::buffer_load<32, 4>>(co::broadcast{0xffff'ffff'ffff'fffc}).clocks == 16);
