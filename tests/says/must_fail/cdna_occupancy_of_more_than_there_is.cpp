// SPDX-License-Identifier: BSL-1.0
// EXPECT: kernel_uses_more_than_there_is
// A tile that fits gfx950's 160 KiB, on gfx942.
#include <coalesce/cdna.hpp>
namespace co = coalescing;
namespace cdna = co::cdna;

static_assert(cdna::gfx942::occupancy({.lds_bytes = 128 * 1024, .work_group_size = 256}).waves == 1);
