// SPDX-License-Identifier: BSL-1.0
// EXPECT: ordering_does_not_exist_for_the_operation
#include <coalesce/rdna/synchronize.hpp>

namespace co = coalescing;

constexpr auto steps = co::rdna::synchronize<co::rdna::gfx1100>(
    {.kind = co::rdna::operation::load, .order = co::rdna::memory_order::release}, {});
