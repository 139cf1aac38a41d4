// SPDX-License-Identifier: BSL-1.0
// EXPECT: cdna mfma<M, N, K, Bits, Blocks>: no chip
#include <coalesce/cdna/fragments.hpp>
namespace co = coalescing;

static_assert(co::cdna::mfma<4, 4, 4, 16>::c::values == 4);  // of 16 blocks
