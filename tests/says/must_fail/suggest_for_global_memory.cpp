// SPDX-License-Identifier: BSL-1.0
// EXPECT: suggest: a use is of an instruction on shared memory or LDS
#include <coalesce/cuda.hpp>
#include <coalesce/suggest.hpp>
namespace co = coalescing;

constexpr auto found =
    co::suggest(co::tile{.rows = 32, .columns = 32, .element_bytes = 4},
                co::use<co::cuda::cc90::load<32>>([](unsigned lane) { return co::cell{.row = lane, .column = 0}; }));
