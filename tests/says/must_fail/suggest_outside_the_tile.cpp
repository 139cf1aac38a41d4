// SPDX-License-Identifier: BSL-1.0
// EXPECT: cell_lies_outside_the_tile
#include <coalesce/cuda.hpp>
#include <coalesce/suggest.hpp>
namespace co = coalescing;

// 32 lanes, 16 rows.
constexpr auto column = [](unsigned lane) { return co::cell{.row = lane, .column = 0}; };
constexpr auto found = co::suggest(co::tile{.rows = 16, .columns = 32, .element_bytes = 4},
                                   co::use<co::cuda::cc90::shared_load<32>>(column));
