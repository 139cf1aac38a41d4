// SPDX-License-Identifier: BSL-1.0
// EXPECT: bulk_copy_is_not_legal_see_its_fault
#include <coalesce/cuda/tma.hpp>
namespace co = coalescing;
namespace cu = co::cuda;

static_assert(cu::cp_async_bulk{.bytes = 24}.cost().sectors == 1);
