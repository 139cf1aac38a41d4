// SPDX-License-Identifier: BSL-1.0
// EXPECT: in what order gfx1250's counters count is in none of our sources
#include <coalesce/rdna/issued.hpp>

namespace co = coalescing;

constexpr co::rdna::issued_operations<co::rdna::gfx1250> wave(co::rdna::issued::vector_load);
