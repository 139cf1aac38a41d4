// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cuda.hpp>
#include <coalesce/layout.hpp>

#include "machinery/check.hpp"
#include "truth/oracle/launches.hpp"
#include "truth/oracle/random_access.hpp"

#include <type_traits>

namespace co = coalescing;
using co::cuda::cc90;

namespace {

template <auto Value>
struct carried {};
[[maybe_unused]] carried<co::layout<2>{.shape = {4, 8}, .stride = {4, 16}}> structural;
[[maybe_unused]] carried<co::swizzle{3, 4, 3}.over(co::tile{.rows = 8, .columns = 8, .element_bytes = 16})> swizzled;

static_assert(co::pattern<co::layout<1>> && co::pattern<co::layout<3>> && co::pattern<co::tile>);
static_assert(co::pattern<co::swizzled<co::layout<2>>>);
static_assert(!co::pattern<decltype(co::swizzle{3, 4, 3}.over([](unsigned) { return 1.5; }))>);

static_assert(std::is_invocable_v<co::layout<2>, int, unsigned char> && std::is_invocable_v<co::layout<2>, int>);
static_assert(!std::is_invocable_v<co::layout<2>, int, int, int>, "as many places as modes, or one index");
static_assert(!std::is_invocable_v<co::layout<2>, int, double> && !std::is_invocable_v<co::layout<2>, double>);
static_assert(!std::is_invocable_v<co::layout<1>, int, int> && !std::is_invocable_v<co::layout<1>, double>);
[[maybe_unused]] constexpr auto takes_a_number = [](unsigned lane, double) { return lane; };
static_assert(!std::is_invocable_v<decltype(co::swizzle{3, 4, 3}.over(takes_a_number)), unsigned, double>,
              "a swizzled function is asked with integers");

}  // namespace

TEST_CASE("layout: shape and stride as CuTe writes them, fastest mode first, strides in bytes") {
  constexpr co::layout<3> l{.base = 100, .shape = {4, 3, 2}, .stride = {4, 32, -8}};
  COALESCE_CHECK(l(0, 0, 0) == 100);
  COALESCE_CHECK(l(3, 0, 0) == 112);
  COALESCE_CHECK(l(0, 2, 0) == 164);
  COALESCE_CHECK(l(0, 0, 1) == 92);
  COALESCE_CHECK(l(1, 2, 1) == 100 + 4 + 64 - 8);
  COALESCE_CHECK(l.size() == 24);
  COALESCE_CHECK(l(0) == l(0, 0, 0));
  COALESCE_CHECK(l(5) == l(1, 1, 0));
  COALESCE_CHECK(l(12) == l(0, 0, 1));
  COALESCE_CHECK(l(23) == l(3, 2, 1));
}
TEST_CASE("layout: a place may lie beyond its mode, as a halo does; a linear index may not") {
  constexpr co::layout<2> l{.base = 128, .shape = {4, 4}, .stride = {4, 16}};
  COALESCE_CHECK(l(-1, 0) == 124);
  COALESCE_CHECK(l(4, 4) == 128 + 16 + 64);
  CHECK_THROWS_AS(static_cast<void>(l(16)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(l(-1)), co::misuse);
  CHECK_NOTHROW(static_cast<void>(l(15)));
}
TEST_CASE("layout: a stride that is left out is 0, an extent that is left out leaves no elements") {
  COALESCE_CHECK(co::layout<2>{.shape = {4, 4}, .stride = {4}}(0, 3) == 0);
  COALESCE_CHECK(co::layout<2>{.shape = {4}, .stride = {4, 4}}.size() == 0);
  CHECK_THROWS_WITH_AS(static_cast<void>(co::layout<2>{.shape = {4}, .stride = {4, 4}}(0)),
                       doctest::Contains("not less than the layout's size()"), co::misuse);
}
TEST_CASE("layout: negative extents, and sizes beyond 64 bits, are refused") {
  char const* const negative = "coalesce: an extent of the layout is negative";
  char const* const too_many = "coalesce: the extents of the layout multiply to more than 2^64 - 1";
  CHECK_THROWS_WITH_AS(static_cast<void>(co::layout<2>{.shape = {4, -1}}.size()), negative, co::misuse);
  CHECK_THROWS_WITH_AS(static_cast<void>(co::layout<2>{.shape = {4, -1}}(5)), negative, co::misuse);
  CHECK_THROWS_WITH_AS(static_cast<void>(co::layout<2>{.shape = {INT64_MAX, 4}}.size()), too_many, co::misuse);
  COALESCE_CHECK(co::layout<2>{.shape = {INT64_MAX, 2}}.size() == ~1ull);
  COALESCE_CHECK(co::layout<2>{.shape = {3, 0x5555'5555'5555'5555}}.size() == ~0ull);  // 2^64 - 1
  CHECK_THROWS_WITH_AS(static_cast<void>(co::layout<2>{.shape = {1ll << 32, 1ll << 32}}.size()), too_many, co::misuse);
  // An extent of 0 makes it none, before the others and after them (found by fuzzing).
  COALESCE_CHECK(co::layout<3>{.shape = {0, INT64_MAX, 4}}.size() == 0);
  COALESCE_CHECK(co::layout<3>{.shape = {INT64_MAX, 4, 0}}.size() == 0);
}
TEST_CASE("layout: the arithmetic is modulo 2^64, as that of linear") {
  COALESCE_CHECK(co::layout<1>{.base = 0, .shape = {32}, .stride = {-4}}(1) == co::linear{.base = 0, .stride = -4}(1));
  COALESCE_CHECK(co::layout<1>{.base = ~3ull, .shape = {32}, .stride = {4}}(1) == 0);
  COALESCE_CHECK(co::layout<2>{.base = 1, .shape = {3, 3}, .stride = {INT64_MIN, 1}}(2, 1) == 2);
}
TEST_CASE("layout: as a pattern, lane k is element k; fewer elements than active lanes are refused") {
  constexpr co::layout<2> column{.shape = {32, 2}, .stride = {132, 4}};
  COALESCE_CHECK(co::cost<cc90::shared_load<32>>(column).rounds == 1);
  CHECK_THROWS_AS(static_cast<void>(co::cost<cc90::load<32>>(co::layout<1>{.shape = {31}, .stride = {4}})), co::misuse);
  COALESCE_CHECK(co::cost<cc90::load<32>>(co::layout<1>{.shape = {31}, .stride = {4}}, 0x7fff'ffff).transactions == 4);
}
TEST_CASE("layout: linear indices are those of odometers, random ones") {
  coalescing_tests::random_launches random(4, 0, 11);
  for (unsigned k = 0; k != coalescing_tests::share(400); ++k) {
    auto const made = random.next(3, false, false);
    co::layout<3> of{.base = made.base};
    for (unsigned mode = 0; mode != 3; ++mode) of.shape[mode] = made.shape[mode], of.stride[mode] = made.stride[mode];
    std::uint64_t index = 0;
    bool same = true;
    for (std::int64_t c = 0; c != made.shape[2]; ++c)
      for (std::int64_t b = 0; b != made.shape[1]; ++b)
        for (std::int64_t a = 0; a != made.shape[0]; ++a, ++index)
          same = same && of(index) == made.address({a, b, c}) && of(a, b, c) == of(index);
    CHECK(same);
    CHECK(index == of.size());
  }
}

TEST_CASE("swizzle: CuTe's Swizzle<3, 4, 3>, on bytes: 16-byte units 0 to 7 of each row of 128 bytes are permuted") {
  constexpr co::swizzle atoms{.bits = 3, .base = 4, .shift = 3};
  COALESCE_CHECK(atoms(0x00) == 0x00);
  COALESCE_CHECK(atoms(0x80) == 0x90);
  COALESCE_CHECK(atoms(0x90) == 0x80);
  COALESCE_CHECK(atoms(0x3f5) == 0x385);
  COALESCE_CHECK(atoms.top() == 10);
  COALESCE_CHECK(co::swizzle{}(12345) == 12345);
  COALESCE_CHECK(co::swizzle{} == co::swizzle{.bits = 0, .base = 0, .shift = 0});
  // CuTe writes Swizzle<3, 3, 3> for elements of two bytes.
  constexpr co::swizzle of_halves{.bits = 3, .base = 3, .shift = 3};
  COALESCE_CHECK(2 * of_halves(0x90 / 2) == atoms(0x90));
}
TEST_CASE("swizzle: a negative shift reads lower bits") {
  constexpr co::swizzle up{.bits = 2, .base = 2, .shift = -3};
  COALESCE_CHECK(up(0b0'0000) == 0);
  COALESCE_CHECK(up(0b0100) == 0b10'0100);
  COALESCE_CHECK(up(0b1100) == 0b110'1100);
  COALESCE_CHECK(up.top() == 7);
}
TEST_CASE("swizzle: its own inverse, a permutation of each aligned piece, bit by bit as the definition says") {
  for (unsigned bits = 0; bits != 4; ++bits)
    for (unsigned base = 0; base != 5; ++base)
      for (int shift = -4; shift != 5; ++shift) {
        co::swizzle const swizzle{bits, base, shift};
        unsigned const distance = static_cast<unsigned>(shift < 0 ? -shift : shift);
        if (bits > distance) {
          CHECK_THROWS_AS(static_cast<void>(swizzle(0)), co::misuse);
          continue;
        }
        coalescing_tests::layout_launch by_bits;
        by_bits.bits = bits, by_bits.from = base, by_bits.shift = shift;
        bool same = true;
        for (std::uint64_t address = 0; address != 2048; ++address) {
          by_bits.base = address;
          same = same && swizzle(address) == by_bits.address({}) && swizzle(swizzle(address)) == address &&
                 swizzle(address) >> swizzle.top() == address >> swizzle.top();
        }
        CHECK(same);
      }
}
TEST_CASE("swizzle: bits past the 64th are refused, the 64th itself is not") {
  COALESCE_CHECK(co::swizzle{1, 62, 1}(1ull << 63) == 3ull << 62);
  COALESCE_CHECK(co::swizzle{2, 60, 2}(3ull << 62) == 15ull << 60);
  CHECK_THROWS_AS(static_cast<void>(co::swizzle{1, 63, 1}(0)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::swizzle{2, 60, 3}(0)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::swizzle{1, ~0u, 2}(0)), co::misuse);
  // A swizzle of no bits is allowed too, though it changes nothing.
  COALESCE_CHECK(co::swizzle{0, 63, 0}(12345) == 12345);
  COALESCE_CHECK(co::swizzle{0, 31, 32}(12345) == 12345);
  CHECK_THROWS_AS(static_cast<void>(co::swizzle{0, 32, 32}(0)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::swizzle{1, 0, INT32_MIN}(0)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::swizzle{~0u, ~0u, 2}(0)), co::misuse);
}
TEST_CASE("swizzle::over: the address of a layout or of any function, base included") {
  constexpr co::swizzle atoms{.bits = 3, .base = 4, .shift = 3};
  constexpr auto rows = atoms.over(co::layout<2>{.base = 0x80, .shape = {8, 8}, .stride = {16, 128}});
  COALESCE_CHECK(rows(0, 0) == 0x90);
  COALESCE_CHECK(rows(1, 0) == 0x80);
  COALESCE_CHECK(rows(8) == rows(0, 1));
  constexpr auto lanes = atoms.over([](unsigned lane) { return 128 * lane; });
  COALESCE_CHECK(co::cost<cc90::shared_load<128>>([](unsigned lane) { return 128 * lane; }).conflicts == 28);
  COALESCE_CHECK(co::cost<cc90::shared_load<128>>(lanes).conflicts == 0);
}

TEST_CASE("swizzle::over: a negative number of a narrow type is refused, as in cost()") {
  constexpr auto narrow = [](unsigned lane) { return static_cast<short>(2048 * lane); };  // lane 16: -32768
  auto const over = co::swizzle{3, 4, 3}.over(narrow);
  CHECK(over(15) == co::swizzle{3, 4, 3}(15 * 2048));
  CHECK_THROWS_AS(static_cast<void>(over(16)), co::misuse);
}
TEST_CASE("tile: rows and columns of a matrix, rows `pitch` bytes apart, dense unless said") {
  constexpr co::tile dense{.rows = 32, .columns = 8, .element_bytes = 4};
  constexpr co::tile padded{.base = 64, .rows = 32, .columns = 32, .element_bytes = 4, .pitch = 132};
  COALESCE_CHECK(dense.pitch == 32);
  COALESCE_CHECK(dense(1, 2) == 40);
  COALESCE_CHECK(dense(9) == dense(1, 1));
  COALESCE_CHECK(dense.size() == 256);
  COALESCE_CHECK(padded(2, 3) == 64 + 264 + 12);
  COALESCE_CHECK(padded(33) == padded(1, 1));
  COALESCE_CHECK(co::tile{.rows = 4, .columns = 8, .element_bytes = 4, .pitch = 36}(9) == 36 + 4);
  COALESCE_CHECK(co::tile{} == co::tile{.base = 0, .rows = 0, .columns = 0, .element_bytes = 0, .pitch = 0});
  COALESCE_CHECK(padded(-1, 0) + 132 == 64);
  COALESCE_CHECK(padded.as_layout() == co::layout<2>{.base = 64, .shape = {32, 32}, .stride = {4, 132}});
  COALESCE_CHECK(co::tile{.columns = INT64_MAX, .element_bytes = 4}.pitch == -4);  // modulo 2^64
  CHECK_THROWS_AS(static_cast<void>(dense(256)), co::misuse);
}

namespace {

constexpr unsigned diagonal(unsigned lane) { return 33 * lane; }

// Another library's constant, as cute::C and std::integral_constant are.
struct seven {
  constexpr operator int() const { return 7; }
};

}  // namespace

TEST_CASE("elements: what a layout of elements gives, in bytes") {
  constexpr auto rows = co::elements<float>([](unsigned lane) { return 33 * lane; });
  COALESCE_CHECK(rows(2) == 264);
  COALESCE_CHECK(co::cost<cc90::shared_load<32>>(rows).rounds == 1);
  // The error that it is for: elements taken as bytes.
  CHECK_THROWS_AS(static_cast<void>(co::cost<cc90::shared_load<32>>([](unsigned lane) { return 33 * lane; })),
                  co::misuse);
  COALESCE_CHECK(co::elements<float>(diagonal)(2) == 264);
  COALESCE_CHECK(co::swizzle{3, 4, 3}.over(diagonal)(4) == 0x94);
  constexpr auto of_two = co::elements<double>([](int row, int column) { return row * 17 - column; }, 1024);
  COALESCE_CHECK(of_two(1, 2) == 1024 + 8 * 15);
  COALESCE_CHECK(of_two(0, 1) == 1016);
  COALESCE_CHECK(co::elements<short>([](unsigned) { return seven{}; })(0) == 14);
  static_assert(!co::pattern<decltype(co::elements<float>([](unsigned lane) { return lane == 2; }))>);
  static_assert(!co::pattern<decltype(co::elements<float>([](unsigned) { return 1.5; }))>);
}
