// SPDX-License-Identifier: BSL-1.0
// EXPECT: not a mask of lanes
#include <coalesce/gcn.hpp>

namespace co = coalescing;

constexpr auto cost = co::cost<co::gcn::buffer_load<32>>(co::linear{.stride = 4}, 'x');
