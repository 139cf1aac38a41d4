// SPDX-License-Identifier: BSL-1.0
// EXPECT: gfx1250_has_cu_mode_only
#include <coalesce/rdna/synchronize.hpp>

namespace co = coalescing;

constexpr auto steps = co::rdna::synchronize<co::rdna::gfx1250>({}, {.cu_mode = false});
