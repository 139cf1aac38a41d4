// SPDX-License-Identifier: BSL-1.0
//
// The real types of CuTe are known by the members that tests/layout/foreign.hpp has stand-ins for.
#include <coalesce/cuda.hpp>
#include <coalesce/layout.hpp>
#include <cute/pointer_sparse.hpp>
#include <cute/tensor.hpp>

namespace co = coalescing;
using namespace cute;

// Refused as patterns: static and dynamic layouts, swizzled ones, tensors.
using plain = Layout<Shape<_32, _64>, Stride<_64, _1>>;
using swizzled = decltype(composition(Swizzle<3, 3, 3>{}, plain{}));
using dynamic = decltype(make_layout(make_shape(32, 64), make_stride(64, _1{})));
using view = decltype(make_tensor(static_cast<int*>(nullptr), plain{}));
static_assert(co::detail::gives_elements<plain> && co::detail::gives_elements<swizzled>);
static_assert(co::detail::gives_elements<dynamic> && co::detail::gives_elements<view>);

static_assert(is_same_v<view::layout_type, plain>);

// Refused: a layout of elements that gives values, and an element type that is packed.
static_assert(co::detail::gives_values<view> && co::detail::gives_values<decltype(make_tensor<int>(plain{}))>);
static_assert(!co::detail::gives_values<plain> && !co::detail::gives_values<swizzled>);
template <class... T>
inline constexpr bool all_packed = (co::detail::packed<T> && ...);
template <class... T>
inline constexpr bool some_packed = (co::detail::packed<T> || ...);
static_assert(all_packed<uint1b_t, int2b_t, uint2b_t, int4b_t, uint4b_t, int6b_t, uint6b_t>);
static_assert(all_packed<float_e2m1_t, float_e2m3_t, float_e3m2_t, sparse_elem<2, half_t>>);
static_assert(!some_packed<float_e4m3_t, float_e5m2_t, float_ue4m3_t, float_ue8m0_t, half_t, bfloat16_t, tfloat32_t>);
static_assert(!some_packed<cutlass::Array<int4b_t, 8>, cutlass::AlignedArray<half_t, 8>, complex<float>, uint128_t>);

// Negative strides do not wrap.
constexpr auto reversed = co::elements<float>(make_layout(make_shape(32), make_stride(-1)), 31 * 4);
static_assert(reversed(31u) == 0 && co::cost<co::cuda::cc90::load<32>>(reversed).transactions == 4);

// The page computes the addresses of a thread without get_slice, which is not constexpr. get_slice gives the same ones.
using fill = decltype(make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{},
                                      Layout<Shape<_4, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _8>>{}));
int main() {
  half_t* const none = nullptr;
  for (int thread = 0; thread != 32; ++thread) {
    auto const mine = fill::get_slice(thread).partition_S(make_tensor(none, swizzled{}));
    for (int value = 0; value != 8; ++value)
      for (int rest = 0; rest != 8; ++rest)
        if (&mine(value, rest, 0) - none != fill::tidfrg_S(swizzled{})(thread, value, rest)) return 1;
  }
}
