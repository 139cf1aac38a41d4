// SPDX-License-Identifier: BSL-1.0
// EXPECT: an instruction has a width, in bits of a lane
#include <coalesce/gcn.hpp>

namespace co = coalescing;

static_assert(co::cost<co::gcn::ds_read>(co::linear{.stride = 4}).conflicts == 0);
