// SPDX-License-Identifier: BSL-1.0
// EXPECT: mask_names_lanes_beyond_the_wave
#include <coalesce/gcn.hpp>
namespace co = coalescing;
namespace gcn = co::gcn;

static_assert(co::cost<gcn::s_load<4>>(co::linear{}, 0b10).transactions == 1);
