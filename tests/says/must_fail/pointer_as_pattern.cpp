// SPDX-License-Identifier: BSL-1.0
// EXPECT: a pointer has no length
#include <coalesce/gcn.hpp>
namespace co = coalescing;
namespace gcn = co::gcn;

auto clocks(unsigned long long const* addresses) { return co::cost<gcn::buffer_load<32>>(addresses).clocks; }
