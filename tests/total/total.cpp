// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>
#include <coalesce/claims.hpp>
#include <coalesce/compare.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/explain.hpp>
#include <coalesce/figure.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/rdna.hpp>
#include <coalesce/suggest.hpp>
#include <coalesce/total.hpp>

#include "machinery/check.hpp"
#include "truth/oracle/refused.hpp"

#include <array>
#include <random>
#include <string>
#include <vector>

namespace co = coalescing;
namespace gcn = co::gcn;
using co::cdna::gfx942, co::cuda::cc89, co::cuda::cc90;

namespace {

// Columns of rows of (step + 1) floats: (step + 1)-way, as far as it is a power of two.
constexpr auto columns = [](unsigned lane, unsigned warp, unsigned step) {
  return 4 * lane * (step + 1) + 4096 * warp;
};
constexpr auto floats = co::linear{.stride = 4};

template <auto Value>
struct carried {};
[[maybe_unused]] carried<co::worst<cc90::shared_load<32>>(columns, co::domain{4, 8})> structural;

}  // namespace

// ---- Over a domain ----

TEST_CASE("total over a domain: what a loop over cost() adds up, maxima staying maxima") {
  constexpr auto total = co::total<cc90::shared_load<32>>(columns, co::domain{4, 8});
  constexpr auto loop = [] {
    co::bank_cost<> sum;
    for (unsigned warp = 0; warp != 4; ++warp)
      for (unsigned step = 0; step != 8; ++step)
        sum += co::cost<cc90::shared_load<32>>([=](unsigned lane) { return columns(lane, warp, step); });
    return sum;
  }();
  COALESCE_CHECK(total == loop);
  COALESCE_CHECK(total.phases == 32);
  COALESCE_CHECK(total.ways == 8);
}
TEST_CASE(
    "a warp that is moved by the period costs what the one before it did; by any other shift, or one lane apart, not") {
  using load = cc90::store<32>;
  std::mt19937_64 random(24);
  for (unsigned n = 0; n != 2000; ++n) {
    std::uint64_t const shifts[] = {
        0, load::period, 2 * load::period, load::period / 2, 4, 0 - std::uint64_t{load::period}};
    std::uint64_t const shift = shifts[random() % 6], stride = 4 * (random() % 40), odd = random() % 12,
                        masks[] = {~0ull >> 32, random() >> 32, random() >> 32 & random()}, mask = masks[random() % 3];
    auto const pattern = [=](unsigned lane, unsigned step) {
      return (1ull << 40) + stride * lane + shift * step + (step == 2 && lane == odd ? 32 : 0);
    };
    auto const active = [=](unsigned lane, unsigned step) { return (mask >> ((lane + step / 4) % 32) & 1) != 0; };
    co::cuda::l1_store_cost<> sum;
    for (unsigned step = 0; step != 8; ++step)
      sum += co::cost<load>([=](unsigned lane) { return pattern(lane, step); },
                            [=](unsigned lane) { return active(lane, step); });
    CHECK(co::total<load>(pattern, co::domain{8}, active) == sum);
  }
}
TEST_CASE("domains have one to four dimensions, the last varying fastest") {
  constexpr auto by_one = [](unsigned lane, unsigned a) { return 4 * (lane * a); };
  constexpr auto by_four = [](unsigned lane, unsigned a, unsigned b, unsigned c, unsigned d) {
    return 4 * lane * (a + b + c + d);
  };
  COALESCE_CHECK(co::total<cc90::shared_load<32>>(by_one, co::domain{3}).rounds == 1 + 1 + 2);
  COALESCE_CHECK(co::worst<cc90::shared_load<32>>(by_four, co::domain{2, 2, 2, 2}).cost.rounds == 4);
  COALESCE_CHECK(co::worst<cc90::shared_load<32>>(by_four, co::domain{2, 2, 2, 2}).at.rounds == co::point{1, 1, 1, 1});
  COALESCE_CHECK(co::worst<cc90::shared_load<32>>(by_four, co::domain{1, 2, 1, 2}).at.rounds == co::point{0, 1, 0, 1});
  COALESCE_CHECK(co::best<cc90::shared_load<32>>(by_four, co::domain{2, 2, 2, 2}).at.rounds == co::point{});
}
TEST_CASE("a pattern and a predicate are asked about each point in order, of one to four dimensions") {
  using asked = std::vector<std::array<unsigned, 4>>;
  asked by_pattern, by_predicate, expected;
  auto const listen = [&](unsigned lane, auto... at) {
    if (lane == 0) by_pattern.push_back({at...});
    return 4 * lane;
  };
  auto const listen_too = [&](unsigned lane, auto... at) {
    if (lane == 0) by_predicate.push_back({at...});
    return true;
  };
  auto const one = [&](unsigned lane, unsigned a) { return listen(lane, a); };
  auto const two = [&](unsigned lane, unsigned a, unsigned b) { return listen(lane, a, b); };
  auto const three = [&](unsigned lane, unsigned a, unsigned b, unsigned c) { return listen(lane, a, b, c); };
  auto const four = [&](unsigned lane, unsigned a, unsigned b, unsigned c, unsigned d) {
    return listen(lane, a, b, c, d);
  };
  auto const all_three = [&](unsigned lane, unsigned a, unsigned b, unsigned c) { return listen_too(lane, a, b, c); };
  auto const all_four = [&](unsigned lane, unsigned a, unsigned b, unsigned c, unsigned d) {
    return listen_too(lane, a, b, c, d);
  };
  auto const every_lane = [](unsigned) { return true; };
  auto const check = [&](std::array<unsigned, 4> const& extents, auto const& total, bool by_points) {
    expected.clear(), by_pattern.clear(), by_predicate.clear();
    for (unsigned a = 0; a != extents[0]; ++a)
      for (unsigned b = 0; b != extents[1]; ++b)
        for (unsigned c = 0; c != extents[2]; ++c)
          for (unsigned d = 0; d != extents[3]; ++d) expected.push_back({a, b, c, d});
    CHECK(total().requests == expected.size());
    CHECK(by_pattern == expected);
    CHECK(by_predicate == (by_points ? expected : asked{}));
  };
  using load = cc90::load<32>;
  check(
      {5, 1, 1, 1}, [&] { return co::total<load>(one, co::domain{5}); }, false);
  check(
      {2, 3, 1, 1},
      [&] {
        return co::total<load>(two, co::domain{2, 3}, every_lane);
      },
      false);
  check(
      {2, 3, 4, 1},
      [&] {
        return co::total<load>(three, co::domain{2, 3, 4}, every_lane);
      },
      false);
  check(
      {2, 3, 4, 1},
      [&] {
        return co::total<load>(three, co::domain{2, 3, 4}, all_three);
      },
      true);
  check(
      {2, 3, 4, 5},
      [&] {
        return co::total<load>(four, co::domain{2, 3, 4, 5}, every_lane);
      },
      false);
  check(
      {2, 3, 4, 5},
      [&] {
        return co::total<load>(four, co::domain{2, 3, 4, 5}, all_four);
      },
      true);
}
TEST_CASE("a place has a number for each dimension of the largest domain, and one for the base") {
  static_assert(sizeof(co::point{}.at) == 5 * sizeof(std::uint64_t));
  COALESCE_CHECK(co::point{} == co::point{0, 0, 0, 0, 0});
}
TEST_CASE("worst and best: each number its own, at its own first place") {
  // Lanes apart: step 0 all one word, step 1 neighbours, step 2 every other, step 3 as step 1.
  constexpr auto steps = [](unsigned lane, unsigned step) { return 4 * lane * (step == 3 ? 1 : step); };
  constexpr auto worst = co::worst<cc90::load<32>>(steps, co::domain{4});
  COALESCE_CHECK(worst.cost.transactions == 8);
  COALESCE_CHECK(worst.at.transactions == co::point{2});
  COALESCE_CHECK(worst.cost.bytes_used == 128);
  COALESCE_CHECK(worst.at.bytes_used == co::point{1});
  COALESCE_CHECK(worst.at.requests == co::point{0});
  constexpr auto best = co::best<cc90::load<32>>(steps, co::domain{4});
  COALESCE_CHECK(best.cost.transactions == 1);
  COALESCE_CHECK(best.at.transactions == co::point{0});
  COALESCE_CHECK(co::worst<cc90::shared_load<32>>(columns, co::domain{4, 8}) ==
                 co::worst<cc90::shared_load<32>>(columns, co::domain{4, 8}, co::all_lanes));
}
TEST_CASE("masks are of lanes, predicates of the lane alone, or of what the pattern takes") {
  constexpr auto rows = [](unsigned lane, unsigned step) { return 4 * lane + 128 * step; };
  constexpr auto half = [](unsigned lane) { return lane < 16; };
  constexpr auto shrinking = [](unsigned lane, unsigned step) { return lane < 32u >> step; };
  COALESCE_CHECK(co::total<cc90::load<32>>(rows, co::domain{4}).transactions == 16);
  COALESCE_CHECK(co::total<cc90::load<32>>(rows, co::domain{4}, 0xffff).transactions == 8);
  COALESCE_CHECK(co::total<cc90::load<32>>(rows, co::domain{4}, half).transactions == 8);
  COALESCE_CHECK(co::total<cc90::load<32>>(rows, co::domain{4}, shrinking).transactions == 4 + 2 + 1 + 1);
  COALESCE_CHECK(co::worst<cc90::load<32>>(rows, co::domain{4}, shrinking).at.transactions == co::point{0});
  COALESCE_CHECK(co::best<cc90::load<32>>(rows, co::domain{4}, shrinking).at.transactions == co::point{2});
}
TEST_CASE("a warp or wave without an active lane does not issue the instruction: it costs nothing") {
  constexpr auto rows = [](unsigned lane, unsigned) { return 4 * lane; };
  constexpr auto first = [](unsigned, unsigned step) { return step == 1; };
  COALESCE_CHECK(co::cost<gfx942::ds_read<32>>(floats, 0).rounds == 0);  // as every total says below
  COALESCE_CHECK(co::total<gfx942::ds_read<32>>(rows, co::domain{4}, first).rounds == 2);
  COALESCE_CHECK(co::total<gfx942::ds_read<32>>(rows, co::domain{4}, 0).rounds == 0);
  COALESCE_CHECK(co::best<cc90::load<32>>(rows, co::domain{4}, first).at.requests == co::point{1});
  COALESCE_CHECK(co::total<gfx942::ds_read<32>>(floats, co::every_base{4}, 0).rounds == 0);
  CHECK_THROWS_AS(static_cast<void>(co::worst<cc90::load<32>>(rows, co::domain{4}, 0)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::best<cc90::load<32>>(rows, co::domain{0})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::worst<cc90::load<32>>(floats, co::every_base{4}, 0)), co::misuse);
}
TEST_CASE("empty domains cost nothing; negative and huge ones are refused") {
  constexpr auto rows = [](unsigned lane, unsigned, unsigned) { return 4 * lane; };
  COALESCE_CHECK(co::total<cc90::load<32>>(rows, co::domain{4, 0}).requests == 0);
  COALESCE_CHECK(co::total<cc90::load<32>>(rows, co::domain{0, 4}).requests == 0);
  auto const refused = [&](std::int64_t first, std::int64_t second) {
    CHECK_THROWS_WITH_AS(static_cast<void>(co::total<cc90::load<32>>(rows, co::domain{first, second})),
                         "coalesce: an extent of a domain is negative, or it has more than 2^32 - 1 points",
                         co::misuse);
  };
  refused(0, -1), refused(-1, 0), refused(4, -1);
  refused(1ll << 32, 0), refused(0, 1ll << 32), refused(1ll << 32, 1);
  COALESCE_CHECK(co::total<cc90::load<32>>(rows, co::domain{0xffff'ffff, 0}).requests == 0);
  COALESCE_CHECK(co::total<cc90::load<32>>(rows, co::domain{0, 0xffff'ffff}).requests == 0);
  constexpr auto planes = [](unsigned lane, unsigned, unsigned, unsigned) { return 4 * lane; };
  COALESCE_CHECK(co::total<cc90::load<32>>(planes, co::domain{3, 0x5555'5555, 0}).requests == 0);  // 2^32 - 1
  CHECK_THROWS_AS(static_cast<void>(co::total<cc90::load<32>>(planes, co::domain{1 << 16, 1 << 16, 0})), co::misuse);
}
#ifdef __cpp_exceptions
TEST_CASE("over a domain without points a mask is looked at too: lanes beyond the wave, a narrow negative number") {
  constexpr auto rows = [](unsigned lane, unsigned) { return 4 * lane; };
  auto const asked = [&](std::int64_t points, auto active) {
    return coalescing_tests::refusal([&] { return co::total<cc90::load<32>>(rows, co::domain{points}, active); });
  };
  for (std::int64_t const points : {0, 2}) {
    CHECK(asked(points, 1ull << 32).find("names lanes that the instruction does not have") != std::string::npos);
    CHECK(asked(points, -2).find("the mask is a negative number") != std::string::npos);
    CHECK(asked(points, -1).empty());
    CHECK(asked(points, 1ull << 31).empty());
  }
}
#endif
TEST_CASE("totals over domains are sums of costs, random patterns on three machines") {
  std::mt19937 random;
  for (unsigned k = 0; k != 200; ++k) {
    std::uint64_t const a = random() % 64, b = random() % 64, c = random() % 64;
    auto const pattern = [=](unsigned lane, unsigned i, unsigned j) { return 4 * (lane * a + i * b + j * c); };
    auto const active = [=](unsigned lane, unsigned i) { return (lane ^ i) % (a % 5 + 1) != 3; };
    auto const same = [&]<class Instruction>(Instruction*) {
      typename Instruction::cost_type sum{};
      co::point worst_at{}, best_at{};
      std::uint64_t worst = 0, best = ~0ull;
      for (unsigned i = 0; i != 3; ++i)
        for (unsigned j = 0; j != 4; ++j) {
          auto const cost = co::cost<Instruction>([&](unsigned lane) { return pattern(lane, i, j); },
                                                  [&](unsigned lane) { return active(lane, 0); });
          sum += cost;
          if (cost.bytes_used > worst) worst = cost.bytes_used, worst_at = {i, j};
          if (cost.bytes_used < best) best = cost.bytes_used, best_at = {i, j};
        }
      auto const mask = [&](unsigned lane) { return active(lane, 0); };
      auto const highest = co::worst<Instruction>(pattern, co::domain{3, 4}, mask);
      auto const lowest = co::best<Instruction>(pattern, co::domain{3, 4}, mask);
      return co::total<Instruction>(pattern, co::domain{3, 4}, mask) == sum && highest.cost.bytes_used == worst &&
             highest.at.bytes_used == worst_at && lowest.cost.bytes_used == best && lowest.at.bytes_used == best_at;
    };
    CHECK(same(static_cast<cc90::store<32>*>(nullptr)));
    CHECK(same(static_cast<gcn::buffer_load<32>*>(nullptr)));
    CHECK(same(static_cast<gfx942::global_load<32>*>(nullptr)));
  }
}

// ---- Over every base ----

TEST_CASE("every base: a row of floats takes 4 sectors if aligned to them, 5 at any multiple of 4 bytes else") {
  constexpr auto worst = co::worst<cc90::load<32>>(floats, co::every_base{.alignment = 4});
  COALESCE_CHECK(worst.cost.transactions == 5);
  COALESCE_CHECK(worst.at.transactions == co::point{4});
  COALESCE_CHECK(worst.cost.lines == 2);
  COALESCE_CHECK(co::best<cc90::load<32>>(floats, co::every_base{.alignment = 4}).cost.transactions == 4);
  COALESCE_CHECK(co::worst<cc90::load<32>>(floats, co::every_base{.alignment = 32}).cost.transactions == 4);
  COALESCE_CHECK(co::worst<cc90::load<32>>(floats, co::every_base{.alignment = 32}).cost.lines == 2);
  COALESCE_CHECK(co::worst<cc90::load<32>>(floats, co::every_base{.alignment = 1 << 20}).cost.lines == 1);
}
TEST_CASE("every base: a total is that of one period; the bank conflicts of a pattern are the same at every base") {
  COALESCE_CHECK(co::total<cc90::load<32>>(floats, co::every_base{.alignment = 4}).requests == 32);
  COALESCE_CHECK(co::total<cc90::load<32>>(floats, co::every_base{.alignment = 4}).transactions == 4 * 4 + 28 * 5);
  constexpr auto strided = co::linear{.stride = 132};
  COALESCE_CHECK(co::worst<cc90::shared_load<32>>(strided, co::every_base{4}).cost.rounds == 1);
}
TEST_CASE("every base: a shift may carry into a bit in which no two lanes differed (found by fuzzing)") {
  // Sectors 0 and 63: from byte 4 on they are 0 and 64, which a row of 64 would take for one.
  constexpr auto total = co::total<cc90::load<32>>(co::linear{.stride = 2044}, co::every_base{4}, 0b11);
  COALESCE_CHECK(total.transactions == 2 * 32);
  COALESCE_CHECK(co::best<cc90::load<32>>(co::linear{.stride = 2044}, co::every_base{4}, 0b11).cost.transactions == 2);
}
TEST_CASE("every base: less than the instruction's alignment, no power of two, or past the end is refused") {
  auto const over = [](std::uint64_t alignment) {
    return co::total<cc90::load<128>>(co::linear{.stride = 16}, co::every_base{alignment});
  };
  CHECK_NOTHROW(static_cast<void>(over(16)));
  CHECK_THROWS_WITH_AS(static_cast<void>(over(8)), doctest::Contains("less than the instruction's"), co::misuse);
  CHECK_THROWS_WITH_AS(static_cast<void>(over(0)), doctest::Contains("no power of two"), co::misuse);
  CHECK_THROWS_WITH_AS(static_cast<void>(over(48)), doctest::Contains("no power of two"), co::misuse);
  CHECK_THROWS_WITH_AS(static_cast<void>(co::total<cc90::load<8>>(floats, co::every_base{})),
                       doctest::Contains("no power of two"), co::misuse);
  CHECK(co::total<cc90::load<8>>(floats, co::every_base{1}).requests == 128);
  COALESCE_CHECK(co::total<cc90::load<32>>(floats, co::every_base{4}, 1).requests == 32);
  auto const in_lds = [](std::uint64_t base) {
    return co::total<gfx942::ds_read<32>>(co::broadcast{base}, co::every_base{4});
  };
  CHECK_NOTHROW(static_cast<void>(in_lds(65536 - 128)));
  CHECK_THROWS_AS(static_cast<void>(in_lds(65536 - 124)), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::total<cc90::load<32>>(co::broadcast{2}, co::every_base{4})), co::misuse);
}
TEST_CASE("every base: a halo to the left, and lanes that descend, are as any pattern (\"past the top\", it said)") {
  constexpr auto halo = [](unsigned lane) { return 4ll * lane - 4; };
  constexpr co::linear offset{.base = 0ull - 4, .stride = 4}, descending{.stride = -4};
  constexpr auto worst = co::worst<cc90::load<32>>(halo, co::every_base{4});
  COALESCE_CHECK(worst.cost.transactions == 5);
  COALESCE_CHECK(worst.at.transactions == co::point{0});  // lane 0 is at byte -4, and lane 1 at a sector
  COALESCE_CHECK(co::worst<cc90::load<32>>(offset, co::every_base{4}) == worst);
  COALESCE_CHECK(co::best<cc90::load<32>>(halo, co::every_base{4}).at.transactions == co::point{4});
  COALESCE_CHECK(co::worst<cc90::load<32>>(descending, co::every_base{4}).cost.transactions == 5);
  COALESCE_CHECK(co::worst<cc90::load<32>>(descending, co::every_base{4}) ==
                 co::worst<cc90::load<32>>(co::linear{.base = 1024, .stride = -4}, co::every_base{4}));
  COALESCE_CHECK(co::worst<cc90::shared_load<32>>(halo, co::every_base{4}).cost.ways == 1);
  COALESCE_CHECK(co::worst<gfx942::ds_read<32>>(descending, co::every_base{4}).cost.conflicts == 0);
}
TEST_CASE("every base: lanes at all ends of memory, as far from each other as can be, are counted one by one") {
  // 16 bytes at any dword: over a line's 32 bases a lane touches a second line at 3 of them.
  constexpr auto apart = [](unsigned lane) { return (std::uint64_t{lane} << 58) - 4; };
  constexpr auto total = co::total<gfx942::global_load<128>>(apart, co::every_base{4});
  COALESCE_CHECK(total.transactions == 64 * (32 + 3));
  COALESCE_CHECK(total.bytes_used == 32 * 64 * 16);
}
TEST_CASE("every base in shared memory: a place is the base itself, the first being where no lane is below byte 0") {
  constexpr auto halo = [](unsigned lane) { return 4ll * lane - 4; };
  constexpr auto both = co::every_base{4};
  COALESCE_CHECK(co::worst<cc90::shared_load<32>>(halo, both).at.rounds == co::point{4});
  COALESCE_CHECK(co::best<cc90::shared_load<32>>(halo, both).at.rounds == co::point{4});
  COALESCE_CHECK(co::worst<gfx942::ds_read<32>>(co::linear{.stride = -4}, both).at.rounds == co::point{252});
  COALESCE_CHECK(co::worst<cc90::shared_load<32>>(halo, co::every_base{1024}).at.rounds == co::point{1024});
  COALESCE_CHECK(co::worst<cc90::shared_load<32>>(floats, both).at.rounds == co::point{0});
  // In global memory a place stands for every base that is equal to it modulo the period, and is below that.
  COALESCE_CHECK(co::worst<cc90::load<32>>(halo, both).at.transactions == co::point{0});
}
#ifdef __cpp_exceptions
TEST_CASE("every base: the lane that runs past the end is named, with its address at the last base") {
  auto const refusal = [](auto const& question) {
    try {
      static_cast<void>(question());
    } catch (co::misuse const& caught) {
      return caught;
    }
    return co::misuse("nothing was refused");
  };
  for (unsigned wrong = 0; wrong != 32; ++wrong) {
    auto const last = [=](std::uint64_t address) { return [=](unsigned lane) { return lane == wrong ? address : 0; }; };
    for (std::uint64_t const active : {0xffff'ffffull, 1ull << wrong}) {
      auto const in_shared =
          refusal([&] { return co::total<cc90::shared_load<32>>(last(228 * 1024 - 124), co::every_base{4}, active); });
      CHECK(in_shared.lane() == wrong);
      CHECK(in_shared.address() == 228 * 1024);
      CHECK(std::string(in_shared.what()).find("past the end of this machine's shared memory") != std::string::npos);
      // Global memory refuses nothing: a lower base is as good.
      CHECK(co::total<cc90::load<32>>(last(0ull - 124), co::every_base{4}, active).requests == 32);
    }
  }
}
#endif
TEST_CASE("every base of random patterns: what cost() says of the pattern shifted") {
  std::mt19937 random;
  for (unsigned k = 0; k != 100; ++k) {
    std::uint64_t const a = random() % 100, b = 1 + random() % 31, active = random();
    auto const pattern = [=](unsigned lane) { return 4 * (lane * a % b * 7 + lane); };
    co::cuda::l1_load_cost<> sum;
    for (std::uint64_t base = 0; base != 128; base += 4)
      sum += co::cost<cc90::load<32>>([=](unsigned lane) { return base + pattern(lane); }, active);
    CHECK(co::total<cc90::load<32>>(pattern, co::every_base{4}, active) == sum);
  }
}

namespace {

/// A pattern as the sum of a base and an offset for each lane, which may be negative.
struct from_base {
  std::int64_t const* offset;
  std::uint64_t base;
  std::uint64_t operator()(unsigned lane) const { return base + static_cast<std::uint64_t>(offset[lane]); }
};

/// Asks about each base of a period, which begins at `first`, on its own.
template <class Instruction>
bool is_a_loop(std::int64_t const* offset, std::uint64_t mask, std::uint64_t alignment, std::uint64_t first) {
  auto const cost_at = [&](std::uint64_t base) { return co::cost<Instruction>(from_base{offset, base}, mask); };
  typename Instruction::cost_type sum{};
  auto const last = (Instruction::period - 1) / alignment * alignment;
  for (std::uint64_t shift = 0; shift <= last; shift += alignment) sum += cost_at(first + shift);
  auto const at_shifts = from_base{offset, 0};
  bool same = co::total<Instruction>(at_shifts, co::every_base{alignment}, mask) == sum;
  auto const worst = co::worst<Instruction>(at_shifts, co::every_base{alignment}, mask);
  auto const best = co::best<Instruction>(at_shifts, co::every_base{alignment}, mask);
  auto const check = [&](auto number, auto place) {
    auto const highest = worst.cost.*number, lowest = best.cost.*number;
    std::uint64_t highest_at = ~0ull, lowest_at = ~0ull;
    for (std::uint64_t shift = 0; shift <= last; shift += alignment) {
      auto const here = cost_at(first + shift).*number;
      same = same && here <= highest && here >= lowest;
      if (here == highest && highest_at == ~0ull) highest_at = shift;
      if (here == lowest && lowest_at == ~0ull) lowest_at = shift;
    }
    same = same && (worst.at.*place).at[0] == highest_at && (best.at.*place).at[0] == lowest_at;
  };
  using places = std::remove_cvref_t<decltype(worst.at)>;
  check(&Instruction::cost_type::transactions, &places::transactions);
  return same;
}

/// Neighbours with holes, a halo, strides up and down, or anything; mostly below byte 0.
template <class Instruction>
void draw(std::mt19937_64& random, std::int64_t (&offset)[64], std::int64_t within) {
  std::int64_t const word = Instruction::alignment;
  auto const below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
  };
  auto const stride = below(9) - 4, start = below(2 * within) - within;
  for (auto& each : offset)
    each = word * (random() % 4 == 0 ? below(2 * within) - within : start + (&each - offset) * stride);
}

}  // namespace

TEST_CASE("every base of random patterns below and above byte 0: what a loop over the bases says") {
  std::mt19937_64 random(9);
  auto const holds = [&]<class Instruction>(Instruction*) {
    std::int64_t offset[64];
    for (unsigned question = 0; question != 300; ++question) {
      draw<Instruction>(random, offset, question % 2 == 0 ? 64 : 4096);
      std::uint64_t const mask = (random() | 1) & co::detail::wave_mask<Instruction::lanes>;
      CHECK(is_a_loop<Instruction>(offset, mask, std::uint64_t{Instruction::alignment} << random() % 3, 1 << 20));
    }
  };
  holds(static_cast<cc90::load<32>*>(nullptr));
  holds(static_cast<cc90::store<128>*>(nullptr));
  holds(static_cast<co::cuda::cc10::load<32>*>(nullptr));
  holds(static_cast<co::cuda::cc13::load<16>*>(nullptr));
  holds(static_cast<co::cuda::cc20::load<64>*>(nullptr));
  holds(static_cast<gcn::buffer_load<96>*>(nullptr));
  holds(static_cast<gcn::buffer_store<32>*>(nullptr));
  holds(static_cast<gfx942::global_load<128>*>(nullptr));
  holds(static_cast<co::rdna::gfx1030::wave64::global_load<64>*>(nullptr));
}
TEST_CASE("every base in shared memory and LDS: refused where no base of some residue has all lanes inside") {
  std::mt19937_64 random(10);
  unsigned answered = 0, refused = 0;
  auto const holds = [&]<class Instruction>(Instruction*) {
    std::int64_t offset[64];
    auto const capacity = static_cast<std::int64_t>(Instruction::capacity), bytes = std::int64_t{Instruction::bytes};
    for (unsigned question = 0; question != 300; ++question) {
      draw<Instruction>(random, offset, 512);
      // Some are as wide as the memory, or nearly, some begin near its end.
      if (question % 3 == 0)
        offset[0] = offset[Instruction::lanes - 1] + capacity -
                    Instruction::alignment * static_cast<std::int64_t>(random() % 64);
      if (question % 3 == 1)
        for (auto& each : offset) each += capacity - 1024 * Instruction::alignment;
      auto const alignment = static_cast<std::int64_t>(Instruction::alignment) << random() % 8;
      std::int64_t lowest = offset[0], highest = offset[0];
      for (unsigned lane = 1; lane != Instruction::lanes; ++lane)
        lowest = offset[lane] < lowest ? offset[lane] : lowest,
        highest = offset[lane] > highest ? offset[lane] : highest;
      // Each residue of a base, at its own lowest base.
      bool each_has_a_base = true;
      std::int64_t first = 0;
      while (first + lowest < 0) first += alignment;
      for (std::int64_t shift = 0; shift < Instruction::period; shift += alignment) {
        std::int64_t base = shift;
        while (base + lowest < 0) base += alignment > Instruction::period ? alignment : Instruction::period;
        each_has_a_base = each_has_a_base && base + highest + bytes <= capacity;
      }
      auto const total = [&] {
        return co::total<Instruction>(from_base{offset, 0}, co::every_base{static_cast<std::uint64_t>(alignment)});
      };
      if (!each_has_a_base) {
        CHECK_THROWS_AS(static_cast<void>(total()), co::misuse);
        ++refused;
        continue;
      }
      typename Instruction::cost_type sum{};
      for (std::int64_t shift = 0; shift < Instruction::period; shift += alignment)
        sum += co::cost<Instruction>(from_base{offset, static_cast<std::uint64_t>(first + shift)});
      CHECK(total() == sum);
      ++answered;
    }
  };
  holds(static_cast<cc90::shared_load<32>*>(nullptr));
  holds(static_cast<cc90::shared_store<128>*>(nullptr));
  holds(static_cast<co::cuda::cc13::shared_load<32>*>(nullptr));
  holds(static_cast<gfx942::ds_read<96>*>(nullptr));
  holds(static_cast<gcn::ds_write<64>*>(nullptr));
  CHECK(answered > 500);
  CHECK(refused > 300);

  // Bases 4 to 128 take lane 0 to byte 0 and on, and lane 1 to the end: of 60 KB apart they do, of 64 KB not.
  auto const apart = [](std::int64_t bytes) {
    return co::total<gfx942::ds_read<32>>([=](unsigned lane) { return lane == 1 ? bytes - 4 : -4; }, co::every_base{4});
  };
  CHECK(apart(60 * 1024).phases == 32 * 2);
  try {
    static_cast<void>(apart(64 * 1024 - 4));
    CHECK(false);
  } catch (co::misuse const& refusal) {
    CHECK(refusal.lane() == 1);
    CHECK(refusal.address() == 64 * 1024 - 8 + 128);
  }
}
TEST_CASE("control: a loop that begins a word further finds the worst elsewhere") {
  std::int64_t offset[64];
  for (auto& each : offset) each = 4 * (&each - offset) - 4;
  CHECK(is_a_loop<cc90::load<32>>(offset, 0xffff'ffff, 4, 1 << 20));
  CHECK(!is_a_loop<cc90::load<32>>(offset, 0xffff'ffff, 4, (1 << 20) + 4));
}

// ---- Over a launch of a function ----

TEST_CASE("launches: thread by thread, a predicate saying who is active, a warp's rest beyond the block inactive") {
  constexpr co::launch launch{.grid = {2, 2}, .block = {24, 2}};  // 48 threads: a warp and a half
  constexpr auto at = [](co::invocation const& who) {
    return 4 * (who.block.x * 24 + who.thread.x + 48 * (who.block.y * 2 + who.thread.y));
  };
  constexpr auto all = co::total<cc90::load<32>>(at, launch);
  COALESCE_CHECK(all.requests == 8);
  COALESCE_CHECK(all.bytes_used == 4 * 48 * 4);
  constexpr auto some =
      co::total<cc90::load<32>>(at, launch, [](co::invocation const& who) { return who.thread.y == 0; });
  COALESCE_CHECK(some.requests == 4);  // the second warp of a block has rows 1 alone
  COALESCE_CHECK(some.bytes_used == 4 * 24 * 4);
  constexpr auto worst = co::worst<cc90::load<32>>(at, launch);
  COALESCE_CHECK(worst.cost.bytes_used == 128);
  COALESCE_CHECK(worst.at.bytes_used == co::point{0, 0, 0, 0});
  COALESCE_CHECK(co::best<cc90::load<32>>(at, launch).at.bytes_used == co::point{0, 0, 0, 1});
}
TEST_CASE("launches: each thread of each block is asked once, and a place is the block's x, y, z and the warp in it") {
  constexpr co::launch launch{.grid = {4, 3, 2}, .block = {8, 4, 2}};  // two warps a block
  std::vector<std::array<unsigned, 6>> asked, expected;
  auto const listen = [&](co::invocation const& who) {
    asked.push_back({who.block.x, who.block.y, who.block.z, who.thread.x, who.thread.y, who.thread.z});
    return 4 * who.thread.x;
  };
  CHECK(co::total<cc90::load<32>>(listen, launch).requests == 4 * 3 * 2 * 2);
  for (unsigned k = 0; k != 4 * 3 * 2 * 64; ++k) {
    unsigned const thread = k % 64, block = k / 64;
    expected.push_back({block % 4, block / 4 % 3, block / 12, thread % 8, thread / 8 % 4, thread / 32});
  }
  CHECK(asked == expected);
  // All threads but those of one warp of one block read one word.
  constexpr auto apart = [](co::invocation const& who) {
    bool const here = who.block.x == 3 && who.block.y == 1 && who.block.z == 1 && who.thread.z == 1;
    return here ? 4u * (who.thread.x + 8 * who.thread.y) : 0u;
  };
  COALESCE_CHECK(co::worst<cc90::load<32>>(apart, launch).at.bytes_used == co::point{3, 1, 1, 1});
  constexpr auto nobody = [](co::invocation const&) { return false; };
  COALESCE_CHECK(co::total<cc90::load<32>>(apart, launch, nobody).requests == 0);
  CHECK_THROWS_WITH_AS(static_cast<void>(co::worst<cc90::load<32>>(apart, launch, nobody)),
                       doctest::Contains("no point of the domain has an active lane"), co::misuse);
}
TEST_CASE("launches: coordinates are 32 bits wide, as CUDA's, so products overflow as in the kernel") {
  constexpr auto wraps = [](co::invocation const& who) { return who.block.x * 0x1000'0000u * 4u; };
  constexpr auto does_not = [](co::invocation const& who) { return who.block.x * 0x1000'0000ull * 4u; };
  constexpr co::launch two{.grid = {5}, .block = {32}};
  COALESCE_CHECK(co::worst<cc90::load<32>>(wraps, two).cost.transactions == 1);
  COALESCE_CHECK(co::total<cc90::load<32>>(does_not, two).transactions == 5);
}

// ---- Of a wave, the lanes that an instruction asks ----

namespace {

using x1 = cc90::ldmatrix<1>;
using x2 = cc90::ldmatrix<2>;
using store_x1 = cc90::stmatrix<1>;
constexpr auto rows_of_16 = [](co::invocation const& who) { return 16 * who.thread.x; };

}  // namespace

TEST_CASE("ldmatrix<1>, <2> and stmatrix: a warp of 32 threads is one instruction, to which lanes 0 to 7 give rows") {
  constexpr co::launch one{.block = {32}}, four{.grid = {2}, .block = {64}};
  COALESCE_CHECK(co::total<x1>(rows_of_16, one).phases == 1);  // it said 4
  COALESCE_CHECK(co::total<x2>(rows_of_16, one).phases == 2);
  COALESCE_CHECK(co::total<store_x1>(rows_of_16, one).phases == 1);
  COALESCE_CHECK(co::total<cc90::ldmatrix<4>>(rows_of_16, one).phases == 4);
  COALESCE_CHECK(co::total<x1>(rows_of_16, four).phases == 4);
  constexpr co::layout<1> rows{.shape = {32}, .stride = {16}};
  COALESCE_CHECK(co::total<x1>(rows).phases == 1);
  COALESCE_CHECK(co::total<x2>(rows).phases == 2);
  COALESCE_CHECK(co::total<store_x1>(rows, co::block{32}).phases == 1);
  constexpr co::layout<2> tile{.shape = {64, 4}, .stride = {128, 16}};
  COALESCE_CHECK(co::total<x1>(tile).rounds == 8 * 8);  // 8 warps, each of 8 rows in the same banks
  COALESCE_CHECK(co::total<x1>(co::swizzle{3, 4, 3}.over(tile), co::block{32, 2}) ==
                 co::bank_cost<>{.rounds = 8, .conflicts = 0, .phases = 8, .ways = 1});
}
TEST_CASE("a matrix instruction does not ask what the warp's other lanes have: it may be anything") {
  constexpr auto far_away = [](co::invocation const& who) {
    return who.thread.x % 32 < 8 ? 16 * who.thread.x : 1u << 30;
  };
  constexpr co::launch launch{.block = {64}};
  COALESCE_CHECK(co::total<x1>(far_away, launch).phases == 2);
  // The closed form too: rows 8 to 31 are beyond CC 9.0's 228 KB.
  constexpr co::layout<2> tile{.shape = {8, 4}, .stride = {16, 1 << 20}};
  COALESCE_CHECK(co::total<x1>(tile).phases == 1);
}
TEST_CASE("worst and best name the warp or wave of a block, whatever lanes of it are asked") {
  // The second warp's rows are in one bank, the third wave's line is the only one that is crossed.
  constexpr auto second = [](co::invocation const& who) {
    return who.thread.x / 32 == 1 ? 128 * who.thread.x : 16 * who.thread.x;
  };
  constexpr auto worst = co::worst<x1>(second, co::launch{.grid = {2}, .block = {96}});
  COALESCE_CHECK(worst.cost.ways == 8);
  COALESCE_CHECK(worst.at.ways == co::point{0, 0, 0, 1});
  COALESCE_CHECK(co::worst<x1>(rows_of_16, co::launch{.block = {32}}).at.rounds == co::point{});
  constexpr auto third = [](co::invocation const& who) { return who.thread.x / 64 == 2 ? 60u : 0u; };
  COALESCE_CHECK(co::worst<gcn::s_load<4>>(third, co::launch{.block = {256}}).at.transactions == co::point{0, 0, 0, 2});
}
TEST_CASE("a scalar load is one request of the wave: 64 lanes on GCN, 32 or 64 on RDNA") {
  using co::rdna::gfx1100;
  constexpr auto row = [](co::invocation const& who) { return 4096 * who.block.x + 64 * (who.thread.x / 64); };
  constexpr co::launch one{.block = {64}}, many{.grid = {3}, .block = {256, 2}};
  COALESCE_CHECK(co::total<gcn::s_load<4>>(row, one).transactions == 1);  // it said 64
  COALESCE_CHECK(co::total<gcn::s_load<4>>(row, many).transactions == 3 * 8);
  COALESCE_CHECK(co::total<gfx1100::s_load<4>>(row, one).transactions == 2);
  COALESCE_CHECK(co::total<gfx1100::wave64::s_load<4>>(row, one).transactions == 1);
  constexpr co::layout<2> rows{.shape = {64, 10}, .stride = {0, 64}};
  COALESCE_CHECK(co::total<gcn::s_load<16>>(rows).transactions == 10);
  COALESCE_CHECK(co::total<gfx1100::s_load<16>>(rows).transactions == 20);
  COALESCE_CHECK(co::total<gfx1100::wave64::s_load<16>>(rows).transactions == 10);
  COALESCE_CHECK(co::total<gcn::s_load<16>>(rows, co::block{32, 1}).transactions == 20);
  COALESCE_CHECK(co::total<gcn::s_load<16>>(rows, co::block{64, 4}).transactions == 10);
}
TEST_CASE("a scalar load of a wave that is cut, or of which some lanes are active, is one request; of none, none") {
  constexpr co::layout<2> rows{.shape = {65, 2}, .stride = {0, 64}};
  COALESCE_CHECK(co::total<gcn::s_load<1>>(rows, co::block{128}).transactions == 2 * 2);
  COALESCE_CHECK(co::total<gcn::s_load<1>>(rows, co::block{96}).transactions == 2 * 2);
  constexpr auto row = [](co::invocation const& who) { return 64 * who.thread.y; };
  constexpr auto some = [](co::invocation const& who) { return who.thread.y == 1 && who.thread.x > 40; };
  COALESCE_CHECK(co::total<gcn::s_load<1>>(row, co::launch{.block = {64, 2}}, some).transactions == 1);
  // A wave with threads of rows 0 and 1 is asked by its active ones, which are all in row 1.
  constexpr auto below = [](co::invocation const& who) { return who.thread.y == 1; };
  COALESCE_CHECK(co::total<gcn::s_load<1>>(row, co::launch{.block = {48, 2}}, below).transactions == 2);
}
TEST_CASE("a scalar load is issued where a predicate names any lane of the wave, not lane 0 alone") {
  using load = co::rdna::gfx1100::s_load<4>;
  constexpr auto row = [](unsigned, unsigned step) { return 64 * step; };
  constexpr auto last = [](unsigned lane) { return lane == 31; };
  constexpr auto beyond = [](unsigned lane) { return lane >= 32; };  // no lane of this wave
  constexpr auto shrinks = [](unsigned lane, unsigned step) { return lane >= 8 * step; };
  COALESCE_CHECK(co::total<load>(row, co::domain{8}, last).transactions == 8);
  COALESCE_CHECK(co::total<load>(row, co::domain{8}, beyond).transactions == 0);
  COALESCE_CHECK(co::total<co::rdna::gfx1100::wave64::s_load<4>>(row, co::domain{8}, beyond).transactions == 8);
  COALESCE_CHECK(co::total<load>(row, co::domain{8}, shrinks).transactions == 4);
  constexpr auto thread = [](co::invocation const& who) { return 64 * who.block.x; };
  constexpr auto thread_shrinks = [](co::invocation const& who) { return who.thread.x >= 8 * who.block.x; };
  COALESCE_CHECK(co::total<load>(thread, co::launch{.grid = {8}, .block = {32}}, thread_shrinks) ==
                 co::total<load>(row, co::domain{8}, shrinks));
  constexpr co::broadcast one{.base = 64};
  COALESCE_CHECK(co::cost<load>(one, last).transactions == 1);
  COALESCE_CHECK(co::cost<load>(one, beyond).transactions == 0);
  COALESCE_CHECK(co::transactions<load>(one, last).size() == 1);
  COALESCE_CHECK(co::footprint<64, load>(one, last) == 64);
  COALESCE_CHECK(co::worst<load>(one, co::every_base{64}, last).cost.transactions == 1);
}
#ifdef __cpp_exceptions
TEST_CASE("a scalar load whose address depends on the lane is refused, and the first lane that differs is named") {
  using coalescing_tests::refusal;
  constexpr auto words = "lane 5, address 0x40: a scalar load is one request of the wave";
  constexpr auto by_lane = [](co::invocation const& who) { return who.thread.x % 64 < 5 ? 0u : 64u; };
  constexpr co::launch one{.block = {64}};
  CHECK(refusal([&] { return co::total<gcn::s_load<1>>(by_lane, one); }).find(words) != std::string::npos);
  CHECK(refusal([&] { return co::worst<gcn::s_load<1>>(by_lane, one); }).find(words) != std::string::npos);
  CHECK(refusal([&] {
          return co::total<gcn::s_load<1>>(co::layout<2>{.shape = {5, 2}, .stride = {0, 64}});
        }).find(words) != std::string::npos);
  CHECK(refusal([&] {
          return co::total<gcn::s_load<1>>(co::layout<2>{.shape = {5, 2}, .stride = {0, 64}}, co::block{5, 2});
        }).find(words) != std::string::npos);
  CHECK(refusal([&] {
          return co::total<gcn::s_load<1>>(co::layout<2>{.shape = {5, 2}, .stride = {0, 64}}, co::block{5});
        }).empty());
  // Only of active lanes is it asked.
  constexpr auto first_five = [](co::invocation const& who) { return who.thread.x < 5; };
  CHECK(refusal([&] { return co::total<gcn::s_load<1>>(by_lane, one, first_five); }).empty());
}
TEST_CASE("a matrix instruction of a warp of which a predicate leaves lanes out is refused, also beside a domain") {
  using coalescing_tests::refusal;
  auto const is_refused = [&](auto const& question) {
    return refusal(question).find("all lanes of the warp execute") != std::string::npos;
  };
  constexpr auto rows = [](unsigned lane, unsigned step) { return 16 * lane + 128 * step; };
  constexpr auto first = [](unsigned lane) { return 16 * lane; };
  constexpr auto eight = [](unsigned lane) { return lane < 8; };
  constexpr auto others = [](unsigned lane) { return lane >= 8; };
  constexpr auto all = [](unsigned lane) { return lane < 32; };
  constexpr auto none = [](unsigned) { return false; };
  CHECK(is_refused([&] { return co::total<x1>(rows, co::domain{2}, eight); }));
  CHECK(is_refused([&] { return co::total<x1>(rows, co::domain{2}, others); }));
  CHECK(is_refused([&] { return co::total<x1>(rows, co::domain{2}, co::every_base{128}, others); }));
  CHECK(is_refused([&] { return co::cost<store_x1>(first, eight); }));
  CHECK(is_refused([&] { return co::phases<x1>(first, others); }));
  CHECK(is_refused([&] { return co::worst<x1>(first, co::every_base{128}, eight); }));
  CHECK(co::total<x1>(rows, co::domain{2}, all).rounds == 2);
  CHECK(co::total<x1>(rows, co::domain{2}, none).rounds == 0);
  CHECK(co::total<x1>(rows, co::domain{2}, 0xffu).rounds == 2);  // a mask is of the lanes that give rows
  // Every question asks the predicate about the whole warp.
  constexpr co::tile tile{.rows = 8, .columns = 16, .element_bytes = 1};
  constexpr auto cells = [](unsigned lane) { return co::cell{.row = lane, .column = 0}; };
  constexpr auto choices = [](unsigned lane, unsigned choice) { return 16 * lane + 128 * choice; };
  CHECK(is_refused([&] { return co::explain<x1>(first, eight).characters[0]; }));
  CHECK(is_refused([&] { return co::explain<x1>(rows, co::domain{2}, eight).characters[0]; }));
  CHECK(is_refused([&] { return co::svg<x1>(first, eight); }));
  CHECK(is_refused([&] { return co::compare(first, co::on<x1>(eight)).text(); }));
  CHECK(is_refused([&] { return co::covers<x1>(first, tile, eight).exactly_once; }));
  CHECK(is_refused([&] { return co::worst<x1>(choices, co::any{2}, eight).cost.rounds; }));
  CHECK(is_refused(
      [&] { return co::suggest({.rows = 8, .columns = 16, .element_bytes = 1}, co::use<x1>(cells, eight)); }));
  CHECK(co::covers<x1>(first, tile, all).exactly_once);
  CHECK(co::worst<x1>(choices, co::any{2}, all).cost.rounds == 1);
}
TEST_CASE("a matrix instruction of a warp of which a block, a layout or a mask leaves lanes out is refused") {
  using coalescing_tests::refusal;
  constexpr auto words = "all lanes of the warp execute";
  auto const is_refused = [&](auto const& question) { return refusal(question).find(words) != std::string::npos; };
  constexpr auto eight = [](co::invocation const& who) { return who.thread.x < 8; };
  constexpr auto none = [](co::invocation const&) { return false; };
  constexpr auto second = [](co::invocation const& who) { return who.thread.x >= 32; };
  CHECK(is_refused([&] { return co::total<x1>(rows_of_16, co::launch{.block = {8}}); }));
  CHECK(is_refused([&] { return co::total<x1>(rows_of_16, co::launch{.block = {72}}); }));
  CHECK(is_refused([&] { return co::total<x1>(rows_of_16, co::launch{.block = {32}}, eight); }));
  CHECK(is_refused([&] { return co::total<x1>(co::layout<1>{.shape = {8}, .stride = {16}}); }));
  CHECK(is_refused([&] { return co::total<x1>(co::layout<1>{.shape = {8}, .stride = {16}}, co::block{32}); }));
  CHECK(is_refused([&] { return co::total<store_x1>(co::layout<1>{.shape = {40}, .stride = {16}}); }));
  CHECK(co::total<x1>(rows_of_16, co::launch{.block = {64}}, second).phases == 1);
  CHECK(co::total<x1>(rows_of_16, co::launch{.block = {64}}, none).phases == 0);
}
#endif
