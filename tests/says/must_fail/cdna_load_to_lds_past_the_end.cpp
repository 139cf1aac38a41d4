// SPDX-License-Identifier: BSL-1.0
// EXPECT: access_runs_past_the_end_of_shared_memory
#include <coalesce/cdna.hpp>
namespace co = coalescing;
namespace cdna = co::cdna;

static_assert(cdna::gfx942::global_load_lds<32>::lds_address({.m0 = 65532}, 1) == 0);
