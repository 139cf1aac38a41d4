// SPDX-License-Identifier: BSL-1.0
// EXPECT: Bits per channel are 8, 16 or 32
#include <coalesce/gcn.hpp>
namespace co = coalescing;
namespace gcn = co::gcn;

static_assert(co::cost<gcn::buffer_load<24>>(co::linear{.stride = 4}).clocks == 4);
