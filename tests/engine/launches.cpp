// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/rdna.hpp>
#include <coalesce/total.hpp>

#include "machinery/check.hpp"
#include "truth/oracle/launches.hpp"
#include "truth/oracle/refused.hpp"

#include <bit>
#include <optional>
#include <random>

namespace co = coalescing;
namespace gcn = co::gcn;
using co::cdna::gfx942, co::cdna::gfx950, co::cuda::cc89, co::cuda::cc90;
using coalescing_tests::layout_launch;
#ifdef __cpp_exceptions
using coalescing_tests::unless_refused;
#endif

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
                   gcn::buffer_store<32, 4>, gfx942::global_store<128>, gfx942::ds_read<64>, gfx950::ds_write<32>) {
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

#ifdef __cpp_exceptions
namespace {

/// Mostly a launch that such waves can issue: of whole warps; or of rows along which no address changes. Strides go up,
/// so that rows may become longer.
template <class Instruction>
void make_it_fit(layout_launch& launch, std::mt19937_64& random) {
  constexpr bool scalar = Instruction::lanes == 1;
  for (auto& stride : launch.stride) stride = stride < 0 ? -stride : stride;
  if (random() % 6 == 0) return;
  launch.shape[0] = 64 * static_cast<std::int64_t>(1 + random() % 3);
  if (scalar) launch.stride[0] = 0;
  if (launch.block[0] == 0) return;
  std::array<std::int64_t, 3> const blocks[] = {{32, 4, 1},  {64, 2, 2},  {64, 1, 1},
                                                {192, 1, 1}, {128, 3, 1}, {16, 4, 1}};
  launch.block = blocks[random() % 6];
  if (!scalar && random() % 4 != 0)
    for (std::size_t mode = 0; mode != launch.shape.size(); ++mode) {
      auto const count = launch.block[mode];
      launch.shape[mode] = (launch.shape[mode] + count - 1) / count * count;
    }
}

}  // namespace

TEST_CASE_TEMPLATE("of waves that are asked once, or by a few lanes: random launches, every number, every refusal",
                   Instruction, gcn::s_load<4>, co::rdna::gfx1100::s_load<2>, co::rdna::gfx1100::wave64::s_load<2>,
                   cc90::ldmatrix<1>, cc90::ldmatrix<2>, cc90::ldmatrix<4>, cc90::stmatrix<1>) {
  std::mt19937_64 random(11);
  coalescing_tests::random_launches launches(
      Instruction::alignment, room<Instruction>, [&] { return random(); }, 3000);
  auto const sum_of = [](layout_launch const& launch, coalescing_tests::wave_form const& wave) {
    return unless_refused([&] {
      typename Instruction::cost_type sum{};
      coalescing_tests::enumerate<Instruction>(
          launch, [&](auto const& cost) { sum += cost; }, wave);
      return sum;
    });
  };
  unsigned answered = 0, refused = 0, wrong = 0, same = 0;
  for (unsigned k = 0; answered + refused != coalescing_tests::share(250); ++k) {
    unsigned const rank = 1 + k % 3;
    auto launch = launches.next(rank, k / 3 % 2 == 0, k / 6 % 3 == 0);
    make_it_fit<Instruction>(launch, random);
    if (!launches.fits(launch)) continue;
    auto const expected = sum_of(launch, coalescing_tests::wave_by_hand<Instruction>);
    wrong += unless_refused([&] { return closed_form<Instruction>(launch); }) != expected;
    (expected ? answered : refused) += 1;
    // The control: threads that are cut by the instruction's lanes.
    same += expected && expected == sum_of(launch, {Instruction::lanes, coalescing_tests::asks::each});
  }
  CHECK(wrong == 0);
  CHECK(answered > refused);
  CHECK(refused > answered / 10);
  if (Instruction::lanes != 32) CHECK(same < answered / 4);
}
#endif

namespace {

/// The same launch, its highest element so many words from the last that the memory has room for; none without elements
/// or where that begins below byte 0. A swizzle, if any, of whatever the closed form covers.
template <class Instruction>
bool place_at_the_end(layout_launch& launch, std::uint64_t words, std::mt19937_64& random) {
  std::uint64_t const word = Instruction::alignment, end = room<Instruction>, below_base = [&] {
    std::uint64_t below = 0;
    for (std::size_t mode = 0; mode != launch.shape.size(); ++mode)
      if (launch.stride[mode] < 0) below += static_cast<std::uint64_t>(-launch.stride[mode] * (launch.shape[mode] - 1));
    return below;
  }();
  launch.base = (end - Instruction::bytes) / word * word - words * word;
  for (std::size_t mode = 0; mode != launch.shape.size(); ++mode) {
    if (launch.shape[mode] == 0) return false;
    if (launch.stride[mode] > 0) {
      auto const reach = static_cast<std::uint64_t>(launch.stride[mode] * (launch.shape[mode] - 1));
      if (reach > launch.base) return false;
      launch.base -= reach;
    }
  }
  if (launch.bits != 0) {
    unsigned const distance = 1 + static_cast<unsigned>(random() % 7);
    launch.shift = static_cast<int>(distance) * (random() % 2 == 0 ? 1 : -1);
    launch.bits = 1 + static_cast<unsigned>(random() % (distance < 3 ? distance : 3));
    launch.from =
        static_cast<unsigned>(std::countr_zero(word) + static_cast<int>(random() % (11 - launch.bits - distance)));
  }
  return below_base <= launch.base;
}

}  // namespace

TEST_CASE_TEMPLATE("at the end of memory a total is refused where an element lies beyond, and nowhere else",
                   Instruction, co::cuda::cc86::shared_load<128>, cc90::shared_load<64>,
                   co::cuda::cc13::shared_load<32>, cc90::load<32>, cc90::store<128>, gcn::buffer_load<96>,
                   gcn::ds_read<32>, gfx942::global_load<128>, gfx942::ds_read<96>) {
  std::mt19937_64 random(10);
  coalescing_tests::random_launches launches(
      Instruction::alignment, 0, [&] { return random(); }, 1500);
  unsigned swizzled = 0, refused = 0, unswizzled = 0, wrong = 0;
  for (unsigned k = 0; swizzled + unswizzled != coalescing_tests::share(600); ++k) {
    unsigned const rank = 1 + k % 4;
    auto launch = launches.next(rank, rank != 4 && k / 4 % 2 == 0, k / 8 % 4 != 0);
    if (!place_at_the_end<Instruction>(launch, random() % (k / 2 % 2 == 0 ? 4 : 300), random)) continue;
    // Some begin a word or more too late; of 64-bit memory no more than the words of an access, since addresses that
    // wrap are another refusal.
    if (random() % 3 == 0)
      launch.base += Instruction::alignment *
                     (random() % (room<Instruction> != 0 ? 4 : Instruction::bytes / Instruction::alignment));
    auto const expected = unless_refused([&] { return enumerated<Instruction>(launch); });
    wrong += unless_refused([&] { return closed_form<Instruction>(launch); }) != expected;
    (launch.bits != 0 ? swizzled : unswizzled) += 1;
    refused += launch.bits != 0 && !expected;
  }
  CHECK(wrong == 0);
  CHECK(unswizzled > swizzled / 10);
  // A memory of whole pieces is one that no swizzle of words leaves.
  if (room<Instruction> % 16384 != 0 || Instruction::bytes > Instruction::alignment) CHECK(refused > swizzled / 40);
  CHECK(refused < swizzled - swizzled / 5);
}
TEST_CASE("of rows that are alike it is the highest that must lie in memory: 228 KB of CC 9.0, rows a KB apart") {
  auto const is_refused = [](std::uint64_t base, std::int64_t rows, std::int64_t pitch) {
    co::layout<2> const of{.base = base, .shape = {32, rows}, .stride = {4, pitch}};
    bool const in_order = !unless_refused([&] { return co::total<cc90::shared_load<32>>(of); }),
               by_blocks = !unless_refused([&] {
                 return co::total<cc90::shared_load<32>>(of, co::block{32, 4});
               });
    CHECK(in_order == by_blocks);
    return in_order;
  };
  CHECK(!is_refused(0, 228, 1024));
  CHECK(is_refused(0, 229, 1024));
  CHECK(!is_refused(227 * 1024, 228, -1024));
  CHECK(is_refused(228 * 1024, 229, -1024));
  CHECK(!is_refused(1024 - 128, 228, 1024));
  CHECK(is_refused(1024 - 124, 228, 1024));
}
TEST_CASE("all 100 KB of CC 8.6 swizzled by bits further up: the last piece is not whole, and nothing leaves it") {
  constexpr co::layout<2> rows{.shape = {8, 800}, .stride = {16, 128}};
  constexpr auto moved = co::swizzle{.bits = 3, .base = 4, .shift = 7}.over(rows);
  COALESCE_CHECK(co::total<co::cuda::cc86::shared_load<128>>(moved) ==
                 co::total<co::cuda::cc86::shared_load<128>>(rows));
  std::uint64_t highest = 0;
  for (unsigned k = 0; k != 6400; ++k) highest = moved(k) > highest ? moved(k) : highest;
  CHECK(highest == 102384);  // of 102,400
  // A row more is beyond, and so is the last row where bits move up; the address is told.
  auto const blame = [](auto const& layout) {
    try {
      static_cast<void>(co::total<co::cuda::cc86::shared_load<128>>(layout));
    } catch (co::misuse const& refusal) {
      return refusal.address();
    }
    return std::uint64_t{0};
  };
  CHECK(blame(co::layout<2>{.shape = {8, 801}, .stride = {16, 128}}) >= 102400);
  CHECK(blame(co::swizzle{.bits = 3, .base = 4, .shift = 7}.over(
            co::layout<2>{.shape = {8, 801}, .stride = {16, 128}})) >= 102400);
  CHECK(blame(co::swizzle{.bits = 3, .base = 4, .shift = -7}.over(rows)) >= 102400);
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
TEST_CASE("in the last 4 KB of 228 a swizzle of pieces of 8 KB is answered, unless an address leaves the memory") {
  constexpr std::uint64_t last = 57 * 4096 - 4096;
  constexpr co::layout<1> row{.base = last, .shape = {8}, .stride = {16}},
      far{.base = last, .shape = {8}, .stride = {64}};
  using load = cc90::shared_load<128>;
  COALESCE_CHECK(co::total<load>(co::swizzle{2, 6, 4}.over(row)).rounds == co::total<load>(row).rounds);
  COALESCE_CHECK(co::total<load>(co::swizzle{3, 6, 4}.over(row)).rounds == co::total<load>(row).rounds);
  COALESCE_CHECK(co::total<load>(co::swizzle{2, 6, -4}.over(far)).rounds == 4);  // up to 3 KB further, in two banks
  CHECK_THROWS_WITH_AS(static_cast<void>(co::total<load>(co::swizzle{3, 6, -4}.over(far))),  // 4 KB further, from k = 4
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
#ifdef __cpp_exceptions
TEST_CASE("addresses 2^63 bytes apart, which cost() takes, are refused for what they are: too far from the base") {
  using coalescing_tests::refusal;
  constexpr co::layout<1> far{.shape = {3}, .stride = {1ll << 62}};
  constexpr char const *too_far = "2^63 bytes or more from its base",
                       *wraps = "pass the top of the 64-bit address space";
  auto const is = [](char const* words, auto const& layout) {
    return refusal([&] { return co::total<cc90::load<32>>(layout); }).find(words) != std::string::npos &&
           refusal([&] { return co::total<cc90::load<32>>(layout, co::block{32}); }).find(words) != std::string::npos;
  };
  COALESCE_CHECK(co::cost<cc90::load<32>>(far, 0b111).transactions == 3);
  CHECK(is(too_far, far));
  CHECK(is(too_far, co::layout<1>{.base = 1ull << 63, .shape = {2}, .stride = {INT64_MIN}}));
  CHECK(is(too_far, co::layout<2>{.shape = {2, 2}, .stride = {1ll << 62, 1ll << 62}}));
  CHECK(is(wraps, co::layout<1>{.shape = {2}, .stride = {-4}}));
  CHECK(is(wraps, co::layout<1>{.base = 0ull - 4, .shape = {2}, .stride = {4}}));
}
TEST_CASE("a warp that the swizzle makes misaligned is refused, also where another warp of its residue is aligned") {
  using coalescing_tests::refusal;
  constexpr co::layout<2> rows{.base = 64, .shape = {32, 2}, .stride = {128, 4}};  // bit 6 flips bit 2: 64 becomes 68
  constexpr co::swizzle flip{1, 2, 4};
  CHECK(refusal([&] { return co::total<cc90::load<128>>(flip.over(rows)); }).find("lane 0, address 0x44") !=
        std::string::npos);
  constexpr co::layout<1> moved{.base = 68, .shape = {32}, .stride = {128}};  // 68 becomes 64
  CHECK(refusal([&] { return co::total<cc90::load<128>>(flip.over(moved)); }).empty());
}
TEST_CASE("offsets bring a layout back into LDS: every address of it, or the total is refused") {
  using coalescing_tests::refusal;
  using pair = gfx942::ds_read2<32, 64, 65>;  // its offsets are 256 and 260 bytes
  constexpr std::uint64_t before_0 = (1ull << 32) - 256;
  auto const is_refused = [](auto const& layout) {
    return refusal([&] { return co::total<pair>(layout); }).find("a total in closed form does not cover that") !=
           std::string::npos;
  };
  constexpr co::layout<1> first{.shape = {64}, .stride = {4}};
  constexpr co::layout<1> back{.base = before_0, .shape = {64}, .stride = {4}};
  COALESCE_CHECK(co::total<pair>(back) == co::total<pair>(first));
  CHECK(is_refused(co::layout<2>{.base = 1 << 20, .shape = {64, 2}, .stride = {4, before_0 - (1 << 20)}}));
  CHECK(is_refused(co::layout<2>{.base = before_0 - 4096, .shape = {64, 2}, .stride = {4, 4096}}));
  CHECK(is_refused(co::swizzle{3, 4, 3}.over(back)));
  // A layout that is only too large is refused with a lane and an address.
  constexpr co::layout<1> large{.shape =
                                    {
                                        64,
                                    },
                                .stride = {4096}};
  CHECK(refusal([&] { return co::total<pair>(large); }).find("lane 16, address 0x10000") != std::string::npos);
}
TEST_CASE("a swizzle that is no permutation is refused as such, also over a layout without elements") {
  using coalescing_tests::refusal;
  constexpr co::swizzle wrong[] = {{3, 4, 2}, {3, 4, -2}, {1, 63, 1}, {2, 62, -1}, {0, 64, 0}, {1, 33, 40}};
  constexpr co::layout<1> none{.shape = {0}, .stride = {4}}, some{.shape = {64}, .stride = {4}};
  auto const is_named = [](auto const& question) {
    return refusal(question).find("the swizzle's bits overlap") != std::string::npos;
  };
  for (co::swizzle const& swizzle : wrong)
    for (auto const& of : {none, some}) {
      CHECK(is_named([&] { return co::total<cc90::load<32>>(swizzle.over(of)); }));
      CHECK(is_named([&] { return co::total<cc90::load<32>>(swizzle.over(of), co::block{32}); }));
    }
  CHECK(co::total<cc90::load<32>>(co::swizzle{3, 4, 3}.over(none)).requests == 0);
  CHECK(co::total<cc90::load<32>>(co::swizzle{1, 33, 30}.over(none)).requests == 0);  // nothing to be too wide for
}
#endif
