// SPDX-License-Identifier: BSL-1.0
// EXPECT: the post gives peaks for vector loads only
#include <coalesce/gcn.hpp>
namespace co = coalescing;
namespace gcn = co::gcn;

static_assert(gcn::peak_clocks<gcn::buffer_store<32>> == 16);
