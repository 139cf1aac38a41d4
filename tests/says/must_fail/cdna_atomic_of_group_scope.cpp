// SPDX-License-Identifier: BSL-1.0
// EXPECT: atomics_have_device_or_system_scope
#include <coalesce/cdna.hpp>

namespace co = coalescing;

static_assert(co::cdna::encode_atomic({.scope = co::cdna::scope::group}).sc0);
