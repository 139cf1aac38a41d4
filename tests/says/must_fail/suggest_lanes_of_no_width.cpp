// SPDX-License-Identifier: BSL-1.0
// EXPECT: tile_fits_no_width
#include <coalesce/cuda.hpp>
#include <coalesce/suggest.hpp>
namespace co = coalescing;

// Rows of 132 bytes: no float4 is aligned in the second.
constexpr auto found =
    co::suggest_lanes<co::cuda::cc90::load<128>>({.rows = 32, .columns = 32, .element_bytes = 4, .pitch = 132});
