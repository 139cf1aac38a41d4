// SPDX-License-Identifier: BSL-1.0
// EXPECT: each use is co::use<Instruction>\(cells
#include <coalesce/cuda.hpp>
#include <coalesce/suggest.hpp>
namespace co = coalescing;

constexpr auto column = [](unsigned lane) { return co::cell{.row = lane, .column = 0}; };
constexpr auto found = co::suggest(co::tile{.rows = 32, .columns = 32, .element_bytes = 4},
                                   co::use<co::cuda::cc90::shared_load<32>>(column), column);
