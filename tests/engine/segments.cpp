// SPDX-License-Identifier: BSL-1.0
#include <coalesce/core/pattern.hpp>
#include <coalesce/engine/footprint.hpp>

#include "machinery/check.hpp"
#include "truth/oracle/oracle.hpp"

#include <vector>

namespace co = coalescing;
using namespace coalescing_tests;

namespace {

constexpr co::access<64> access_of(std::uint64_t first, std::uint64_t second, unsigned bytes) {
  return co::detail::apply<64>([=](unsigned lane) { return lane == 5 ? first : second; },
                               std::uint64_t{1} << 5 | std::uint64_t{1} << 9, {.bytes = bytes, .alignment = 1});
}

constexpr std::uint64_t segments(co::access<64> const& access, std::uint64_t size) {
  return co::detail::count_segments(co::detail::by_address(access), size);
}

template <std::uint64_t Size>
bool agrees(random_access const& made, unsigned bytes, std::uint64_t wrong = 0) {
  auto const touched = touched_bytes(made, bytes);
  auto const pieces = touched_pieces(touched, Size);
  if (co::footprint<Size>(made.address, bytes, made.active) != pieces.size() * Size + wrong) return false;

  auto const access = co::detail::apply<64>(made.address, made.active, {.bytes = bytes, .alignment = 1});
  auto const lanes = co::detail::by_address(access);
  if (co::detail::count_bytes(lanes) != touched.size()) return false;

  co::transaction_list<128> list;
  co::detail::list_segments(lanes, Size, list);
  auto const served = served_lanes(made, bytes, Size);
  if (list.size() != served.size()) return false;
  auto expected = served.begin();  // ascending, as the list must be
  for (auto const& piece : list) {
    if (piece.address != expected->first || piece.bytes != Size || piece.lanes != expected->second) return false;
    ++expected;
  }
  return true;
}

}  // namespace

TEST_CASE("two lanes in one segment are one segment") { COALESCE_CHECK(segments(access_of(0, 60, 4), 64) == 1); }
TEST_CASE("two lanes in two segments are two") { COALESCE_CHECK(segments(access_of(64, 60, 4), 64) == 2); }
TEST_CASE("a lane that straddles touches both segments") { COALESCE_CHECK(segments(access_of(62, 62, 4), 64) == 2); }
TEST_CASE("a straddling lane and its neighbour share the second segment") {
  COALESCE_CHECK(segments(access_of(126, 62, 4), 64) == 3);
}
TEST_CASE("the last bytes of the address space are a segment like any other") {
  COALESCE_CHECK(segments(access_of(~std::uint64_t{0} - 3, 0, 4), 64) == 2);
  COALESCE_CHECK(co::footprint<64>(co::broadcast{~std::uint64_t{0}}, 1) == 64);
}
TEST_CASE("no active lane touches nothing") { COALESCE_CHECK(co::footprint<32>(co::linear{.stride = 4}, 4, 0) == 0); }
TEST_CASE("an access wider than the segment touches several") {
  COALESCE_CHECK(co::footprint<32>(co::broadcast{1}, 100) == 4 * 32);
  COALESCE_CHECK(co::footprint<1>(co::linear{.stride = 1}, 3) == 66);
}

TEST_CASE("a list names the lanes of each segment, in ascending order of address") {
  constexpr auto listed = [] {
    co::transaction_list<128> list;
    co::detail::list_segments(co::detail::by_address(access_of(126, 62, 4)), 64, list);
    return list;
  }();
  COALESCE_CHECK(listed.size() == 3);
  COALESCE_CHECK(listed[0] == co::transaction{.address = 0, .bytes = 64, .lanes = 1u << 9});
  COALESCE_CHECK(listed[1] == co::transaction{.address = 64, .bytes = 64, .lanes = 1u << 9 | 1u << 5});
  COALESCE_CHECK(listed[2] == co::transaction{.address = 128, .bytes = 64, .lanes = 1u << 5});
}

TEST_CASE("waves of one lane and of two sort") {
  constexpr co::detail::address_limits words{.bytes = 4, .alignment = 4};
  constexpr auto one = co::detail::by_address(co::detail::apply<1>(co::broadcast{8}, co::all_lanes, words));
  COALESCE_CHECK(one.count == 1);
  COALESCE_CHECK(one.at[0].address == 8);
  constexpr auto pair = co::detail::apply<2>([](unsigned lane) { return 128 - 64 * lane; }, co::all_lanes, words);
  constexpr auto two = co::detail::by_address(pair);
  COALESCE_CHECK(two.count == 2);
  COALESCE_CHECK(two.at[0].address == 64);
  COALESCE_CHECK(two.at[0].lane == 1);
  COALESCE_CHECK(two.at[1].lane == 0);
  COALESCE_CHECK(co::detail::count_touched<64, 8, 4>(pair) == 2);
}
TEST_CASE("any order of the lanes sorts") {
  std::mt19937_64 engine(7);
  for (unsigned count = 0; count != 64; ++count)
    for (unsigned round = 0; round != 20; ++round) {
      std::vector<std::uint64_t> asked(64), expected;
      for (unsigned lane = 0; lane != count; ++lane) expected.push_back(asked[lane] = engine() % 50);
      auto const access = co::detail::apply<64>(asked, count == 0 ? 0 : ~std::uint64_t{0} >> (64 - count),
                                                {.bytes = 1, .alignment = 1});
      std::sort(expected.begin(), expected.end());
      auto const lanes = co::detail::by_address(access);
      CHECK(lanes.count == count);
      std::uint64_t seen = 0;
      for (unsigned k = 0; k != count; ++k) {
        CHECK(lanes.at[k].address == expected[k]);
        CHECK(access.address[lanes.at[k].lane] == expected[k]);
        seen |= std::uint64_t{1} << lanes.at[k].lane;
      }
      CHECK(seen == access.active);
    }
}

TEST_CASE("the segment engine agrees with a set of bytes in 120,000 comparisons on 40,000 random accesses") {
  unsigned disagreements = 0, noticed = 0;
  for (unsigned const bytes : {1u, 2u, 3u, 4u, 8u, 12u, 16u, 32u}) {
    random_accesses accesses(bytes, bytes % 4 == 0 ? 4 : 1, bytes);
    for (unsigned n = 0; n != share(5'000); ++n) {
      auto const made = accesses.next();
      disagreements += !agrees<32>(made, bytes);
      disagreements += !agrees<64>(made, bytes);
      disagreements += !agrees<128>(made, bytes);
      noticed += !agrees<64>(made, bytes, 64);  // the control: one segment too many
    }
  }
  CHECK(disagreements == 0);
  CHECK(noticed == 8 * share(5'000));
}

// ---- Counting without sorting ----

namespace {

/// The counters that know the width of a lane, against the same sets of bytes.
template <std::uint64_t Size, unsigned Bytes, unsigned Alignment>
unsigned disagreements(unsigned count, std::uint64_t wrong = 0) {
  unsigned found = 0;
  random_accesses accesses(Bytes, Alignment, Bytes + Alignment);
  for (unsigned n = 0; n != count; ++n) {
    auto const made = accesses.next();
    auto const touched = touched_bytes(made, Bytes);
    auto const access = co::detail::apply<64>(made.address, made.active, {.bytes = Bytes, .alignment = Alignment});
    found +=
        co::detail::count_touched<Size, Bytes, Alignment>(access) != touched_pieces(touched, Size).size() + wrong ||
        co::detail::count_bytes<Bytes, Alignment>(access) != touched.size();
  }
  return found;
}

}  // namespace

TEST_CASE("pieces and bytes are counted without sorting: naturally aligned words") {
  CHECK(disagreements<32, 1, 1>(share(5'000)) == 0);
  CHECK(disagreements<32, 4, 4>(share(5'000)) == 0);
  CHECK(disagreements<128, 16, 16>(share(5'000)) == 0);
  CHECK(disagreements<32, 32, 32>(share(5'000)) == 0);
}
TEST_CASE("pieces and bytes are counted without sorting: words that may straddle two pieces, and overlap") {
  CHECK(disagreements<64, 2, 1>(share(5'000)) == 0);
  CHECK(disagreements<64, 8, 4>(share(5'000)) == 0);
  CHECK(disagreements<64, 12, 4>(share(5'000)) == 0);
  CHECK(disagreements<128, 16, 4>(share(5'000)) == 0);
  CHECK(disagreements<64, 64, 4>(share(5'000)) == 0);
}
TEST_CASE("a wave of words that all straddle touches two pieces a lane, up or down, and a list has room for them") {
  constexpr auto straddling = [](bool down) {
    auto const address = [=](unsigned lane) { return 60 + 128 * (down ? 63 - lane : lane); };
    return co::detail::apply<64>(address, co::all_lanes, {.bytes = 12, .alignment = 4});
  };
  COALESCE_CHECK(co::detail::count_touched<64, 12, 4>(straddling(false)) == 128);
  COALESCE_CHECK(co::detail::count_touched<64, 12, 4>(straddling(true)) == 128);
  COALESCE_CHECK(co::detail::list_touched<64, 12, 4>(straddling(false)).size() == 128);
  COALESCE_CHECK(co::detail::list_touched<64, 12, 4>(straddling(true)).size() == 128);
}
TEST_CASE("one lane that overlaps the others is noticed, whichever it is and wherever they are") {
  for (unsigned base = 0; base != 200; base += 4)
    for (unsigned shifted = 0; shifted != 64; ++shifted) {
      auto const address = [=](unsigned lane) { return base + (lane == shifted ? 4 : 0); };
      auto const asked = co::detail::apply<64>(address, co::all_lanes, {.bytes = 12, .alignment = 4});
      CHECK(co::detail::count_bytes<12, 4>(asked) == 16);
    }
}
TEST_CASE("control: a piece too many is noticed every time") {
  CHECK(disagreements<64, 12, 4>(1'000, 1) == 1'000);
  CHECK(disagreements<32, 4, 4>(1'000, 1) == 1'000);
}
TEST_CASE(
    "words 12 bytes wide that are 4 bytes apart, downward, overlap though a difference modulo 2^64 divides by 12") {
  constexpr auto asked =
      co::detail::apply<64>([](unsigned lane) { return 1024 - 4 * lane; }, 0b11, {.bytes = 12, .alignment = 4});
  COALESCE_CHECK(co::detail::count_bytes<12, 4>(asked) == 16);
}
