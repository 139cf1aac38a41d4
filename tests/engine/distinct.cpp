// SPDX-License-Identifier: BSL-1.0
#include <coalesce/core/pattern.hpp>
#include <coalesce/engine/distinct.hpp>

#include "machinery/check.hpp"
#include "truth/oracle/oracle.hpp"

#include <bit>

namespace co = coalescing;
using namespace coalescing_tests;

namespace {

constexpr co::access<64> ask(auto const& pattern, std::uint64_t active = co::all_lanes) {
  return co::detail::apply<64>(pattern, active, {.bytes = 4, .alignment = 4});
}
constexpr std::uint64_t reversed(unsigned lane) { return 4 * (63 - lane); }
constexpr std::uint64_t pairs_far_apart(unsigned lane) { return (std::uint64_t{1} << 40) * (lane / 2); }

}  // namespace

TEST_CASE("a lane that is not active stands where an active one does, before the first one too") {
  constexpr auto asked = ask(co::linear{.base = 256, .stride = 4}, 0b1010'0100);
  COALESCE_CHECK(asked.address[0] == 264);
  COALESCE_CHECK(asked.address[2] == 264);
  COALESCE_CHECK(asked.address[4] == 264);
  COALESCE_CHECK(asked.address[5] == 276);
  COALESCE_CHECK(asked.address[63] == 284);
}
TEST_CASE("addresses differ in the bits in which those of two active lanes do") {
  COALESCE_CHECK(ask(co::linear{.base = 1 << 20, .stride = 4}).differ == 0xfc);
  COALESCE_CHECK(ask(co::broadcast{.base = 44}).differ == 0);
  COALESCE_CHECK(ask(co::linear{.base = 64, .stride = 4}, 0b1001'0000).differ == 0b1100);  // at 80 and 92
  COALESCE_CHECK(ask(reversed, 0).differ == 0);
}
TEST_CASE("addresses ascend where no active lane's is lower than the one before") {
  using co::detail::ascends;
  COALESCE_CHECK(ascends(ask(co::linear{.stride = 4})));
  COALESCE_CHECK(ascends(ask(co::broadcast{})));
  COALESCE_CHECK(!ascends(ask(reversed)));
  COALESCE_CHECK(!ascends(ask([](unsigned lane) { return lane == 63 ? 0u : 4 * lane; })));
  COALESCE_CHECK(!ascends(ask([](unsigned lane) { return lane == 0 ? 512 : 4 * lane + 256; })));
  COALESCE_CHECK(ascends(ask([](unsigned lane) { return lane == 63 ? 0u : 4 * lane; }, ~0ull >> 1)));
}
TEST_CASE("near together or far apart, in either order as many distinct numbers are found") {
  COALESCE_CHECK(co::detail::count_distinct<32>(ask(pairs_far_apart)) == 32);
  COALESCE_CHECK(co::detail::count_distinct<32>(ask([](unsigned lane) { return pairs_far_apart(63 - lane); })) == 32);
  // The first 64 pieces of a row of 64, and 64 that lie in two rows.
  COALESCE_CHECK(co::detail::count_distinct<32>(ask(co::linear{.stride = 32})) == 64);
  COALESCE_CHECK(co::detail::count_distinct<32>(ask(co::linear{.base = 32, .stride = 32})) == 64);
  COALESCE_CHECK(co::detail::count_distinct<32>(ask(co::linear{.base = 64 * 32, .stride = 32})) == 64);
  COALESCE_CHECK(co::detail::count_distinct<32>(ask([](unsigned lane) { return (64ull - lane) << 40; })) == 64);
  COALESCE_CHECK(co::detail::count_distinct<32>(ask(co::linear{.stride = 4})) == 8);
  COALESCE_CHECK(co::detail::count_distinct<32>(ask(reversed)) == 8);
  COALESCE_CHECK(co::detail::count_distinct<4>(ask(reversed)) == 64);
  COALESCE_CHECK(co::detail::count_distinct<4>(ask(reversed, 0)) == 0);
  COALESCE_CHECK(co::detail::count_distinct<4>(ask(reversed, 0x8000'0000'0000'0001)) == 2);
}
TEST_CASE("two addresses are in one piece if they differ within it alone: each distance, on any piece") {
  for (std::uint64_t const piece : {0u, 1u, 63u, 64u, 65u})
    for (unsigned bit = 2; bit != 64; ++bit)
      for (bool const down : {false, true}) {
        std::uint64_t const one = 32 * piece, other = one ^ std::uint64_t{1} << bit;
        auto const two = ask([=](unsigned lane) { return (lane < 20) == down ? other : one; });
        CHECK(co::detail::count_distinct<32>(two) == (bit < 5 ? 1 : 2));
      }
}
TEST_CASE("the table finds the first lane with a number when every number falls into one slot") {
  co::detail::first_lanes<64> first;
  // Numbers whose product with the multiplier has no bits that choose a slot.
  for (unsigned lane = 0; lane != 64; ++lane) CHECK(first(std::uint64_t{lane} << 44, lane) == lane);
  for (unsigned lane = 0; lane != 64; ++lane) CHECK(first(std::uint64_t{lane} << 44, 0) == lane);
}
TEST_CASE("a group of all lanes, or of half of them, is active where one of its lanes is") {
  COALESCE_CHECK(co::detail::active_groups(1ull << 63, 64) == 1);
  COALESCE_CHECK(co::detail::active_groups(1ull << 63, 32) == 1);
  COALESCE_CHECK(co::detail::active_groups(1ull << 63 | 1ull << 31, 32) == 2);
  COALESCE_CHECK(co::detail::active_groups(0, 64) == 0);
}
TEST_CASE("a mask has as many lanes as bits, and groups where one of their lanes is active") {
  std::mt19937_64 engine(3);
  for (unsigned n = 0; n != 10'000; ++n) {
    std::uint64_t const mask = n == 0 ? 0 : n == 1 ? ~0ull : engine() & (n % 3 == 0 ? engine() & engine() : ~0ull);
    CHECK(co::detail::count_bits(mask) == static_cast<std::uint64_t>(std::popcount(mask)));
    for (unsigned const size : {1u, 2u, 4u, 8u, 16u, 32u, 64u}) {
      std::set<unsigned> groups;
      for (unsigned lane = 0; lane != 64; ++lane)
        if ((mask >> lane & 1) != 0) groups.insert(lane / size);
      CHECK(co::detail::active_groups(mask, size) == groups.size());
    }
  }
}
TEST_CASE("a part of a wave is an access of its own") {
  constexpr auto part = co::detail::part_of<16>(ask(reversed, 0x0000'0000'0014'0001), 1);
  COALESCE_CHECK(part.active == 0x14);
  COALESCE_CHECK(part.address[2] == 4 * (63 - 18));
  COALESCE_CHECK(part.address[0] == 4 * (63 - 18));
  COALESCE_CHECK(part.address[15] == 4 * (63 - 20));
  COALESCE_CHECK(part.differ == (4 * (63 - 18) ^ 4 * (63 - 20)));
  COALESCE_CHECK(co::detail::part_of<16>(ask(reversed, 1), 1).active == 0);
  constexpr auto bytes = co::detail::apply<64>(co::linear{.base = 1, .stride = 3}, co::all_lanes, {1, 1});
  COALESCE_CHECK(co::detail::part_of<32>(bytes, 1).address[31] == 1 + 3 * 63);  // not aligned to more than a byte
}
TEST_CASE("a lane as wide as a piece names all of it") {
  COALESCE_CHECK(co::detail::count_whole<32, 32>(ask(co::linear{.stride = 32})) == 64);
  COALESCE_CHECK(co::detail::count_whole<32, 32>(ask(co::linear{.stride = 32}, 1)) == 1);
  COALESCE_CHECK(co::detail::count_whole<32, 32>(ask(co::linear{.stride = 32}, 0)) == 0);
  COALESCE_CHECK(co::detail::count_whole<64, 64>(ask(co::broadcast{64})) == 1);
}
TEST_CASE("whole pieces, and the most lanes on one address, agree with sets and counts") {
  unsigned disagreements = 0, noticed = 0;
  random_accesses accesses(4, 4, 8);
  for (unsigned n = 0; n != share(20'000); ++n) {
    auto const made = accesses.next();
    auto const asked = ask(made.address, made.active);
    std::map<std::uint64_t, std::set<std::uint64_t>> named;
    for (auto const byte : touched_bytes(made, 4)) named[byte / 32].insert(byte);
    std::uint64_t whole = 0, most = 0;
    for (auto const& [piece, bytes] : named) whole += bytes.size() == 32;
    std::map<std::uint64_t, std::uint64_t> lanes;
    for (unsigned lane = 0; lane != 64; ++lane)
      if (is_active(made, lane)) most = std::max(most, ++lanes[made.address[lane]]);
    disagreements += co::detail::count_whole<32, 4>(asked) != whole || co::detail::most_on_one_address(asked) != most;
    noticed += named.size() != whole;
  }
  CHECK(disagreements == 0);
  CHECK(noticed > share(5'000));
}
