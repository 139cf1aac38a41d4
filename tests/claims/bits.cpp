// SPDX-License-Identifier: BSL-1.0
// Layouts over bits. Triton's are those that its own tests expect, unittest/Dialect/TritonGPU/
// LinearLayoutConversionsTest.cpp at commit 00dbc5c: an element (row, column) there is an offset here.
#include <coalesce/claims.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/cuda/fragments.hpp>
#include <coalesce/layout.hpp>
#include <coalesce/total.hpp>

#include "machinery/check.hpp"
#include "truth/oracle/random_access.hpp"

#include <bitset>
#include <random>
#include <type_traits>
#include <vector>

namespace co = coalescing;
using co::cuda::cc90;

namespace {

template <auto Value>
struct carried {};
[[maybe_unused]] carried<co::bit_layout{co::bits{4, 8}, co::bits{16}}> structural;
static_assert(co::pattern<co::bit_layout<1>> && !co::pattern<co::bit_layout<2>>);
static_assert(std::is_invocable_v<co::bit_layout<2>, int, unsigned char>);
static_assert(!std::is_invocable_v<co::bit_layout<2>, int> && !std::is_invocable_v<co::bit_layout<1>, double>);

constexpr co::bit_layout linear{co::bits{4, 8, 16, 32, 64}, co::bits{128, 256}};
constexpr co::tile halves{.rows = 32, .columns = 16, .element_bytes = 2};
constexpr co::swizzle folds{.bits = 2, .base = 2, .shift = 4};

// ---- The oracle: an address as a set of bits; a layout that is swizzled, tried with every swizzle of 16 bits ----

using address_bits = std::bitset<64>;
address_bits by_bits(std::vector<std::vector<std::uint64_t>> const& bases, std::vector<unsigned> const& at) {
  address_bits sum;
  for (std::size_t argument = 0; argument != bases.size(); ++argument) {
    address_bits const set(at[argument]);
    for (std::size_t bit = 0; bit != bases[argument].size(); ++bit)
      if (set.test(bit)) sum ^= address_bits(bases[argument][bit]);
  }
  return sum;
}
struct by_hand {
  unsigned bits, to, from;
  std::uint64_t operator()(std::uint64_t address) const {
    address_bits all(address);
    for (unsigned k = 0; k != bits; ++k)
      if (address_bits(address).test(from + k)) all.flip(to + k);
    return all.to_ullong();
  }
};
/// Whether the swizzle over strides gives the address of every element. Its own elements at the single bits are the
/// only strides that can.
bool is_swizzled(co::bit_layout<2> const& of, by_hand const& swizzle) {
  std::uint64_t stride[2] = {};
  for (unsigned argument = 0; argument != 2; ++argument)
    stride[argument] = of.bits_of[argument] == 0 ? 0 : swizzle(of.basis[argument][0]);
  for (unsigned i = 0; i != 1u << of.bits_of[0]; ++i)
    for (unsigned j = 0; j != 1u << of.bits_of[1]; ++j)
      if (swizzle(i * stride[0] + j * stride[1]) != of(i, j)) return false;
  return true;
}
/// The fewest bits of a swizzle whose bits lie below bit 16; 99: no swizzle serves.
unsigned fewest_bits(co::bit_layout<2> const& of) {
  if (is_swizzled(of, {0, 0, 0})) return 0;
  for (unsigned bits = 1; bits <= 8; ++bits)
    for (unsigned to = 0; to + bits <= 16; ++to)
      for (unsigned from = 0; from + bits <= 16; ++from)
        if ((from >= to + bits || to >= from + bits) && is_swizzled(of, {bits, to, from})) return bits;
  return 99;
}

}  // namespace

TEST_CASE("bit_layout: the exclusive or of the bases of the bits that are set") {
  COALESCE_CHECK(linear(5, 3) == 4 + 16 + 128 + 256);
  COALESCE_CHECK(linear(31, 3) == 124 + 384);
  constexpr co::bit_layout shared_bits{co::bits{16, 48}, co::bits{32}};
  COALESCE_CHECK(shared_bits(3, 0) == (16 ^ 48));
  COALESCE_CHECK(shared_bits(2, 1) == 16);
  COALESCE_CHECK(co::bit_layout{co::bits{}, co::bits{8}}(0, 1) == 8);  // an argument of one value
  COALESCE_CHECK(co::bit_layout{co::bits{1ull << 63}}(1) == 1ull << 63);
  COALESCE_CHECK(linear == co::bit_layout{co::bits{4, 8, 16, 32, 64}, co::bits{128, 256}});
  COALESCE_CHECK(linear != co::bit_layout{co::bits{4, 8, 16, 32, 64}, co::bits{128, 512}});
}
TEST_CASE("bit_layout: an argument with a bit beyond its bases is refused") {
  auto const refused = doctest::Contains("a bit for which the layout has no basis");
  CHECK_THROWS_WITH_AS(static_cast<void>(linear(32, 0)), refused, co::misuse);
  CHECK_THROWS_WITH_AS(static_cast<void>(linear(0, 4)), refused, co::misuse);
  CHECK_THROWS_WITH_AS(static_cast<void>(linear(-1, 0)), refused, co::misuse);
  CHECK_THROWS_WITH_AS(static_cast<void>(co::cost<cc90::load<32>>(co::bit_layout{co::bits{4, 8, 16, 32}})), refused,
                       co::misuse);
  CHECK_NOTHROW(static_cast<void>(co::cost<cc90::load<32>>(co::bit_layout{co::bits{4, 8, 16, 32}}, 0xffff)));
}
TEST_CASE("bit_layout: a pattern, also of a lane and a domain, and a layout to swizzle") {
  COALESCE_CHECK(co::cost<cc90::shared_load<32>>(co::bit_layout{co::bits{4, 8, 16, 32, 64}}).conflicts == 0);
  COALESCE_CHECK(co::cost<cc90::shared_load<32>>(co::bit_layout{co::bits{128, 256, 512, 1024, 2048}}).ways == 32);
  COALESCE_CHECK(co::total<cc90::shared_load<32>>(linear, co::domain{4}).conflicts == 0);
  COALESCE_CHECK(co::swizzle{.bits = 1, .base = 2, .shift = 5}.over(linear)(0, 1) == (128 ^ 4));
}
TEST_CASE("bits_of: the bases of a function are its values at the single bits") {
  constexpr auto found =
      co::bits_of([](unsigned lane, unsigned warp) { return 4 * lane + 128 * warp; }, co::domain{32, 4});
  COALESCE_CHECK(found == linear);
  constexpr auto swizzled = co::bits_of(folds.over(halves), co::domain{32, 16});
  COALESCE_CHECK(swizzled.bits_of[0] == 5);
  COALESCE_CHECK(swizzled.bits_of[1] == 4);
  COALESCE_CHECK(swizzled.basis[0][0] == 32);        // row 1: bit 5, which nothing folds
  COALESCE_CHECK(swizzled.basis[0][1] == (64 ^ 4));  // row 2: bit 6 is 4 above bit 2
  COALESCE_CHECK(swizzled.basis[0][2] == (128 ^ 8));
  COALESCE_CHECK(swizzled.basis[0][3] == 256);
  COALESCE_CHECK(swizzled.basis[1][0] == 2);
  COALESCE_CHECK(co::bits_of([](unsigned) { return 0; }, co::domain{1}) == co::bit_layout{co::bits{}});
  constexpr int table[4] = {0, 8, 4, 12};
  COALESCE_CHECK(co::bits_of(table, co::domain{4}) == co::bit_layout{co::bits{8, 4}});
}
TEST_CASE("bits_of: what is not linear over bits is refused, and an extent that is no power of two") {
  auto const refused = doctest::Contains("not linear over bits");
  auto const base = [](unsigned k) { return 4 * k + 64; };
  auto const padded = [](unsigned row, unsigned column) { return 132 * row + 4 * column; };
  auto const late = [](unsigned k) { return k == 63 ? 0 : 4 * k; };  // wrong at the last point alone
  CHECK_THROWS_WITH_AS(static_cast<void>(co::bits_of(base, co::domain{32})), refused, co::misuse);
  CHECK_THROWS_WITH_AS(static_cast<void>(co::bits_of(padded, co::domain{32, 32})), refused, co::misuse);
  CHECK_THROWS_WITH_AS(static_cast<void>(co::bits_of(late, co::domain{64})), refused, co::misuse);
  CHECK_NOTHROW(static_cast<void>(co::bits_of(late, co::domain{32})));
  auto const power = doctest::Contains("is a power of two");
  CHECK_THROWS_WITH_AS(static_cast<void>(co::bits_of(late, co::domain{48})), power, co::misuse);
  CHECK_THROWS_WITH_AS(static_cast<void>(co::bits_of(late, co::domain{0})), power, co::misuse);
}
TEST_CASE("as_swizzle: a swizzle over a layout comes back") {
  constexpr auto back = co::as_swizzle(co::bits_of(folds.over(halves), co::domain{32, 16}));
  COALESCE_CHECK(back.found);
  COALESCE_CHECK(back.swizzle == folds);
  COALESCE_CHECK(back.layout == co::layout<2>{.shape = {32, 16}, .stride = {32, 2}});
  constexpr auto alone = co::as_swizzle(linear);
  COALESCE_CHECK(alone.found);
  COALESCE_CHECK(alone.swizzle == co::swizzle{});
  COALESCE_CHECK(alone.layout == co::layout<2>{.shape = {32, 4}, .stride = {4, 128}});
  // Upwards: bits 0 and 1 flip bits 3 and 4.
  constexpr auto up = co::as_swizzle(co::bit_layout{co::bits{9, 18, 4}, co::bits{8, 16}});
  COALESCE_CHECK(up.found);
  COALESCE_CHECK(up.swizzle == co::swizzle{.bits = 2, .base = 0, .shift = -3});
  COALESCE_CHECK(up.layout == co::layout<2>{.shape = {8, 4}, .stride = {1, 8}});
  // A stride of two bits, of which the later bases keep one.
  constexpr auto wide = co::as_swizzle(co::bit_layout{co::bits{17, 34, 4, 8}});
  COALESCE_CHECK(wide.found);
  COALESCE_CHECK(wide.swizzle == co::swizzle{.bits = 2, .base = 0, .shift = -4});
  COALESCE_CHECK(wide.layout.stride[0] == 1);
}
TEST_CASE("as_swizzle: what is no swizzle over a layout is not found") {
  COALESCE_CHECK(!co::as_swizzle(co::bit_layout{co::bits{4, 4 ^ 8 ^ 16}}).found);      // three bits
  COALESCE_CHECK(!co::as_swizzle(co::bit_layout{co::bits{4, 8}, co::bits{4}}).found);  // two arguments flip one bit
  COALESCE_CHECK(!co::as_swizzle(co::bit_layout{co::bits{4, 16}}).found);              // no stride
  COALESCE_CHECK(
      !co::as_swizzle(co::bit_layout{co::bits{16, 32}, co::bits{64 ^ 16, 128 ^ 32, 256 ^ 16}}).found);  // two folds
}
TEST_CASE("Triton, MMAv2_32x32: the accumulator of mma.m16n8k16, row by row of 64 elements") {
  // Expected by Triton: lane (0, 2) (0, 4) (1, 0) (2, 0) (4, 0), register (0, 1) (8, 0).
  constexpr co::bit_layout triton{co::bits{2, 4, 64, 128, 256}, co::bits{1, 512}};
  constexpr auto ours = [](unsigned lane, unsigned value) {
    auto const at = co::cuda::mma<16, 8, 16, 16>::c::of(lane, value);
    return 64 * at.row + at.column;
  };
  COALESCE_CHECK(co::same(triton, ours, co::domain{32, 4}).same);
  COALESCE_CHECK(co::bits_of(ours, co::domain{32, 4}) == triton);
}
TEST_CASE("Triton, MMAv3_64x16: the accumulator of wgmma.m64n16, row by row of 64 elements") {
  // Expected by Triton: register (0, 1) (8, 0) (0, 8), lane (0, 2) (0, 4) (1, 0) (2, 0) (4, 0), warp (16, 0) (32, 0).
  constexpr co::bit_layout triton{co::bits{2, 4, 64, 128, 256, 1024, 2048}, co::bits{1, 512, 8}};
  constexpr auto ours = [](unsigned lane, unsigned value) {
    auto const at = co::cuda::wgmma<16, 16>::c::of(lane, value);
    return 64 * at.row + at.column;
  };
  CHECK(co::same(triton, ours, co::domain{128, 8}).same);
}
TEST_CASE("Triton, SharedSwizzled2D_PerPhaseMaxPhaseVec: 32 x 32, vectors of 2, 2 rows of a phase, 4 phases") {
  // Expected by Triton: offset (0, 1) (0, 2) (0, 4) (0, 8) (0, 16) (1, 0) (2, 2) (4, 4) (8, 0) (16, 0), in elements.
  constexpr co::bit_layout triton{co::bits{1, 2, 4, 8, 16, 32, 64 ^ 2, 128 ^ 4, 256, 512}};
  constexpr auto found = co::as_swizzle(triton);
  COALESCE_CHECK(found.found);
  COALESCE_CHECK(found.swizzle == co::swizzle{.bits = 2, .base = 1, .shift = 5});
  COALESCE_CHECK(found.layout == co::layout<1>{.shape = {1024}, .stride = {1}});
}
TEST_CASE("bit layouts: an oracle in sets of bits; bits_of gives the bases back") {
  std::mt19937_64 engine(21);
  for (unsigned k = 0; k != coalescing_tests::share(2000); ++k) {
    std::vector<std::vector<std::uint64_t>> bases(2);
    co::bit_layout<2> of;
    for (unsigned argument = 0; argument != 2; ++argument) {
      of.bits_of[argument] = static_cast<unsigned>(engine() % 6);
      for (unsigned bit = 0; bit != of.bits_of[argument]; ++bit)
        bases[argument].push_back(of.basis[argument][bit] = engine() >> engine() % 64);
    }
    bool equal = true;
    for (unsigned i = 0; i != 1u << of.bits_of[0]; ++i)
      for (unsigned j = 0; j != 1u << of.bits_of[1]; ++j)
        equal = equal && of(i, j) == by_bits(bases, {i, j}).to_ullong();
    CHECK(equal);
    CHECK(co::bits_of(of, co::domain{1u << of.bits_of[0], 1u << of.bits_of[1]}) == of);
  }
}
TEST_CASE(
    "as_swizzle: every swizzle below bit 16 tried, on random bases and on swizzled layouts, some with a bit flipped") {
  std::mt19937_64 engine(22);
  unsigned found = 0, of_none = 0;
  bool equal = true;
  for (unsigned k = 0; k != coalescing_tests::share(3000); ++k) {
    co::bit_layout<2> of;
    of.bits_of[0] = static_cast<unsigned>(1 + engine() % 3), of.bits_of[1] = static_cast<unsigned>(engine() % 4);
    unsigned const bits = static_cast<unsigned>(engine() % 4), distance = bits + static_cast<unsigned>(engine() % 4),
                   low = static_cast<unsigned>(engine() % 4), first = static_cast<unsigned>(engine() % 3);
    bool const up = engine() % 2 == 0;
    by_hand const swizzle{bits, up ? low + distance : low, up ? low : low + distance};
    for (unsigned argument = 0; argument != 2; ++argument) {
      std::uint64_t stride = std::uint64_t{1} << (argument == 0 ? first : first + of.bits_of[0] + engine() % 2);
      if (engine() % 8 == 0) stride += stride << 4;
      for (unsigned bit = 0; bit != of.bits_of[argument]; ++bit) {
        of.basis[argument][bit] = k % 4 == 0 ? engine() % 256 : swizzle(stride << bit);
        if (engine() % 16 == 0) of.basis[argument][bit] ^= std::uint64_t{1} << engine() % 10;
      }
    }
    auto const ours = co::as_swizzle(of);
    unsigned const fewest = fewest_bits(of);
    if (fewest != 99) equal = equal && ours.found && ours.swizzle.bits == fewest;
    if (!ours.found) {
      ++of_none;
    } else {
      ++found;
      for (unsigned i = 0; i != 1u << of.bits_of[0]; ++i)
        for (unsigned j = 0; j != 1u << of.bits_of[1]; ++j)
          equal = equal && ours.swizzle(ours.layout(i, j)) == of(i, j);
    }
  }
  CHECK(equal);
  CHECK(found > coalescing_tests::share(800));
  CHECK(of_none > coalescing_tests::share(800));
  // A control: the oracle sees a swizzle, and that one bit more is none.
  CHECK(fewest_bits(co::bit_layout{co::bits{1, 2}, co::bits{16 ^ 1, 32 ^ 2}}) == 2);
  CHECK(fewest_bits(co::bit_layout{co::bits{1, 2}, co::bits{16 ^ 1, 32 ^ 2 ^ 8}}) == 99);
}
