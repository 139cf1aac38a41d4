// SPDX-License-Identifier: BSL-1.0
// EXPECT: gcn::buffer_store<Bits, Channels>: Bits per channel
#include <coalesce/gcn.hpp>
namespace co = coalescing;
namespace gcn = co::gcn;

static_assert(co::cost<gcn::buffer_store<8, 3>>(co::linear{.stride = 4}).clocks == 4);
