// SPDX-License-Identifier: BSL-1.0
// EXPECT: gcn::ds_read<Bits>: Bits are
#include <coalesce/gcn.hpp>
namespace co = coalescing;
namespace gcn = co::gcn;

static_assert(co::cost<gcn::ds_read<24>>(co::linear{.stride = 4}).conflicts == 0);
