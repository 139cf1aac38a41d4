// SPDX-License-Identifier: BSL-1.0
//
// CuTe's layouts as they are, asked by host compilers and by nvcc. Needs CUTLASS 4 and CUDA's headers, so that only
// tests/toolchain/layouts/run compiles it.
#include <coalesce/claims.hpp>
#include <coalesce/total.hpp>
#include <cute/atom/mma_atom.hpp>

// ---- A layout ----

#include <coalesce/cuda.hpp>
#include <coalesce/layout.hpp>
#include <cute/tensor.hpp>
namespace co = coalescing;
using co::cuda::cc90;
using namespace cute;

// 32 x 32 floats in shared memory, in rows of 33. Lane k reads element k, which is (k, 0): a column.
using padded = Layout<Shape<_32, _32>, Stride<Int<33>, _1>>;
static_assert(co::cost<cc90::shared_load<32>>(co::elements<float>(padded{})).conflicts == 0);

// A matrix whose extents only the launch knows, asserted for those that are assumed. Lane k reads element (0, k).
constexpr auto matrix = make_layout(make_shape(1000, 1000), make_stride(1000, _1{}));
constexpr auto row = co::elements<float>([](unsigned lane) { return matrix(0, lane); });
static_assert(co::cost<cc90::load<32>>(row).transactions == 4);

// ---- Swizzles ----

// Halves, 64 to a row of 128 bytes, which ldmatrix reads in columns of 16 bytes, a row a lane.
using rows = Layout<Shape<_32, _64>, Stride<_64, _1>>;
using swizzled = decltype(composition(Swizzle<3, 3, 3>{}, rows{}));
static_assert(co::cost<cc90::ldmatrix<4>>(co::elements<half_t>(rows{})).ways == 8);
static_assert(co::cost<cc90::ldmatrix<4>>(co::elements<half_t>(swizzled{})).conflicts == 0);

// The same swizzle on bytes: a half is 2^1 of them, so its base is one more.
constexpr auto on_bytes = co::swizzle{.bits = 3, .base = 3 + 1, .shift = 3}.over(co::elements<half_t>(rows{}));
static_assert(on_bytes(5u) == co::elements<half_t>(swizzled{})(5u));
static_assert(co::cost<cc90::ldmatrix<4>>(on_bytes).conflicts == 0);

// Integers of 4 bits, 256 to a row of 128 bytes: recast to bytes first.
using fours = decltype(composition(Swizzle<3, 5, 3>{}, Layout<Shape<_32, _256>, Stride<_256, _1>>{}));
using bytes = decltype(recast_layout<int4b_t, std::uint8_t>(fours{}));
static_assert(co::cost<cc90::shared_load<128>>(co::elements<std::uint8_t>(bytes{})).conflicts == 0);

// ---- The tiles of a kernel: filled by a TiledCopy, read for an MMA ----

// The kernel's layouts: 128 x 64 halves of a matrix in rows of 4096, and their places in shared memory.
using global = Layout<Shape<_128, _64>, Stride<Int<4096>, _1>>;
using atom = decltype(composition(Swizzle<3, 3, 3>{}, Layout<Shape<_8, _64>, Stride<_64, _1>>{}));
using shared = decltype(tile_to_shape(atom{}, Shape<_128, _64>{}));
using fill = decltype(make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, half_t>{},
                                      Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _8>>{}));

// tidfrg_S and tidfrg_D are what get_slice partitions by: (thread, value, rest) -> element; lane k is thread k.
constexpr auto source = co::elements<half_t>(fill::tidfrg_S(global{}));
constexpr auto destination = co::elements<half_t>(fill::tidfrg_D(shared{}));
static_assert(co::cost<cc90::cp_async<16>::global>(source).transactions == 16);
static_assert(co::cost<cc90::cp_async<16>::shared>(destination).conflicts == 0);

// Every warp and every step: 16 x 64 halves at once, so 4 warps take 8 steps.
constexpr auto by_warps = [](unsigned lane, unsigned warp, unsigned step) { return source(32 * warp + lane, 0, step); };
constexpr auto whole_fill = co::total<cc90::cp_async<16>::global>(by_warps, co::domain{4, 8});
static_assert(whole_fill.bytes_used == 128 * 64 * sizeof(half_t) && whole_fill.bytes_moved == whole_fill.bytes_used);

// The whole fill in shared memory: without conflicts, and each half once.
constexpr auto fills = [](unsigned lane, unsigned warp, unsigned step) {
  return destination(32 * warp + lane, 0, step);
};
constexpr co::tile halves{.rows = 128, .columns = 64, .element_bytes = sizeof(half_t)};
static_assert(co::total<cc90::cp_async<16>::shared>(fills, co::domain{4, 8}).conflicts == 0);
static_assert(co::covers<cc90::cp_async<16>::shared>(fills, co::domain{4, 8}, halves).exactly_once);

// A for the tensor cores, by ldmatrix.x4: the source of a thread is the row whose address it hands over.
using mma = TiledMMA<MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>, Layout<Shape<_2, _2, _1>>, Tile<_32, _32, _16>>;
using read_a = decltype(make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, mma{}));
constexpr auto row_addresses = co::elements<half_t>(read_a::tidfrg_S(shared{}));
static_assert(co::cost<cc90::ldmatrix<4>>(row_addresses).conflicts == 0);
static_assert(co::total<cc90::ldmatrix<4>>(row_addresses, co::domain{1, 16}).conflicts == 0);  // value 0, 16 steps

// The accumulators, two floats a lane, straight to global memory.
using result = Layout<Shape<_32, _32>, Stride<Int<4096>, _1>>;
static_assert(co::cost<cc90::store<64>>(co::elements<float>(mma{}.thrfrg_C(result{}))).partial_sectors == 0);
