// SPDX-License-Identifier: BSL-1.0
// EXPECT: 62 == 0
#include <coalesce/gcn.hpp>
namespace co = coalescing;
namespace gcn = co::gcn;

static_assert(co::cost<gcn::ds_read<32>>(co::linear{.stride = 128}).conflicts == 0);
