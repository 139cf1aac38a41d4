// SPDX-License-Identifier: BSL-1.0
// EXPECT: not a pattern
// A callable that returns bool is a mask, not a pattern: the arguments are the wrong way round.
#include <coalesce/gcn.hpp>
namespace co = coalescing;
namespace gcn = co::gcn;

static_assert(co::cost<gcn::buffer_load<32>>([](unsigned lane) { return lane < 16; }, 0xffff).clocks == 1);
