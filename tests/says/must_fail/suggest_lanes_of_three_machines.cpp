// SPDX-License-Identifier: BSL-1.0
// EXPECT: one load or store of one machine, on global memory and through the same cache
#include <coalesce/cuda.hpp>
#include <coalesce/suggest.hpp>
namespace co = coalescing;
using namespace co::cuda;

// It used to say that the widest is the best, on whichever machine it is.
constexpr auto found = co::suggest_lanes<cc80::load<32>, cc90::load<64>, cc100::load<256>>(
    {.rows = 64, .columns = 8, .element_bytes = 4, .pitch = 4096});
