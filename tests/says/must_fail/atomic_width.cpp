// SPDX-License-Identifier: BSL-1.0
// EXPECT: gcn::buffer_atomic<Bits>: Bits are 32 or 64
#include <coalesce/gcn.hpp>
namespace co = coalescing;
namespace gcn = co::gcn;

static_assert(co::cost<gcn::buffer_atomic<16>>(co::linear{.stride = 4}).clocks == 16);
