// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cuda.hpp>
#include <coalesce/layout.hpp>

#include "layout/foreign.hpp"
#include "machinery/check.hpp"

namespace co = coalescing;
using co::cuda::cc90;

static_assert(co::detail::gives_elements<foreign::strided> && co::detail::gives_elements<foreign::mapping>);
static_assert(co::detail::gives_elements<foreign::tensor<int>>);
static_assert(!co::detail::gives_elements<foreign::array> && !co::detail::gives_elements<foreign::view>);
static_assert(!co::detail::gives_elements<foreign::sized> && co::pattern<foreign::sized>);
static_assert(!co::detail::gives_elements<co::layout<2>> && !co::detail::gives_elements<co::tile>);
static_assert(!co::detail::gives_elements<decltype(co::elements<float>(foreign::strided{}))>, "these are bytes");

static_assert(co::detail::gives_values<foreign::tensor<int>> && co::detail::gives_values<foreign::view>);
static_assert(!co::detail::gives_values<foreign::strided> && !co::detail::gives_values<foreign::mapping>);
static_assert(!co::detail::gives_values<foreign::array>, "a table of elements is a function");

static_assert(co::detail::packed<foreign::integer<4>> && co::detail::packed<foreign::integer<6> const>);
static_assert(co::detail::packed<foreign::real<4>> && co::detail::packed<foreign::sparse<2>>);
static_assert(!co::detail::packed<foreign::integer<8>> && !co::detail::packed<foreign::real<8>>);
static_assert(!co::detail::packed<foreign::sparse<1>> && !co::detail::packed<float>);

TEST_CASE("elements are counted in bytes, from a base on") {
  constexpr auto bytes = co::elements<float>(foreign::strided{.stride = 3}, 256);
  COALESCE_CHECK(bytes(0u) == 256);
  COALESCE_CHECK(bytes(5u) == 256 + 4 * 15);
  constexpr auto halves = co::elements<short>([](unsigned row, unsigned column) { return 64 * row + column; });
  COALESCE_CHECK(halves(3u, 5u) == 2 * (64 * 3 + 5));
}

TEST_CASE("the layout of another library is asked with signed coordinates, so that its negative strides do not wrap") {
  constexpr auto reversed = co::elements<float>(foreign::strided{.stride = -1}, 31 * 4);
  COALESCE_CHECK(reversed(0u) == 31 * 4);
  COALESCE_CHECK(reversed(31u) == 0);
  COALESCE_CHECK(co::cost<cc90::load<32>>(reversed).transactions == 4);
}

TEST_CASE("and beyond 2^32 elements") {
  constexpr auto far = co::elements<float>(foreign::strided{.stride = 1 << 30});
  COALESCE_CHECK(far(31u) == 31ull << 32);
}

TEST_CASE("a constant that stands for an integer is an element") {
  struct seven {
    constexpr operator int() const { return 7; }
  };
  COALESCE_CHECK(co::elements<double>([](unsigned) { return seven{}; })(3u) == 56);
}

TEST_CASE("a mapping takes as many coordinates as it has extents") {
  constexpr auto tile = co::elements<float>(foreign::mapping{});
  COALESCE_CHECK(tile(2u, 3u) == 4 * (33 * 2 + 3));
  static_assert(!co::pattern<decltype(tile)>);
}
