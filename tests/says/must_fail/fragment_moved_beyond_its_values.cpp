// SPDX-License-Identifier: BSL-1.0
// EXPECT: instruction_moves_more_values_than_are_left
#include <coalesce/cuda.hpp>
#include <coalesce/cuda/fragments.hpp>
#include <coalesce/layout.hpp>
namespace co = coalescing;

// A warp's C of 16 x 8 has four values in a lane: two matrices, not four. (The rows are wrong too: that is not the
// point.)
constexpr co::tile tile{.rows = 16, .columns = 8, .element_bytes = 2};
static_assert(!co::moves<co::cuda::cc90::stmatrix<4>, co::cuda::mma<16, 8, 16, 16>::c>(co::broadcast{}, tile));
