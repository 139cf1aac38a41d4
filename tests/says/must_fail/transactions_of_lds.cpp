// SPDX-License-Identifier: BSL-1.0
// EXPECT: this instruction makes no transactions
// LDS serves banks, not transactions.
#include <coalesce/gcn.hpp>
namespace co = coalescing;
namespace gcn = co::gcn;

static_assert(co::transactions<gcn::ds_read<32>>(co::linear{.stride = 4}).size() == 2);
