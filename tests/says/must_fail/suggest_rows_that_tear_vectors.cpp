// SPDX-License-Identifier: BSL-1.0
// EXPECT: rows_are_no_multiple_of_the_vector
#include <coalesce/cuda.hpp>
#include <coalesce/suggest.hpp>
namespace co = coalescing;

// Rows of 132 bytes, float4s.
constexpr auto column = [](unsigned lane) { return co::cell{.row = lane, .column = 0}; };
constexpr auto found = co::suggest(co::tile{.rows = 32, .columns = 33, .element_bytes = 4},
                                   co::use<co::cuda::cc90::shared_load<128>>(column));
