// SPDX-License-Identifier: BSL-1.0
#include <coalesce/claims.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/layout.hpp>
#include <coalesce/total.hpp>

#include "machinery/check.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <type_traits>

namespace co = coalescing;
using co::cuda::cc90;

namespace {

struct particle {
  float x, y, z, mass;
};
struct storage {
  std::uint64_t barriers[2];
  float padded[32][33];
  unsigned char stages[3][8][2][4];
  particle particles[64];
};
constexpr co::array_of<decltype(storage::padded)> padded{offsetof(storage, padded)};
constexpr co::array_of<decltype(storage::stages)> stages{offsetof(storage, stages)};

template <auto Value>
struct carried {};
[[maybe_unused]] carried<padded> structural;
static_assert(co::pattern<co::array_of<float[32]>> && !co::pattern<co::array_of<float[32][33]>>);
static_assert(!std::is_invocable_v<co::array_of<float[32][33]>, unsigned>);
static_assert(!std::is_invocable_v<co::array_of<float[32]>, double>);

}  // namespace

TEST_CASE("array_of: the byte of each element of a struct's array, as the compiler places it") {
  COALESCE_CHECK(padded(0, 0) == 16);
  COALESCE_CHECK(padded(3, 2) == 16 + 3 * 132 + 2 * 4);
  COALESCE_CHECK(stages(2, 7, 1, 3) == 16 + 32 * 132 + 2 * 64 + 7 * 8 + 4 + 3);
  COALESCE_CHECK(co::array_of<particle[64]>{offsetof(particle, mass)}(5) == 5 * 16 + 12);
  COALESCE_CHECK(padded == co::array_of<float[32][33]>{.base = 16});
  COALESCE_CHECK(padded != co::array_of<float[32][33]>{});
}
TEST_CASE("array_of: a pattern, or a pattern over a domain") {
  COALESCE_CHECK(co::cost<cc90::shared_load<32>>(co::array_of<float[32]>{64}).conflicts == 0);
  COALESCE_CHECK(co::total<cc90::shared_load<32>>(padded, co::domain{32}).conflicts == 0);
  COALESCE_CHECK(co::worst<cc90::shared_load<32>>(co::array_of<float[32][32]>{}, co::domain{32}).cost.ways == 32);
  COALESCE_CHECK(static_cast<bool>(co::same(
      padded, [](unsigned row, unsigned column) { return 16 + 132 * row + 4 * column; }, co::domain{32, 33})));
}
TEST_CASE("array_of: an index that is not below its extent is refused") {
  auto const refused = doctest::Contains("array_of: an index is not less than the array's extent");
  CHECK_THROWS_WITH_AS(static_cast<void>(padded(32, 0)), refused, co::misuse);
  CHECK_THROWS_WITH_AS(static_cast<void>(padded(0, 33)), refused, co::misuse);
  CHECK_THROWS_WITH_AS(static_cast<void>(padded(-1, 0)), refused, co::misuse);
  CHECK_THROWS_WITH_AS(static_cast<void>(stages(0, 0, 2, 0)), refused, co::misuse);
  CHECK_NOTHROW(static_cast<void>(padded(31, 32)));
}
TEST_CASE("array_of: an oracle, the addresses of a real object") {
  static storage real;
  auto const at = [](void const* member) {
    return static_cast<std::uint64_t>(static_cast<char const*>(member) - reinterpret_cast<char const*>(&real));
  };
  std::mt19937_64 engine(25);
  bool equal = true, control = true;
  for (int k = 0; k != 2000; ++k) {
    auto const i = engine() % 32, j = engine() % 33, s = engine() % 3, a = engine() % 8, b = engine() % 2,
               c = engine() % 4;
    equal = equal && padded(i, j) == at(&real.padded[i][j]) && stages(s, a, b, c) == at(&real.stages[s][a][b][c]);
    control = control && co::array_of<float[32][32]>{16}(i, j % 32) == at(&real.padded[i][j % 32]);
  }
  CHECK(equal);
  CHECK_FALSE(control);  // an array without the padding lies elsewhere
}
