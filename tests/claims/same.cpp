// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna/fragments.hpp>
#include <coalesce/claims/same.hpp>
#include <coalesce/cuda/fragments.hpp>
#include <coalesce/layout.hpp>

#include "machinery/check.hpp"

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace co = coalescing;

namespace {

constexpr auto formula = [](unsigned lane, unsigned warp, unsigned step) { return 4 * lane + 132 * (8 * step + warp); };
constexpr co::layout<3> strides{.shape = {32, 8, 4}, .stride = {4, 132, 8 * 132}};

}  // namespace

TEST_CASE("same: a formula and a layout") {
  COALESCE_CHECK(co::same(formula, strides, co::domain{32, 8, 4}).same);
  static_assert(co::same(formula, strides, co::domain{32, 8, 4}));
  CHECK(co::same(formula, strides, co::domain{32, 8, 4}));
  static_assert(!std::is_convertible_v<decltype(co::same(formula, strides, co::domain{1, 1, 1})), bool>);

  // A step of 7 warps' rows: the first point where it shows is the lowest lane, warp and step of them.
  constexpr co::layout<3> shorter{.shape = {32, 8, 4}, .stride = {4, 132, 7 * 132}};
  constexpr auto found = co::same(formula, shorter, co::domain{32, 8, 4});
  COALESCE_CHECK(!found.same);
  COALESCE_CHECK(found.at == co::point{0, 0, 1});
  COALESCE_CHECK(found.first == 8 * 132);
  COALESCE_CHECK(found.second == 7 * 132);
  static_assert(!found);
  // The first number varies slowest: a difference at every lane of warp 3 is first at lane 0, one at lane 5 of all
  // warps at its warp 0.
  constexpr auto in_warp_3 = [](unsigned lane, unsigned warp) { return warp == 3 ? 0u : 4 * lane + 128 * warp; };
  constexpr auto in_lane_5 = [](unsigned lane, unsigned warp) { return lane == 5 ? 0u : 4 * lane + 128 * warp; };
  constexpr auto right = [](unsigned lane, unsigned warp) { return 4 * lane + 128 * warp; };
  COALESCE_CHECK(co::same(right, in_warp_3, co::domain{32, 8}).at == co::point{0, 3});
  COALESCE_CHECK(co::same(right, in_lane_5, co::domain{32, 8}).at == co::point{5, 0});
}

TEST_CASE("same: functions of one to four numbers, arrays, an empty domain") {
  constexpr unsigned odd[4] = {1, 3, 5, 7};
  constexpr auto rule = [](unsigned k) { return 2 * k + 1; };
  COALESCE_CHECK(co::same(odd, rule, co::domain{4}).same);
  std::vector<std::uint64_t> const list{1, 3, 5, 8};
  CHECK(co::same(rule, list, co::domain{3}).same);
  CHECK(co::same(rule, list, co::domain{4}).at == co::point{3});
  CHECK(co::same(rule, list, co::domain{4}).second == 8);
  constexpr auto sum = [](unsigned a, unsigned b, unsigned c, unsigned d) { return a + 2 * b + 4 * c + 8 * d; };
  constexpr co::layout<4> bits{.shape = {2, 2, 2, 2}, .stride = {1, 2, 4, 8}};
  COALESCE_CHECK(co::same(sum, bits, co::domain{2, 2, 2, 2}).same);
  constexpr co::layout<4> others{.shape = {2, 2, 2, 2}, .stride = {1, 2, 4, 9}};
  COALESCE_CHECK(co::same(sum, others, co::domain{2, 2, 2, 2}).at == co::point{0, 0, 0, 1});
  // Each of the four numbers is the point's own: a function of one of them differs from 0 where that one does.
  constexpr auto zeros = [](unsigned, unsigned, unsigned, unsigned) { return 0u; };
  constexpr auto first = [](unsigned a, unsigned, unsigned, unsigned) { return a; };
  constexpr auto second = [](unsigned, unsigned b, unsigned, unsigned) { return b; };
  constexpr auto third = [](unsigned, unsigned, unsigned c, unsigned) { return c; };
  constexpr auto fourth = [](unsigned, unsigned, unsigned, unsigned d) { return d; };
  COALESCE_CHECK(co::same(first, zeros, co::domain{2, 1, 1, 1}).at == co::point{1, 0, 0, 0});
  COALESCE_CHECK(co::same(second, zeros, co::domain{1, 2, 1, 1}).at == co::point{0, 1, 0, 0});
  COALESCE_CHECK(co::same(third, zeros, co::domain{1, 1, 2, 1}).at == co::point{0, 0, 1, 0});
  COALESCE_CHECK(co::same(fourth, zeros, co::domain{1, 1, 1, 2}).at == co::point{0, 0, 0, 1});
  constexpr auto zero = [](unsigned) { return 0; };
  COALESCE_CHECK(co::same(rule, zero, co::domain{0}).same);
}

TEST_CASE("same: integers are compared as 64 bits") {
  constexpr auto narrow = [](unsigned lane) { return 4 * lane - 4; };  // wraps at 2^32
  constexpr auto wide = [](unsigned lane) { return 4ll * lane - 4; };
  constexpr auto found = co::same(narrow, wide, co::domain{32});
  COALESCE_CHECK(found.at == co::point{0});
  COALESCE_CHECK(found.first == 0xffff'fffc);
  COALESCE_CHECK(found.second == 0xffff'ffff'ffff'fffc);
  // A constant of a type of its own, as layouts of other libraries give.
  struct four {
    constexpr operator int() const { return 4; }
  };
  COALESCE_CHECK(co::same([](unsigned) { return four{}; }, [](unsigned) { return 4ull; }, co::domain{8}).same);
}

TEST_CASE("same: numbers like __half, which convert to float and to integers, are compared by ==") {
  struct half {
    float value = 0;
    constexpr operator float() const { return value; }
    constexpr operator long() const { return static_cast<long>(value); }
    constexpr bool operator==(half const& other) const { return value == other.value; }
  };
  constexpr auto quarters = [](unsigned k) { return half{static_cast<float>(k) / 4}; };
  constexpr auto eighths = [](unsigned k) { return half{static_cast<float>(k) / 8}; };
  constexpr auto found = co::same(quarters, eighths, co::domain{4});
  COALESCE_CHECK((!found.same && found.at == co::point{1} && found.first.value == 0.25f));
  COALESCE_CHECK(co::same(quarters, quarters, co::domain{4}).same);
}

TEST_CASE("same: cells and fragments") {
  // The accumulator of m16n8: PTX 9.7.14.5.8: group = lane / 4, two neighbours a lane, values 2 and 3 eight rows on.
  using c = co::cuda::mma<16, 8, 16, 16>::c;
  constexpr auto ptx = [](unsigned lane, unsigned value) {
    return co::cell{.row = lane / 4 + 8 * (value / 2), .column = 2 * (lane % 4) + value % 2};
  };
  COALESCE_CHECK(co::same(c{}, ptx, co::domain{32, 4}).same);
  COALESCE_CHECK(co::same(ptx, c::of, co::domain{32, 4}).same);
  constexpr auto by_rows = [](unsigned lane, unsigned value) {
    return co::cell{.row = lane / 2, .column = 4 * (lane % 2) + value};
  };
  constexpr auto found = co::same(c{}, by_rows, co::domain{32, 4});
  COALESCE_CHECK(found.at == co::point{0, 2});
  COALESCE_CHECK(found.first == co::cell{.row = 8, .column = 0});
  COALESCE_CHECK(found.second == co::cell{.row = 0, .column = 2});
  // Two instructions whose accumulators agree.
  COALESCE_CHECK(co::same(c{}, co::cuda::mma<16, 8, 8, 16>::c{}, co::domain{32, 4}).same);
}

TEST_CASE("same: refusals") {
  auto const sentence = [](auto ask) -> std::string {
    try {
      ask();
    } catch (co::misuse const& why) {
      return why.what();
    }
    return "no refusal";
  };
  unsigned const two[2] = {0, 4};
  auto const wide = [](unsigned lane) { return 4 * lane; };
  CHECK(sentence([&] { static_cast<void>(co::same(two, wide, co::domain{3})); }) ==
        "coalesce: same: the array has fewer elements than the domain has points");
  std::vector<unsigned> const list{0, 4};
  CHECK(sentence([&] { static_cast<void>(co::same(wide, list, co::domain{3})); }) ==
        "coalesce: same: the array has fewer elements than the domain has points");
  CHECK(sentence([&] { static_cast<void>(co::same(wide, list, co::domain{2})); }) == "no refusal");
  CHECK(sentence([&] { static_cast<void>(co::same(wide, wide, co::domain{-1})); }) ==
        "coalesce: an extent of a domain is negative, or it has more than 2^32 - 1 points");
}
