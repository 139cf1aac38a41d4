// SPDX-License-Identifier: BSL-1.0
// EXPECT: list_has_no_such_transaction
#include <coalesce/gcn.hpp>
namespace co = coalescing;
namespace gcn = co::gcn;

static_assert(co::transactions<gcn::buffer_load<32>>(co::linear{})[1].bytes == 64);
