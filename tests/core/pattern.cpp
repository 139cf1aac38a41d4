// SPDX-License-Identifier: BSL-1.0
#include <coalesce/core/access.hpp>
#include <coalesce/core/pattern.hpp>

#include "machinery/check.hpp"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace co = coalescing;

static_assert(co::pattern<co::linear> && co::pattern<co::broadcast>);
static_assert(co::pattern<unsigned long long[64]> && co::pattern<std::array<int, 64>>);
static_assert(co::pattern<std::span<unsigned const>> && co::pattern<std::vector<std::uint64_t>>);
static_assert(co::pattern<decltype([](unsigned lane) { return lane * 4; })>);
static_assert(co::pattern<decltype([](auto lane) { return lane * 4; })>, "a generic lambda");
static_assert(co::pattern<std::uint64_t (*)(unsigned)>);

static_assert(!co::pattern<decltype([](unsigned lane) { return lane == 2; })>, "bool is no address");
static_assert(!co::pattern<decltype([](unsigned) { return 1.5; })>, "nor is a floating-point number");
static_assert(!co::pattern<decltype([](unsigned lane) { return &"abc"[lane]; })>, "nor is a pointer");
static_assert(!co::pattern<decltype([](std::string const&) { return 4; })>, "a pattern is called with a lane");
static_assert(!co::pattern<decltype([n = 0u](unsigned lane) mutable { return n += lane; })>,
              "a pattern does not change");
static_assert(!co::pattern<unsigned long long*>, "a pointer has no length");
static_assert(!co::pattern<std::array<bool, 64>> && !co::pattern<std::array<double, 64>>);
static_assert(!co::pattern<int> && !co::pattern<void*>);

TEST_CASE("linear: lane k is at base + k * stride") {
  COALESCE_CHECK(co::linear{.base = 256, .stride = 4}(0) == 256);
  COALESCE_CHECK(co::linear{.base = 256, .stride = 4}(63) == 256 + 252);
  COALESCE_CHECK(co::linear{}(63) == 0);
}
TEST_CASE("linear: strides may be negative, and the arithmetic is modulo 2^64") {
  COALESCE_CHECK(co::linear{.base = 256, .stride = -4}(1) == 252);
  COALESCE_CHECK(co::linear{.base = 0, .stride = -4}(1) == 0xffff'ffff'ffff'fffc);
  COALESCE_CHECK(co::linear{.base = 0xffff'ffff'ffff'fffc, .stride = 4}(1) == 0);
  COALESCE_CHECK(co::linear{.base = 1, .stride = INT64_MIN}(2) == 1);
}
TEST_CASE("broadcast: every lane is at base") {
  COALESCE_CHECK(co::broadcast{.base = 12}(0) == 12);
  COALESCE_CHECK(co::broadcast{.base = 12}(63) == 12);
}
