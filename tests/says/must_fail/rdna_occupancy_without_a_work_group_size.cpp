// SPDX-License-Identifier: BSL-1.0
// EXPECT: kernel_with_lds_needs_a_work_group_size
#include <coalesce/rdna.hpp>
namespace co = coalescing;
namespace rdna = co::rdna;

static_assert(rdna::gfx1100::occupancy({.lds_bytes = 1024}, {}).waves == 16);
