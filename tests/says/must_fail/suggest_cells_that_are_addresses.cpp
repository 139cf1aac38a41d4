// SPDX-License-Identifier: BSL-1.0
// EXPECT: suggest: the cells of a use are const-callable with the lane
#include <coalesce/cuda.hpp>
#include <coalesce/suggest.hpp>
namespace co = coalescing;

constexpr auto found = co::suggest(co::tile{.rows = 32, .columns = 32, .element_bytes = 4},
                                   co::use<co::cuda::cc90::shared_load<32>>([](unsigned lane) { return 128 * lane; }));
