// SPDX-License-Identifier: BSL-1.0
// What <coalesce/cdna/fragments.hpp> refuses. Each section must not compile, and the compiler must say its EXPECT, a
// regular expression. (must_fail.cmake compiles what stands here, and one section.)
#include <coalesce/cdna/fragments.hpp>
namespace co = coalescing;
namespace cdna = co::cdna;

// ---- mfma_shape ----
// EXPECT: cdna mfma<M, N, K, Bits, Blocks>: no chip
static_assert(co::cdna::mfma<4, 4, 4, 16>::c::values == 4);  // of 16 blocks

// ---- value_that_no_lane_holds ----
// EXPECT: fragment_has_no_such_value
static_assert(co::cdna::mfma<16, 16, 16, 16>::a::of(0, 4).row == 0);
