// SPDX-License-Identifier: BSL-1.0
// EXPECT: access_runs_past_the_end_of_shared_memory
#include <coalesce/cdna.hpp>
namespace co = coalescing;
namespace cdna = co::cdna;

static_assert(co::cost<cdna::gfx942::ds_read2<64, 0, 1>>(co::broadcast{65536 - 8}).conflicts == 0);
