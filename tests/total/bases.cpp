// SPDX-License-Identifier: BSL-1.0
//
// A domain and every base together (total/bases.hpp).
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/rdna.hpp>
#include <coalesce/total.hpp>

#include "machinery/check.hpp"
#include "truth/oracle/refused.hpp"

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace co = coalescing;
using co::cdna::gfx942, co::cuda::cc90;

namespace {

constexpr auto rows = [](unsigned lane, unsigned warp, unsigned step) {
  return 4ull * lane + 4096 * warp + 132 * step;
};
constexpr auto halo = [](unsigned lane, unsigned step) { return 4ll * lane - 8ll * step; };

}  // namespace

TEST_CASE("rows of 32 floats, 132 bytes apart: 4 sectors where a row begins with one, else 5") {
  constexpr auto at_16 = co::every_base{.alignment = 16};
  constexpr auto worst = co::worst<cc90::load<32>>(rows, co::domain{2, 4}, at_16);
  COALESCE_CHECK(worst.cost.transactions == 5);
  COALESCE_CHECK(worst.at.transactions == co::point{0, 0, 16});  // row 0 at base 0 begins with a sector
  COALESCE_CHECK(co::best<cc90::load<32>>(rows, co::domain{2, 4}, at_16).at.transactions == co::point{});
  // Rows 0 of the 2 warps begin with a sector at 4 of the 8 bases, the others, 4, 8 and 12 bytes on, at no base.
  COALESCE_CHECK(co::total<cc90::load<32>>(rows, co::domain{2, 4}, at_16).transactions ==
                 2 * (4 * 4 + 4 * 5 + 3 * 8 * 5));
  COALESCE_CHECK(co::total<cc90::load<32>>(rows, co::domain{2, 4}, at_16).requests == 2 * 4 * 8);
  // At every multiple of 4: each row at 4 of the 32 bases.
  COALESCE_CHECK(co::total<cc90::load<32>>(rows, co::domain{2, 4}, co::every_base{4}).transactions ==
                 2 * 4 * (4 * 4 + 28 * 5));
}
TEST_CASE("a mask, or a predicate of the lane or of all the pattern's numbers, may follow") {
  constexpr auto at_32 = co::every_base{.alignment = 32};
  constexpr auto first_step = [](unsigned, unsigned, unsigned step) { return step == 0; };
  constexpr auto half = [](unsigned lane) { return lane < 16; };
  COALESCE_CHECK(co::total<cc90::load<32>>(rows, co::domain{2, 4}, at_32, first_step).requests == 2 * 4);
  COALESCE_CHECK(co::total<cc90::load<32>>(rows, co::domain{2, 4}, at_32, first_step).transactions == 2 * 4 * 4);
  COALESCE_CHECK(co::worst<cc90::load<32>>(rows, co::domain{2, 4}, at_32, half).cost.transactions == 3);
  COALESCE_CHECK(co::worst<cc90::load<32>>(rows, co::domain{2, 4}, at_32, 1).cost.transactions == 1);
  COALESCE_CHECK(co::total<cc90::load<32>>(rows, co::domain{2, 4}, at_32, 0).requests == 0);
  COALESCE_CHECK(co::total<cc90::load<32>>(rows, co::domain{0, 4}, at_32).requests == 0);
}
TEST_CASE("a place has the numbers of the domain, of up to four dimensions, and then the base") {
  constexpr auto four = [](unsigned lane, unsigned a, unsigned b, unsigned c, unsigned d) {
    return 4 * lane + (a + b + c + d == 4 ? 4u : 0u);
  };
  constexpr auto worst = co::worst<cc90::load<32>>(four, co::domain{2, 2, 2, 2}, co::every_base{.alignment = 32});
  COALESCE_CHECK(worst.cost.transactions == 5);
  COALESCE_CHECK(worst.at.transactions == co::point{1, 1, 1, 1, 0});
  constexpr auto one = [](unsigned lane, unsigned a) { return 4 * lane + 64 * a; };  // one line at 0, or 64 bytes on
  constexpr auto best = co::best<cc90::load<32>>(one, co::domain{2}, co::every_base{.alignment = 32});
  COALESCE_CHECK(best.cost.lines == 1);
  COALESCE_CHECK(best.at.lines == co::point{0, 0});
  COALESCE_CHECK(co::worst<cc90::load<32>>(one, co::domain{2}, co::every_base{.alignment = 32}).at.lines ==
                 co::point{0, 32});
}
TEST_CASE("in shared memory all points share one base: the lowest lane of any point moves all") {
  // Step 3 begins 24 bytes below byte 0.
  constexpr auto worst = co::worst<cc90::shared_load<32>>(halo, co::domain{4}, co::every_base{.alignment = 16});
  COALESCE_CHECK(worst.cost.ways == 1);
  COALESCE_CHECK(worst.at.ways == co::point{0, 32});
  // Without step 3 the lowest is 16 bytes below.
  COALESCE_CHECK(co::worst<cc90::shared_load<32>>(halo, co::domain{3}, co::every_base{.alignment = 16}).at.ways ==
                 co::point{0, 16});
  constexpr auto not_the_last = [](unsigned, unsigned step) { return step != 3; };
  COALESCE_CHECK(
      co::worst<cc90::shared_load<32>>(halo, co::domain{4}, co::every_base{.alignment = 16}, not_the_last).at.ways ==
      co::point{0, 16});
  // Offsets of the instruction bring addresses back: 24 bytes here, so no lane is below byte 0 at base 0.
  constexpr auto pairs = [](unsigned lane, unsigned step) { return 8ll * lane - 8ll * step; };
  COALESCE_CHECK(co::worst<gfx942::ds_read2<64, 3, 9>>(pairs, co::domain{4}, co::every_base{8}).at.ways == co::point{});
  COALESCE_CHECK(co::worst<gfx942::ds_read2<64, 2, 9>>(pairs, co::domain{4}, co::every_base{8}).at.ways ==
                 co::point{0, 8});
}
#ifdef __cpp_exceptions
TEST_CASE("a point that runs past the end of shared memory at the last base is refused, also one moved from another") {
  constexpr unsigned end = 228 * 1024;
  auto const ask = [](unsigned first, bool alike) {
    auto const pattern = [=](unsigned lane, unsigned step) {
      return step == 0 ? 4 * lane : first + 4 * (alike ? lane : lane / 2 * 2);
    };
    return co::total<cc90::shared_load<32>>(pattern, co::domain{2}, co::every_base{.alignment = 32}).phases;
  };
  // The last base is 96; 31 lanes (alike) or 30 lie before the highest word.
  CHECK(ask(end - 96 - 128, true) == 8);
  CHECK_THROWS_AS(static_cast<void>(ask(end - 96 - 124, true)), co::misuse);
  CHECK(ask(end - 96 - 124, false) == 8);
  CHECK_THROWS_AS(static_cast<void>(ask(end - 96 - 120, false)), co::misuse);
  CHECK(coalescing_tests::refusal([&] { return ask(end - 96 - 120, true); }).find("lane 30, address 0x39000") !=
        std::string::npos);
}
TEST_CASE("what the domain and the bases alone refuse, both refuse together") {
  auto const ask = [](std::uint64_t alignment, co::domain<1> over) {
    auto const pattern = [](unsigned lane, unsigned) { return 16 * lane; };
    return co::total<cc90::load<128>>(pattern, over, co::every_base{alignment}).requests;
  };
  CHECK(ask(16, {3}) == 3 * 8);
  CHECK_THROWS_AS(static_cast<void>(ask(8, {3})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(ask(48, {3})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(ask(0, {3})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(ask(16, {-1})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(ask(16, {std::int64_t{1} << 32})), co::misuse);
  auto const nothing = [](unsigned, unsigned) { return false; };
  CHECK_THROWS_AS(static_cast<void>(co::worst<cc90::load<32>>(halo, co::domain{4}, co::every_base{4}, nothing)),
                  co::misuse);
}
#endif

// ---- Against an oracle: each base of each point, on its own ----

namespace {

/// A few points' addresses, by lane, and their masks.
struct points {
  std::vector<std::vector<std::int64_t>> address;
  std::vector<std::uint64_t> active;

  std::uint64_t operator()(unsigned lane, unsigned a, unsigned b) const {
    return static_cast<std::uint64_t>(address[2 * a + b][lane]);
  }
};

/// The numbers of a cost, in the order of its members.
template <class Cost>
std::vector<std::uint64_t> numbers(Cost const& cost) {
  std::vector<std::uint64_t> all(sizeof cost / 8);
  std::memcpy(all.data(), &cost, sizeof cost);
  return all;
}
template <class Places>
std::vector<co::point> places(Places const& at) {
  std::vector<co::point> all(sizeof at / sizeof(co::point));
  std::memcpy(static_cast<void*>(all.data()), &at, sizeof at);
  return all;
}

/// Asks cost() about each point at each base; `own_base`: a control, in which each point begins where it alone can.
template <class Instruction>
bool is_a_loop(points const& asked, std::uint64_t alignment, bool own_base = false) {
  auto const on = [&](unsigned lane, unsigned a, unsigned b) { return (asked.active[2 * a + b] >> lane & 1) != 0; };
  constexpr std::uint64_t nearest = co::detail::nearest_of<Instruction>;
  auto const first_of = [&](unsigned from, unsigned to) {
    std::int64_t base = 0;
    if (co::detail::capacity_of<Instruction> != 0)
      for (unsigned k = from; k != to; ++k)
        for (unsigned lane = 0; lane != Instruction::lanes; ++lane)
          while ((asked.active[k] >> lane & 1) != 0 && asked.address[k][lane] + base + std::int64_t{nearest} < 0)
            base += static_cast<std::int64_t>(alignment);
    return static_cast<std::uint64_t>(base);
  };
  typename Instruction::cost_type sum{};
  std::vector<std::vector<std::uint64_t>> all;
  std::vector<co::point> where;
  for (unsigned k = 0; k != 6; ++k) {
    if (asked.active[k] == 0) continue;
    std::uint64_t const first = own_base ? first_of(k, k + 1) : first_of(0, 6);
    for (std::uint64_t base = first; base == first || base - first < Instruction::period; base += alignment) {
      // In global memory high enough that no address is below 0.
      std::uint64_t const high = co::detail::capacity_of<Instruction> == 0 ? 1 << 20 : 0;
      auto const cost = co::cost<Instruction>(
          [&](unsigned lane) { return static_cast<std::uint64_t>(asked.address[k][lane]) + base + high; },
          asked.active[k]);
      sum += cost, all.push_back(numbers(cost)), where.push_back({{k / 2, k % 2, base}});
    }
  }
  co::domain const over{3, 2};
  co::every_base const bases{alignment};
  auto const worst = co::worst<Instruction>(asked, over, bases, on),
             best = co::best<Instruction>(asked, over, bases, on);
  bool same = co::total<Instruction>(asked, over, bases, on) == sum;
  for (std::size_t number = 0; number != all[0].size(); ++number) {
    std::size_t high = 0, low = 0;
    for (std::size_t k = 0; k != all.size(); ++k) {
      if (all[k][number] > all[high][number]) high = k;
      if (all[k][number] < all[low][number]) low = k;
    }
    same = same && numbers(worst.cost)[number] == all[high][number] && places(worst.at)[number] == where[high] &&
           numbers(best.cost)[number] == all[low][number] && places(best.at)[number] == where[low];
  }
  return same;
}

/// Strides and scattered words from a little below byte 0 on; half of the points are one before them, moved.
template <class Instruction>
points draw(std::mt19937_64& random) {
  std::int64_t const word = Instruction::alignment;
  auto const below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
  };
  points made;
  for (unsigned k = 0; k != 6; ++k) {
    std::vector<std::int64_t> lanes(64);
    auto const stride = below(9) - 2, start = below(64) - 32;
    for (unsigned lane = 0; lane != 64; ++lane)
      lanes[lane] = word * (random() % 8 == 0 ? below(128) - 32 : start + static_cast<std::int64_t>(lane) * stride);
    std::uint64_t mask = random() % 3 == 0 ? random() & random() : ~0ull;
    if (k != 0 && random() % 2 == 0) {
      auto const moved = word * (below(64) - 32);
      lanes = made.address[k - 1], mask = made.active[k - 1];
      for (auto& address : lanes) address += moved;
    }
    made.address.push_back(lanes), made.active.push_back(mask & co::detail::wave_mask<Instruction::lanes>);
  }
  made.active[0] |= 1;
  return made;
}

template <class Instruction>
unsigned disagreements(unsigned questions, bool own_base = false) {
  std::mt19937_64 random(Instruction::bytes);
  unsigned found = 0;
  for (unsigned n = 0; n != questions; ++n)
    found += !is_a_loop<Instruction>(draw<Instruction>(random), std::uint64_t{Instruction::alignment} << random() % 9,
                                     own_base);
  return found;
}

}  // namespace

TEST_CASE("a domain and every base: each base of each point asked on its own, 520 random domains") {
  CHECK(disagreements<cc90::load<32>>(40) == 0);
  CHECK(disagreements<cc90::store<128>>(40) == 0);
  CHECK(disagreements<co::cuda::cc13::load<16>>(40) == 0);
  CHECK(disagreements<co::cuda::cc20::load<64>>(40) == 0);
  CHECK(disagreements<co::gcn::buffer_load<96>>(40) == 0);
  CHECK(disagreements<gfx942::global_load<64>>(40) == 0);
  CHECK(disagreements<co::rdna::gfx1030::wave64::global_load<64>>(40) == 0);
  CHECK(disagreements<cc90::shared_load<32>>(40) == 0);
  CHECK(disagreements<cc90::shared_store<128>>(40) == 0);
  CHECK(disagreements<cc90::shared_atomic<32>>(40) == 0);
  CHECK(disagreements<gfx942::ds_read<64>>(40) == 0);
  CHECK(disagreements<gfx942::ds_write2<32, 20, 7>>(40) == 0);
  CHECK(disagreements<co::rdna::gfx1100::ds_load<128>>(40) == 0);
}
TEST_CASE("control: where each point begins at a base of its own, other places are found in shared memory") {
  CHECK(disagreements<cc90::shared_load<32>>(40, true) != 0);
  CHECK(disagreements<gfx942::ds_write2<32, 20, 7>>(40, true) != 0);
}
