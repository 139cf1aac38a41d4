// SPDX-License-Identifier: BSL-1.0
// EXPECT: no source tells the phases of ds_write_b96
#include <coalesce/gcn.hpp>
namespace co = coalescing;
namespace gcn = co::gcn;

static_assert(co::cost<gcn::ds_write<96>>(co::linear{.stride = 16}).conflicts == 0);
