// SPDX-License-Identifier: BSL-1.0
// EXPECT: mask_is_a_negative_number
#include <coalesce/gcn.hpp>
namespace co = coalescing;
namespace gcn = co::gcn;

static_assert(co::cost<gcn::buffer_load<32>>(co::linear{.stride = 4}, -2).transactions == 4);
