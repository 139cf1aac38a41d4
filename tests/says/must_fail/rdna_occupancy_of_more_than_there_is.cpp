// SPDX-License-Identifier: BSL-1.0
// EXPECT: kernel_uses_more_than_there_is
// A work-group can have half of what a workgroup processor has.
#include <coalesce/rdna.hpp>
namespace co = coalescing;
namespace rdna = co::rdna;

static_assert(rdna::gfx1100::occupancy({.lds_bytes = 128 * 1024, .work_group_size = 256}, {}).waves == 1);
