// SPDX-License-Identifier: BSL-1.0
// EXPECT: mask_names_lanes_beyond_the_wave
#include <coalesce/cuda.hpp>
#include <coalesce/total.hpp>
namespace co = coalescing;

static_assert(co::total<co::cuda::cc90::load<32>>([](unsigned lane, unsigned) { return 4 * lane; }, co::domain{0},
                                                  1ull << 32)
                  .requests == 0);
