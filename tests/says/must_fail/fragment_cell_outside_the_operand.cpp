// SPDX-License-Identifier: BSL-1.0
// EXPECT: fragment_has_no_such_cell
#include <coalesce/cuda/fragments.hpp>
namespace co = coalescing;

// B is k by j: {.row = k, .column = j}.
static_assert(co::cuda::mma<16, 8, 16, 16>::b::owner({.row = 3, .column = 10}).lane == 13);
