// SPDX-License-Identifier: BSL-1.0
// EXPECT: deleted
#include <coalesce/cdna.hpp>

#include <string_view>

namespace co = coalescing;

std::string_view const dangling = co::cdna::waitcnt{.vmcnt = 3}.text();
