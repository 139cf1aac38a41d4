// SPDX-License-Identifier: BSL-1.0
// EXPECT: access_runs_past_the_end_of_shared_memory
#include <coalesce/cdna.hpp>

namespace co = coalescing;

static_assert(co::cost<co::cdna::gfx942::ds_read<32>>(co::linear{.stride = -4}).rounds == 2);
