// SPDX-License-Identifier: BSL-1.0
// EXPECT: kernel_with_lds_needs_a_work_group_size
#include <coalesce/cdna.hpp>
namespace co = coalescing;
namespace cdna = co::cdna;

static_assert(cdna::gfx942::occupancy({.lds_bytes = 16 * 1024}).waves == 4);
