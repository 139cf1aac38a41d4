// SPDX-License-Identifier: BSL-1.0
// EXPECT: the array of addresses has fewer elements than the instruction has lanes
#include <coalesce/gcn.hpp>
namespace co = coalescing;
namespace gcn = co::gcn;

constexpr unsigned addresses[32] = {};
static_assert(co::cost<gcn::buffer_load<32>>(addresses).transactions == 1);
