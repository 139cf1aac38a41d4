// SPDX-License-Identifier: BSL-1.0
// EXPECT: in what order gfx1250's counters count is in none of our sources
#include <coalesce/rdna/issued.hpp>

namespace rdna = coalescing::rdna;

static_assert(rdna::complete_in_order<rdna::gfx1250>(rdna::issued::vector_load, rdna::issued::vector_load));
