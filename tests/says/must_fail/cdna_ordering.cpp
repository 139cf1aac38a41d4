// SPDX-License-Identifier: BSL-1.0
// EXPECT: ordering_does_not_exist_for_the_operation
#include <coalesce/cdna.hpp>

namespace co = coalescing;

constexpr auto steps =
    co::cdna::synchronize({.kind = co::cdna::operation::load, .order = co::cdna::memory_order::release}, {});
