// SPDX-License-Identifier: BSL-1.0
//
// mdspan's layouts, asked in C++23. tests/toolchain/layouts/run compiles it, and again with the mdspan of CUDA.
#include <coalesce/cuda.hpp>
#include <coalesce/layout.hpp>
#include <mdspan>
namespace co = coalescing;
using co::cuda::cc90;

// 32 x 33 floats in shared memory, of which the last column is padding. Lane k reads element (k, 0).
using tile = std::mdspan<float, std::extents<int, 32, 33>>;
constexpr auto column = co::elements<float>([](unsigned lane) { return tile::mapping_type{}(lane, 0); });
static_assert(co::cost<cc90::shared_load<32>>(column).conflicts == 0);

// Every column: over a domain the mapping itself is asked, at (lane, column).
#include <coalesce/claims.hpp>
#include <coalesce/total.hpp>
constexpr auto columns = co::elements<float>(tile::mapping_type{});
constexpr co::tile padded{.rows = 32, .columns = 32, .element_bytes = 4, .pitch = 33 * 4};
static_assert(co::total<cc90::shared_load<32>>(columns, co::domain{32}).conflicts == 0);
static_assert(co::covers<cc90::shared_load<32>>(columns, co::domain{32}, padded).exactly_once);

// Extents or strides that only the launch knows: asserted for those that are assumed.
using matrix = std::mdspan<float, std::dextents<int, 2>>;
constexpr matrix::mapping_type assumed{matrix::extents_type{1000, 1000}};
constexpr auto row = co::elements<float>([](unsigned lane) { return assumed(0, lane); });
static_assert(co::cost<cc90::load<32>>(row).transactions == 4);

using strided = std::layout_stride::mapping<std::extents<int, 32, 32>>;
constexpr strided pitched{std::extents<int, 32, 32>{}, std::array<int, 2>{1, 36}};
static_assert(co::worst<cc90::shared_load<32>>(co::elements<float>(pitched), co::domain{32}).cost.ways == 1);
