// SPDX-License-Identifier: BSL-1.0
// EXPECT: address_is_misaligned
// GCN would drop the two low bits and read elsewhere.
#include <coalesce/gcn.hpp>
namespace co = coalescing;
namespace gcn = co::gcn;

static_assert(co::cost<gcn::buffer_load<32>>(co::linear{.base = 2, .stride = 4}).clocks == 4);
