// SPDX-License-Identifier: BSL-1.0
// EXPECT: tile_is_empty_or_larger_than_its_memory
#include <coalesce/cuda.hpp>
#include <coalesce/suggest.hpp>
namespace co = coalescing;

constexpr auto column = [](unsigned lane) { return co::cell{.row = lane, .column = 0}; };
constexpr auto found = co::suggest(co::tile{.rows = 256, .columns = 256, .element_bytes = 4},
                                   co::use<co::cuda::cc90::shared_load<32>>(column));
