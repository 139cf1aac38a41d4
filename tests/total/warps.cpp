// SPDX-License-Identifier: BSL-1.0
//
// Launches of functions (total/warps.hpp): every thread is asked, and a cost that is known is not counted again.
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/total.hpp>

#include "machinery/check.hpp"
#include "truth/oracle/oracle.hpp"
#include "truth/oracle/refused.hpp"

#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace co = coalescing;
using co::cdna::gfx942, co::cuda::cc90;

namespace {

constexpr auto elementwise = [](co::invocation const& at) { return 4ull * (at.block.x * 128 + at.thread.x); };
template <unsigned Elements>
constexpr auto below = [](co::invocation const& at) { return at.block.x * 128 + at.thread.x < Elements; };

}  // namespace

TEST_CASE(
    "elementwise code with a tail: the launch of a function costs what the blocks of a layout do, in closed form") {
  constexpr co::layout<1> some{.shape = {2'450}, .stride = {4}};
  COALESCE_CHECK(co::total<cc90::load<32>>(elementwise, co::launch{.grid = {20}, .block = {128}}, below<2'450>) ==
                 co::total<cc90::load<32>>(some, co::block{128}));
  // 1,954 blocks of 4 warps, 250,000 elements: 7,812 warps of 4 sectors and half a warp of 2.
  auto const all = co::total<cc90::load<32>>(elementwise, co::launch{.grid = {1'954}, .block = {128}}, below<250'000>);
  CHECK(all.transactions == 7'812 * 4 + 2);
  CHECK(all.requests == 7'813);
  CHECK(all == co::total<cc90::load<32>>(co::layout<1>{.shape = {250'000}, .stride = {4}}, co::block{128}));
}
TEST_CASE("a function that looks affine wherever one would look, and is not: one thread in the midst has another row") {
  constexpr auto odd = [](co::invocation const& at) {
    bool const there = at.block.x == 7 && at.thread.x == 77;
    return elementwise(at) + (there ? 1 << 20 : 0);
  };
  constexpr co::launch launch{.grid = {16}, .block = {128}};
  COALESCE_CHECK(co::total<cc90::load<32>>(odd, launch).transactions == 64 * 4 + 1);
  COALESCE_CHECK(co::worst<cc90::load<32>>(odd, launch).at.transactions == co::point{7, 0, 0, 2});
  constexpr auto all_but_one = [](co::invocation const& at) { return at.block.x != 9 || at.thread.x != 40; };
  COALESCE_CHECK(co::total<cc90::load<32>>(elementwise, launch, all_but_one).bytes_used == 4 * (16 * 128 - 1));
  COALESCE_CHECK(co::best<cc90::load<32>>(elementwise, launch, all_but_one).at.bytes_used == co::point{9, 0, 0, 1});
}
#ifdef __cpp_exceptions
TEST_CASE("every warp's addresses are checked, also those of a warp that lies like an earlier one") {
  // Row k of 128 bytes; the last one ends with shared memory, or runs past it.
  constexpr co::launch launch{.grid = {228 * 8}, .block = {32}};
  auto const rows = [](unsigned first) {
    return [=](co::invocation const& at) { return first + 128 * at.block.x + 4 * at.thread.x; };
  };
  CHECK(co::total<cc90::shared_load<32>>(rows(0), launch).rounds == 228 * 8);
  CHECK(coalescing_tests::refusal([&] {
          return co::total<cc90::shared_load<32>>(rows(4), launch);
        }).find("lane 31, address 0x39000") != std::string::npos);
  auto const misaligned = [](co::invocation const& at) { return 128 * at.block.x + 4 * at.thread.x + at.block.x / 9; };
  CHECK(coalescing_tests::refusal([&] {
          return co::total<cc90::load<32>>(misaligned, launch);
        }).find("lane 0, address 0x481: the address is not a multiple") != std::string::npos);
  auto const to_the_top = [](co::invocation const& at) { return 0ull - 4096 + 128 * at.block.x + 4 * at.thread.x; };
  CHECK(co::total<cc90::load<32>>(to_the_top, co::launch{.grid = {32}, .block = {32}}).transactions == 128);
  CHECK_THROWS_AS(static_cast<void>(co::total<cc90::load<32>>(
                      [&](co::invocation const& at) { return to_the_top(at) + 126; }, launch)),
                  co::misuse);
  auto const narrow = [](co::invocation const& at) { return static_cast<short>(4 * at.thread.x + 4096 * at.block.x); };
  CHECK(co::total<cc90::load<32>>(narrow, co::launch{.grid = {8}, .block = {32}}).requests == 8);
  CHECK_THROWS_AS(static_cast<void>(co::total<cc90::load<32>>(narrow, co::launch{.grid = {9}, .block = {32}})),
                  co::misuse);
}
#endif
TEST_CASE("an address below byte 0 that an offset brings back, in every block") {
  constexpr auto pairs = [](co::invocation const& at) { return 8 * at.thread.x - 64 + 512 * at.block.x; };
  COALESCE_CHECK(co::total<gfx942::ds_read2<64, 8, 9>>(pairs, co::launch{.grid = {4}, .block = {64}}).rounds == 4 * 8);
}

// ---- Against an oracle: each warp on its own ----

namespace {

/// A function with six steps, and with words elsewhere where `odd` is not 0.
struct formula {
  std::uint64_t base, step[6], odd;
  std::uint64_t operator()(co::invocation const& at) const {
    std::uint64_t const plain = base + step[0] * at.block.x + step[1] * at.block.y + step[2] * at.block.z +
                                step[3] * at.thread.x + step[4] * at.thread.y + step[5] * at.thread.z;
    bool const here = odd != 0 && (at.block.x + 3 * at.block.y + 7 * at.thread.x + 11 * at.thread.y) % odd == 0;
    return here ? base + 64 * at.thread.x : plain;
  }
};
struct condition {
  unsigned kind, bound;
  bool operator()(co::invocation const& at) const {
    switch (kind) {
      case 0:
        return true;
      case 1:
        return 24 * at.block.x + at.thread.x < bound;  // a tail
      case 2:
        return at.thread.x % 4 != 1;
      default:
        return (at.thread.x + at.block.x * 5 + at.block.y) % 9 != 0;
    }
  }
};

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

/// Asks cost() about each warp, from the last to the first; `first_blocks`: a control, which takes the costs of the
/// first block for those of all.
template <class Instruction>
bool is_a_loop(formula const& of, condition const& active, co::launch const& over, bool first_blocks) {
  auto const extents = over.block;
  auto const threads = static_cast<unsigned>(extents.x * extents.y * extents.z);
  auto const blocks = static_cast<unsigned>(over.grid.x * over.grid.y * over.grid.z);
  typename Instruction::cost_type sum{};
  std::vector<std::vector<std::uint64_t>> all;
  std::vector<co::point> where;
  for (unsigned block = blocks; block-- != 0;)
    for (unsigned first = (threads - 1) / Instruction::lanes * Instruction::lanes + Instruction::lanes; first != 0;) {
      first -= Instruction::lanes;
      auto const at = [&](unsigned lane) {
        unsigned const asked = first_blocks ? 0 : block, width = static_cast<unsigned>(over.grid.x),
                       height = static_cast<unsigned>(over.grid.y);
        return co::invocation{{asked % width, asked / width % height, asked / width / height},
                              co::thread_at(first + lane, extents)};
      };
      auto const cost =
          co::cost<Instruction>([&](unsigned lane) { return of(at(lane)); },
                                [&](unsigned lane) { return first + lane < threads && active(at(lane)); });
      if (cost == typename Instruction::cost_type{}) continue;  // not issued
      auto const width = static_cast<unsigned>(over.grid.x), height = static_cast<unsigned>(over.grid.y);
      sum += cost, all.push_back(numbers(cost)),
          where.push_back(
              {{block % width, block / width % height, block / width / height, first / Instruction::lanes}});
    }
  bool same = co::total<Instruction>(of, over, active) == sum;
  if (all.empty()) return same;
  auto const worst = co::worst<Instruction>(of, over, active), best = co::best<Instruction>(of, over, active);
  for (std::size_t number = 0; number != all[0].size(); ++number) {
    std::size_t high = 0, low = 0;  // >=, since they go backwards
    for (std::size_t k = 0; k != all.size(); ++k) {
      if (all[k][number] >= all[high][number]) high = k;
      if (all[k][number] <= all[low][number]) low = k;
    }
    same = same && numbers(worst.cost)[number] == all[high][number] && places(worst.at)[number] == where[high] &&
           numbers(best.cost)[number] == all[low][number] && places(best.at)[number] == where[low];
  }
  return same;
}

template <class Instruction>
unsigned disagreements(unsigned questions, bool first_blocks = false) {
  std::mt19937_64 random(Instruction::bytes + Instruction::lanes);
  unsigned found = 0;
  co::block const shapes[] = {{128}, {24, 5}, {8, 8, 3}, {100}, {32, 2}};
  co::block const grids[] = {{7}, {5, 2}, {3, 2, 2}, {1}};
  for (unsigned n = 0; n != questions; ++n) {
    std::uint64_t const word = Instruction::alignment;
    formula of{.base = word * (random() % 64), .step = {}, .odd = random() % 3 == 0 ? 5 + random() % 90 : 0};
    for (auto& step : of.step) step = word * (random() % (random() % 2 == 0 ? 4 : 70));
    condition const active{.kind = static_cast<unsigned>(random() % 4), .bound = static_cast<unsigned>(random() % 200)};
    found +=
        !is_a_loop<Instruction>(of, active, {.grid = grids[random() % 4], .block = shapes[random() % 5]}, first_blocks);
  }
  return found;
}

}  // namespace

TEST_CASE("launches of functions: each warp asked on its own, 1,200 random launches") {
  unsigned const each = coalescing_tests::share(200);
  CHECK(disagreements<cc90::load<32>>(each) == 0);
  CHECK(disagreements<cc90::store<128>>(each) == 0);
  CHECK(disagreements<cc90::shared_load<64>>(each) == 0);
  CHECK(disagreements<co::cuda::cc13::load<16>>(each) == 0);
  CHECK(disagreements<gfx942::global_load<64>>(each) == 0);
  CHECK(disagreements<co::gcn::ds_read<32>>(each) == 0);
}
TEST_CASE("control: the costs of the first block are not those of all") {
  CHECK(disagreements<cc90::load<32>>(60, true) != 0);
  CHECK(disagreements<gfx942::global_load<64>>(60, true) != 0);
}
