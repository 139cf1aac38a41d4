// SPDX-License-Identifier: BSL-1.0
// EXPECT: show<.*{16, 8, 512, 256}
#include <coalesce/gcn.hpp>
namespace co = coalescing;
namespace gcn = co::gcn;

co::show<co::cost<gcn::buffer_load<32>>(co::linear{.stride = 8})> printed;
