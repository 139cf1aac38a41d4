// SPDX-License-Identifier: BSL-1.0
// What <coalesce/cuda/fragments.hpp> refuses. Each section must not compile, and the compiler must say its EXPECT, a
// regular expression. (must_fail.cmake compiles what stands here, and one section.)
#include <coalesce/cuda/fragments.hpp>
namespace co = coalescing;

// ---- cell_outside_the_operand ----
// EXPECT: fragment_has_no_such_cell
// B is k by j: {.row = k, .column = j}.
static_assert(co::cuda::mma<16, 8, 16, 16>::b::owner({.row = 3, .column = 10}).lane == 13);

// ---- lane_beyond_the_warp ----
// EXPECT: fragment_has_no_such_lane
static_assert(co::cuda::mma<16, 8, 16, 16>::c::of(32, 0).row == 0);

// ---- mma_shape ----
// EXPECT: cuda mma<M, N, K, Bits>: modelled are
static_assert(co::cuda::mma<16, 16, 16, 16>::a::values == 8);  // two instructions of 16 x 8 x 16

// ---- moved_beyond_its_values ----
// EXPECT: instruction_moves_more_values_than_are_left
#include <coalesce/cuda.hpp>
#include <coalesce/layout.hpp>

// A warp's C of 16 x 8 has four values in a lane: two matrices, not four. (The rows are wrong too: that is not the
// point.)
constexpr co::tile tile{.rows = 16, .columns = 8, .element_bytes = 2};
static_assert(!co::moves<co::cuda::cc90::stmatrix<4>, co::cuda::mma<16, 8, 16, 16>::c>(co::broadcast{}, tile));

// ---- wgmma_holds_no_b ----
// EXPECT: no lane holds B. It lies in shared memory
static_assert(co::cuda::wgmma<128, 16>::b::of(0, 0) == co::cell{});

// ---- wgmma_shape ----
// EXPECT: cuda wgmma<N, Bits>: N is a multiple of 8 from 8 to 256
static_assert(co::cuda::wgmma<260, 16>::c::values == 130);

// ---- moves_of_4_bits ----
// EXPECT: elements of a byte or more have addresses
#include <coalesce/cuda.hpp>
#include <coalesce/layout.hpp>

constexpr auto rows = [](unsigned lane) { return 32 * (lane % 16) + 16 * (lane / 16); };
constexpr co::tile tile{.rows = 16, .columns = 32, .element_bytes = 1};
static_assert(
    co::moves<co::cuda::cc120::ldmatrix<4, co::cuda::matrix::m8n16_b4>, co::cuda::mma<16, 8, 32, 8>::a>(rows, tile));
