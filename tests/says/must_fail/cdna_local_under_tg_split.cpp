// SPDX-License-Identifier: BSL-1.0
// EXPECT: lds_cannot_be_used_under_tg_split
#include <coalesce/cdna.hpp>

namespace co = coalescing;

constexpr auto steps = co::cdna::synchronize(
    {.kind = co::cdna::operation::load, .space = co::cdna::address_space::local}, {.tg_split = true});
