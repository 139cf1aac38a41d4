// SPDX-License-Identifier: BSL-1.0
// EXPECT: load_cost<.*>::clocks, 16.*>::transactions, 8.*>::bytes_moved, 512.*>::bytes_used, 256
#include <coalesce/gcn.hpp>
namespace co = coalescing;
namespace gcn = co::gcn;

co::show<co::cost<gcn::buffer_load<32>>(co::linear{.stride = 8})> printed;
