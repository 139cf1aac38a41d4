// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/total.hpp>

#include "oracle/launches.hpp"
#include "unit/check.hpp"

namespace co = coalescing;
namespace gcn = co::gcn;
using co::cdna::gfx942, co::cdna::gfx950, co::cuda::cc89, co::cuda::cc90;
using coalescing_tests::layout_launch;

namespace {

template <class Instruction, unsigned Rank>
auto closed_form(layout_launch const& launch) {
  co::layout<Rank> of{.base = launch.base};
  for (unsigned mode = 0; mode != Rank; ++mode)
    of.shape[mode] = launch.shape[mode], of.stride[mode] = launch.stride[mode];
  co::block const block{launch.block[0], launch.block[1], launch.block[2]};
  co::swizzle const swizzle{launch.bits, launch.from, launch.shift};
  if constexpr (Rank <= 3)
    if (launch.block[0] != 0)
      return launch.bits != 0 ? co::total<Instruction>(swizzle.over(of), block) : co::total<Instruction>(of, block);
  return launch.bits != 0 ? co::total<Instruction>(swizzle.over(of)) : co::total<Instruction>(of);
}
template <class Instruction>
auto closed_form(layout_launch const& launch) {
  switch (launch.shape.size()) {
    case 1:
      return closed_form<Instruction, 1>(launch);
    case 2:
      return closed_form<Instruction, 2>(launch);
    case 3:
      return closed_form<Instruction, 3>(launch);
    default:
      return closed_form<Instruction, 4>(launch);
  }
}
template <class Instruction>
auto enumerated(layout_launch const& launch) {
  typename Instruction::cost_type sum{};
  coalescing_tests::enumerate<Instruction>(launch, [&](auto const& cost) { sum += cost; });
  return sum;
}

template <class Instruction>
constexpr std::uint64_t room = [] {
  if constexpr (requires { Instruction::capacity; })
    return std::uint64_t{Instruction::capacity};
  else
    return std::uint64_t{0};
}();

}  // namespace

TEST_CASE_TEMPLATE("a total in closed form is the sum over all warps: random launches, every number", Instruction,
                   co::cuda::cc10::load<32>, co::cuda::cc13::load<64>, co::cuda::cc20::load<8>, cc89::load<128>,
                   cc90::store<32>, cc90::shared_load<32>, cc90::shared_store<128>, gcn::buffer_load<32>,
                   gcn::buffer_store<32, 4>, gcn::s_load<4>, gfx942::global_store<128>, gfx942::ds_read<64>,
                   gfx950::ds_write<32>) {
  coalescing_tests::random_launches random(Instruction::alignment, room<Instruction>, 3);
  unsigned asked = 0, wrong = 0, others = 0, different = 0;
  for (unsigned k = 0; asked != coalescing_tests::share(1000); ++k) {
    unsigned const rank = 1 + k % 4;
    auto const launch = random.next(rank, rank != 4 && k / 4 % 2 == 0, k / 8 % 3 == 0);
    if (!random.fits(launch)) continue;
    ++asked;
    auto const sum = enumerated<Instruction>(launch);
    wrong += closed_form<Instruction>(launch) != sum;
    // The control: a launch of one row less is another.
    auto shorter = launch;
    if (shorter.shape.back()-- > 1) ++others, different += enumerated<Instruction>(shorter) != sum;
  }
  CHECK(wrong == 0);
  CHECK(different > others / 2);
}

TEST_CASE("seed 004: 32 sectors a request instead of 16, for the whole of 4096 x 4096 floats") {
  constexpr auto coalesced = co::total<cc89::load<128>>(co::layout<1>{.shape = {4096 * 1024}, .stride = {16}});
  constexpr auto strided = co::total<cc89::load<128>>(co::layout<2>{.shape = {1024, 4096}, .stride = {65536, 16}});
  COALESCE_CHECK(coalesced.requests == 131072);
  COALESCE_CHECK(coalesced.transactions == 16 * 131072);
  COALESCE_CHECK(strided.requests == 131072);
  COALESCE_CHECK(strided.transactions == 32 * 131072);
  COALESCE_CHECK(strided.bytes_used == 4096ull * 4096 * 4);
}
TEST_CASE("a launch of 2^40 threads takes the steps of one of 2^24: the suite is compiled with a limit of 50,000") {
  COALESCE_CHECK(
      co::total<cc89::load<32>>(co::layout<2>{.shape = {1 << 20, 1 << 20}, .stride = {4 << 20, 4}}).transactions ==
      1ull << 40);
  COALESCE_CHECK(
      co::total<cc89::load<32>>(co::layout<2>{.shape = {1 << 20, 1 << 20}, .stride = {4, 4 << 20}}).transactions ==
      1ull << 37);
}
TEST_CASE("rows of an odd number of floats: warps straddle rows, and few begin at a sector") {
  // 1,025 floats a row, rows 1,025 floats apart: as if there were no rows.
  constexpr co::layout<2> dense{.shape = {1025, 64}, .stride = {4, 4100}};
  COALESCE_CHECK(co::total<cc90::load<32>>(dense) ==
                 co::total<cc90::load<32>>(co::layout<1>{.shape = {1025 * 64}, .stride = {4}}));
  COALESCE_CHECK(co::total<cc90::load<32>>(dense).transactions == 1025 * 64 / 8);
  // By blocks of 32 x 8, each row begins another warp.
  COALESCE_CHECK(co::total<cc90::load<32>>(dense, co::block{32, 8}).requests == 33 * 64);
}
TEST_CASE("layouts without elements cost nothing; extents of 1 change nothing") {
  COALESCE_CHECK(co::total<cc90::load<32>>(co::layout<2>{.shape = {32, 0}, .stride = {4, 4}}).requests == 0);
  COALESCE_CHECK(co::total<cc90::load<32>>(co::layout<2>{.shape = {0, 32}}, co::block{32, 8}).requests == 0);
  COALESCE_CHECK(co::total<cc90::load<32>>(co::layout<3>{.shape = {1, 32, 1}, .stride = {12345, 4, 7}}).transactions ==
                 4);
  COALESCE_CHECK(co::total<cc90::load<32>>(co::layout<1>{.base = 8, .shape = {1}, .stride = {3}}).transactions == 1);
}
TEST_CASE("a tile is a layout with its columns first; a swizzle over it is seen through") {
  constexpr co::tile tile{.rows = 64, .columns = 32, .element_bytes = 4, .pitch = 128};
  COALESCE_CHECK(co::total<cc90::shared_load<32>>(tile) == co::total<cc90::shared_load<32>>(tile.as_layout()));
  // 64 rows of eight 16-byte units, a column at a time: 8-way, and free with CuTe's Swizzle<3, 4, 3>.
  constexpr co::layout<2> columns{.shape = {64, 8}, .stride = {128, 16}};
  COALESCE_CHECK(co::total<cc90::shared_load<128>>(columns).ways == 8);
  COALESCE_CHECK(co::total<cc90::shared_load<128>>(co::swizzle{3, 4, 3}.over(columns)).ways == 1);
  COALESCE_CHECK(co::total<cc90::shared_load<128>>(co::swizzle{3, 4, 3}.over(columns), co::block{64}).conflicts == 0);
}
TEST_CASE("what the closed form does not cover is refused by name") {
  auto const total = [](auto const& layout) { return co::total<gfx942::ds_read<128>>(layout); };
  auto const global = [](auto const& layout) { return co::total<cc90::load<32>>(layout); };
  CHECK_NOTHROW(static_cast<void>(total(co::layout<1>{.shape = {4096}, .stride = {16}})));
  CHECK_THROWS_AS(static_cast<void>(total(co::layout<1>{.shape = {4097}, .stride = {16}})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(total(co::layout<1>{.shape = {4}, .stride = {-16}})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(global(co::layout<1>{.base = ~3ull, .shape = {2}, .stride = {4}})), co::misuse);
  CHECK_NOTHROW(static_cast<void>(global(co::layout<1>{.base = ~3ull, .shape = {1}, .stride = {4}})));
  CHECK_THROWS_AS(static_cast<void>(global(co::layout<1>{.shape = {3}, .stride = {INT64_MAX - 3}})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(global(co::layout<2>{.shape = {1ll << 30, 1ll << 21}, .stride = {0, 0}})),
                  co::misuse);
  COALESCE_CHECK(co::total<cc90::load<32>>(co::layout<2>{.shape = {1 << 30, 1 << 20}}).requests == 1ull << 45);
  CHECK_THROWS_WITH_AS(static_cast<void>(global(co::layout<1>{.shape = {-1}, .stride = {4}})),
                       "coalesce: an extent of the layout is negative", co::misuse);
  constexpr auto widest = co::swizzle{2, 6, 4}.over(co::tile{.rows = 8, .columns = 8, .element_bytes = 4});
  COALESCE_CHECK(co::total<cc90::load<32>>(widest).transactions == 8);  // 1,024 words
  CHECK_THROWS_AS(
      static_cast<void>(global(co::swizzle{2, 7, 4}.over(co::tile{.rows = 8, .columns = 8, .element_bytes = 4}))),
      co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::total<cc90::load<32>>(co::layout<1>{.shape = {64}}, co::block{2048})),
                  co::misuse);
}
TEST_CASE("addresses reach 2^63 - 1 bytes from the base, and no mode or sum of modes further") {
  auto const bytes = [](auto const& layout) { return co::total<cc90::load<8>>(layout).bytes_used; };
  CHECK(bytes(co::layout<1>{.shape = {2}, .stride = {INT64_MAX}}) == 2);
  CHECK(bytes(co::layout<1>{.base = 1ull << 63, .shape = {2}, .stride = {-INT64_MAX}}) == 2);
  CHECK_THROWS_AS(static_cast<void>(bytes(co::layout<1>{.base = 1ull << 63, .shape = {2}, .stride = {INT64_MIN}})),
                  co::misuse);
  CHECK_THROWS_AS(static_cast<void>(bytes(co::layout<1>{.shape = {3}, .stride = {1ll << 62}})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(bytes(co::layout<2>{.shape = {2, 2}, .stride = {1ll << 62, 1ll << 62}})),
                  co::misuse);
  CHECK_THROWS_AS(static_cast<void>(bytes(
                      co::layout<2>{.base = 1ull << 63, .shape = {2, 2}, .stride = {-(1ll << 62), -(1ll << 62)}})),
                  co::misuse);
  // From byte 0 to byte 2^64 - 1, and no further.
  CHECK(bytes(co::layout<1>{.base = 31, .shape = {32}, .stride = {-1}}) == 32);
  CHECK(bytes(co::layout<1>{.base = ~31ull, .shape = {32}, .stride = {1}}) == 32);
  CHECK(bytes(co::layout<1>{.base = ~0ull, .shape = {1}, .stride = {1}}) == 1);
  CHECK_THROWS_AS(static_cast<void>(bytes(co::layout<1>{.base = 30, .shape = {32}, .stride = {-1}})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(bytes(co::layout<1>{.base = ~30ull, .shape = {32}, .stride = {1}})), co::misuse);
  // 2^63 - 1 and 2^63 + 1 make 2^64: the second is refused before they are added.
  CHECK_THROWS_AS(static_cast<void>(bytes(co::layout<2>{
                      .shape = {8, 4}, .stride = {INT64_MAX / 7, static_cast<std::int64_t>(((1ull << 63) + 1) / 3)}})),
                  co::misuse);
}
TEST_CASE("a swizzle keeps addresses within aligned pieces: those must lie within the memory, of 228 KB here") {
  constexpr std::uint64_t last = 57 * 4096 - 4096;
  constexpr co::layout<1> row{.base = last, .shape = {8}, .stride = {16}};
  using load = cc90::shared_load<128>;
  COALESCE_CHECK(co::total<load>(co::swizzle{2, 6, 4}.over(row)).rounds == co::total<load>(row).rounds);  // of 4 KB
  CHECK_THROWS_WITH_AS(static_cast<void>(co::total<load>(co::swizzle{3, 6, 4}.over(row))),                // of 8 KB
                       doctest::Contains("runs past the end"), co::misuse);
}
TEST_CASE("rows of 32 floats that are 36 bytes apart overlap, and each but the first begins within a sector") {
  COALESCE_CHECK(co::total<cc90::load<32>>(co::layout<2>{.shape = {32, 8}, .stride = {4, 36}}).transactions ==
                 4 + 7 * 5);
}
TEST_CASE("a swizzle of bits beyond the 64th is refused by name, and not shifted by (found by fuzzing)") {
  constexpr co::layout<1> row{.shape = {64}, .stride = {4}};
  CHECK_THROWS_WITH_AS(static_cast<void>(co::total<cc90::load<32>>(co::swizzle{1, 33, 30}.over(row))),
                       doctest::Contains("bits that are too far apart"), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::total<cc90::load<32>>(co::swizzle{1, 33, 30}.over(row), co::block{32})),
                  co::misuse);
}
TEST_CASE("the order of the extents does not decide whether a layout without elements is refused (found by fuzzing)") {
  auto const requests = [](auto const& layout) { return co::total<cc90::load<32>>(layout).requests; };
  CHECK(requests(co::layout<3>{.shape = {1ll << 40, 1ll << 40, 0}}) == 0);
  CHECK(requests(co::layout<3>{.shape = {0, 1ll << 40, 1ll << 40}}) == 0);
  CHECK_THROWS_AS(static_cast<void>(requests(co::layout<2>{.shape = {0, -1}})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(requests(co::layout<2>{.shape = {-1, 0}})), co::misuse);
}
TEST_CASE("a misaligned element is refused wherever it is, and its lane is named") {
  auto const blame = [](auto const& layout) {
    try {
      static_cast<void>(co::total<cc90::load<32>>(layout));
    } catch (co::misuse const& refused) {
      return static_cast<int>(refused.lane());
    }
    return -1;
  };
  CHECK(blame(co::layout<2>{.shape = {64, 64}, .stride = {4, 256}}) == -1);
  CHECK(blame(co::layout<1>{.base = 2, .shape = {64}, .stride = {4}}) == 0);
  CHECK(blame(co::layout<1>{.shape = {64}, .stride = {2}}) == 1);
  CHECK(blame(co::layout<2>{.shape = {64, 64}, .stride = {4, 258}}) == 0);
  CHECK(blame(co::layout<2>{.shape = {33, 33}, .stride = {4, 258}}) >= 0);
  CHECK(blame(co::layout<2>{.shape = {32, 2}, .stride = {4, 129}}) == 0);
  CHECK(blame(co::layout<2>{.shape = {32, 1}, .stride = {4, 129}}) == -1);
  // Warps that begin in one word, one of them aligned: in either order.
  CHECK(blame(co::layout<2>{.base = 130, .shape = {32, 2}, .stride = {4, -2}}) == 0);
  CHECK(blame(co::layout<2>{.base = 128, .shape = {32, 2}, .stride = {4, 1}}) == 0);
  CHECK(blame(co::layout<2>{.base = 128, .shape = {32, 2}, .stride = {4, 2}}) == 0);
}
TEST_CASE("by blocks, an active lane is named: the second warp has threads (2, 6, 0) to (4, 6, 0) first, beyond x") {
  try {
    static_cast<void>(
        co::total<cc90::load<32>>(co::layout<3>{.shape = {2, 7, 2}, .stride = {4, 8, 58}}, co::block{5, 7, 2}));
    FAIL("nothing was refused");
  } catch (co::misuse const& refused) {
    CHECK(refused.lane() == 3);
    CHECK(refused.address() == 58);
  }
}
TEST_CASE("rows of an odd number of words, no multiple of the row apart: every picture and residue, in 50,000 steps") {
  COALESCE_CHECK(co::total<cc89::load<32>>(co::layout<2>{.shape = {4099, 4096}, .stride = {4, 16400}}).bytes_used ==
                 4ull * 4099 * 4096);
}
