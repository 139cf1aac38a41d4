// SPDX-License-Identifier: BSL-1.0
// EXPECT: fragment_has_no_such_value
#include <coalesce/cdna/fragments.hpp>
namespace co = coalescing;

static_assert(co::cdna::mfma<16, 16, 16, 16>::a::of(0, 4).row == 0);
