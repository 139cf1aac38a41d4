// SPDX-License-Identifier: BSL-1.0
//
// Thousands of random tiles, domains, masks and addresses: what covers(), same() and footprint() over a domain answer
// is what an oracle finds byte by byte. Half of the questions are copies that are right, or wrong in one access.
#include <coalesce/cdna.hpp>
#include <coalesce/claims.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/explain.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/total.hpp>

#include "machinery/check.hpp"
#include "truth/oracle/coverage.hpp"
#include "truth/oracle/random_access.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace co = coalescing;
using namespace coalescing_tests;
using co::cdna::gfx942, co::cdna::gfx950, co::cuda::cc80, co::cuda::cc90;

namespace {

/// The manuals' figures of an instruction, written out by hand.
struct facts {
  unsigned lanes, bytes, alignment;
  std::vector<unsigned> offsets = {0};
  bool needs_every_lane = false;
};

/// A question: addresses by point and lane, and the active lanes of each point.
class question {
 public:
  question(facts const& about, std::mt19937_64& engine) : about_(about), engine_(engine) {
    for (auto& extent : extents) extent = static_cast<std::int64_t>(below(4));
    extents[2] += 1, extents[1] += 1;
    if (below(16) != 0) extents[0] += 1;
    points = static_cast<std::uint64_t>(extents[0] * extents[1] * extents[2]);
    draw_tile();
    address.resize(points * about.lanes);
    active.resize(points * about.lanes);
    if (below(2) == 0)
      scatter();
    else
      copy();
    for (std::uint64_t point = 0; point != points; ++point)
      for (unsigned lane = 0; lane != about.lanes; ++lane)
        if (active[point * about.lanes + lane])
          for (unsigned const offset : about.offsets)
            accesses.push_back({point, lane, address[point * about.lanes + lane] + offset});
  }

  [[nodiscard]] std::uint64_t number(unsigned a, unsigned b, unsigned c) const {
    return (a * static_cast<std::uint64_t>(extents[1]) + b) * static_cast<std::uint64_t>(extents[2]) + c;
  }
  [[nodiscard]] co::toucher toucher_of(lane_access const& one) const {
    auto const last = static_cast<std::uint64_t>(extents[2]), middle = static_cast<std::uint64_t>(extents[1]);
    return {.lane = one.lane, .at = {one.point / last / middle, one.point / last % middle, one.point % last}};
  }

  std::int64_t extents[3];
  std::uint64_t points;
  matrix_in_memory tile;
  std::vector<std::uint64_t> address;
  std::vector<bool> active;
  std::vector<lane_access> accesses;

 private:
  std::uint64_t below(std::uint64_t bound) { return engine_() % bound; }

  void draw_tile() {
    std::uint64_t const unit = below(3) == 0 ? 1 + below(8) : about_.bytes;
    tile.element_bytes = below(2) == 0 ? 1 : unit;
    tile.columns = tile.element_bytes == unit ? 1 + below(12) : unit * (1 + below(12));
    tile.rows = 1 + below(12);
    std::uint64_t const row = tile.columns * tile.element_bytes;
    std::uint64_t const whole = (row + about_.alignment - 1) / about_.alignment * about_.alignment;
    tile.pitch = below(3) == 0 ? row : whole + about_.alignment * below(5);
    std::uint64_t const high = below(4) == 0 ? engine_() << 20 : 0;
    tile.base = below(3) == 0 ? high + below(64) : high + about_.alignment * below(64);
  }
  void scatter() {
    std::uint64_t const span = tile.rows * tile.pitch, most = span + 96;
    std::uint64_t const density = below(4);
    for (auto& one : address) one = (tile.base + below(most) - 48) / about_.alignment * about_.alignment;
    for (std::uint64_t k = 0; k != active.size(); ++k) active[k] = density == 0 || below(density + 1) != 0;
    if (about_.needs_every_lane) whole_warps();
  }
  /// Places the vectors of the tile on the lanes in any order; then, most often, one goes wrong.
  void copy() {
    std::vector<std::uint64_t> places;
    for (std::uint64_t row = 0; row != tile.rows; ++row)
      for (std::uint64_t byte = 0; byte + about_.bytes <= tile.columns * tile.element_bytes; byte += about_.bytes)
        places.push_back((tile.base + row * tile.pitch + byte) / about_.alignment * about_.alignment);
    if (below(2) == 0) std::shuffle(places.begin(), places.end(), engine_);
    std::uint64_t const rounds = 1 + below(3);
    for (std::uint64_t k = 0; k != active.size(); ++k) {
      std::uint64_t const pair = about_.offsets.size() == 2 ? 2 * k : k;
      address[k] = places.empty() ? tile.base / about_.alignment * about_.alignment : places[pair % places.size()];
      active[k] = pair < rounds * places.size();
    }
    if (about_.needs_every_lane) whole_warps();
    if (address.empty() || below(3) == 0) return;
    std::uint64_t const wrong = below(address.size());
    if (below(2) == 0)
      address[wrong] += about_.alignment * (below(2) == 0 ? 1 : ~std::uint64_t{0});
    else if (!about_.needs_every_lane)
      active[wrong] = !active[wrong];
  }
  void whole_warps() {
    for (std::uint64_t k = 0; k != active.size(); ++k) active[k] = active[k - k % about_.lanes];
  }

  facts const& about_;
  std::mt19937_64& engine_;
};

struct tally {
  std::uint64_t asked = 0, exact = 0, even = 0, outside = 0, holes = 0, fooled = 0;
};

template <class Instruction>
void ask(facts const& about, unsigned seed, tally& sum) {
  std::mt19937_64 engine(seed);
  for (unsigned k = 0; k != share(600); ++k) {
    question const q(about, engine);
    auto const lanes = about.lanes;
    auto const pattern = [&](unsigned lane, unsigned a, unsigned b, unsigned c) {
      return q.address[q.number(a, b, c) * lanes + lane];
    };
    auto const active = [&](unsigned lane, unsigned a, unsigned b, unsigned c) -> bool {
      return q.active[q.number(a, b, c) * lanes + lane % lanes];  // the warp has more lanes than give addresses
    };
    co::domain<3> const over{{q.extents[0], q.extents[1], q.extents[2]}};
    co::tile const of{.base = q.tile.base,
                      .rows = static_cast<std::int64_t>(q.tile.rows),
                      .columns = static_cast<std::int64_t>(q.tile.columns),
                      .element_bytes = static_cast<std::int64_t>(q.tile.element_bytes),
                      .pitch = static_cast<std::int64_t>(q.tile.pitch)};
    auto const is = co::covers<Instruction>(pattern, over, of, active);
    auto const expected = covered_by(q.accesses, about.bytes, q.tile);
    REQUIRE(is.bytes == expected.bytes);
    REQUIRE(is.touched == expected.touched);
    REQUIRE(is.least == expected.least);
    REQUIRE(is.most == expected.most);
    REQUIRE(is.outside == expected.outside);
    REQUIRE(is.hole == expected.hole);
    REQUIRE(is.twice == expected.twice);
    REQUIRE(is.beyond == expected.beyond);
    bool const exact = expected.least == 1 && expected.most == 1 && expected.outside == 0;
    bool const even = expected.least != 0 && expected.least == expected.most && expected.outside == 0;
    REQUIRE(is.exactly_once == exact);
    REQUIRE(is.evenly == even);
    if (expected.most > 1) {
      REQUIRE(is.by[0] == q.toucher_of(expected.by[0]));
      REQUIRE(is.by[1] == q.toucher_of(expected.by[1]));
    }
    if (expected.outside != 0) REQUIRE(is.beyond_by == q.toucher_of(expected.beyond_by));
    auto const wrong = covered_by(q.accesses, about.bytes, q.tile, true);
    ++sum.asked, sum.exact += exact, sum.even += even && !exact, sum.outside += expected.outside != 0;
    sum.holes += expected.hole != co::coverage::nowhere;
    sum.fooled += wrong.outside != is.outside || wrong.bytes != is.bytes;

    bool const wraps = std::any_of(q.accesses.begin(), q.accesses.end(), [&](lane_access const& one) {
      return one.address > ~std::uint64_t{0} - 15;  // footprint() refuses an access past the top of the address space
    });
    if (!wraps) {
      REQUIRE(co::footprint<32, Instruction>(pattern, over, active) == bytes_of_pieces(q.accesses, about.bytes, 32));
      REQUIRE(co::footprint<1, Instruction>(pattern, over, active) == bytes_of_pieces(q.accesses, about.bytes, 1));
    }
  }
}

}  // namespace

TEST_CASE("covers and footprint: as the oracle counts, byte by byte") {
  tally sum;
  ask<cc90::shared_store<32>>({32, 4, 4}, 1, sum);
  ask<cc80::cp_async<16>::shared>({32, 16, 16}, 2, sum);
  ask<cc90::load<8>>({32, 1, 1}, 3, sum);
  ask<cc90::ldmatrix<4>>({.lanes = 32, .bytes = 16, .alignment = 16, .needs_every_lane = true}, 4, sum);
  ask<cc90::ldmatrix<1>>({.lanes = 8, .bytes = 16, .alignment = 16, .needs_every_lane = true}, 5, sum);
  ask<gfx942::ds_write<64>>({64, 8, 8}, 6, sum);
  ask<gfx942::ds_read<96>>({64, 12, 16}, 7, sum);
  ask<gfx942::ds_write2<32, 0, 1>>({64, 4, 4, {0, 4}}, 8, sum);
  ask<gfx942::ds_write2st64<64, 0, 0>>({64, 8, 8, {0}}, 9, sum);
  ask<gfx950::ds_read_tr<64>>({.lanes = 64, .bytes = 8, .alignment = 8, .needs_every_lane = true}, 10, sum);
  ask<co::gcn::buffer_load<128>>({64, 16, 4}, 11, sum);
  CHECK(sum.asked == 11 * share(600));
  // Each kind of answer is frequent, and the control, which takes padding for a part of the tile, is found out.
  CHECK(sum.exact > sum.asked / 40);
  CHECK(sum.even > sum.asked / 40);
  CHECK(sum.outside > sum.asked / 10);
  CHECK(sum.holes > sum.asked / 10);
  CHECK(sum.fooled > sum.asked / 10);
}

TEST_CASE("same: the first of the points where two tables differ") {
  std::mt19937_64 engine(1);
  auto const below = [&](std::uint64_t bound) { return engine() % bound; };
  unsigned equal = 0, late = 0;
  for (unsigned k = 0; k != share(3000); ++k) {
    unsigned const x = 1 + static_cast<unsigned>(below(8)), y = 1 + static_cast<unsigned>(below(8)),
                   z = 1 + static_cast<unsigned>(below(8));
    std::vector<std::uint64_t> table(x * y * z);
    for (auto& one : table) one = engine();
    auto other = table;
    for (std::uint64_t changes = below(3); changes != 0; --changes) other[below(other.size())] ^= 1ull << below(64);
    auto const of = [&](std::vector<std::uint64_t> const& values) {
      return [&values, y, z](unsigned a, unsigned b, unsigned c) { return values[(a * y + b) * z + c]; };
    };
    auto const is = co::same(of(table), of(other), co::domain<3>{{x, y, z}});
    std::uint64_t first = 0;
    while (first != table.size() && table[first] == other[first]) ++first;
    REQUIRE(is.same == (first == table.size()));
    equal += is.same;
    if (is.same) continue;
    REQUIRE(is.at == co::point{first / z / y, first / z % y, first % z});
    REQUIRE(is.first == table[first]);
    REQUIRE(is.second == other[first]);
    late += first != 0;
  }
  CHECK(equal > share(500));
  CHECK(late > share(500));
}

TEST_CASE("explain over a domain: the point that a search finds, and its own explanation") {
  std::mt19937_64 engine(1);
  unsigned not_first = 0;
  for (unsigned k = 0; k != share(300); ++k) {
    auto const stride = [seed = engine()](unsigned warp, unsigned step) { return seed >> (7 * warp + step) & 31; };
    auto const pattern = [&](unsigned lane, unsigned warp, unsigned step) { return 4 * stride(warp, step) * lane; };
    unsigned at[2] = {};
    std::uint64_t most = 0;
    for (unsigned warp = 0; warp != 4; ++warp)
      for (unsigned step = 0; step != 7; ++step) {
        auto const rounds =
            co::cost<cc90::shared_load<32>>([&](unsigned lane) { return pattern(lane, warp, step); }).rounds;
        if (rounds > most) most = rounds, at[0] = warp, at[1] = step;
      }
    std::string const text = co::explain<cc90::shared_load<32>>(pattern, co::domain{4, 7});
    std::string const why =
        co::explain<cc90::shared_load<32>>([&](unsigned lane) { return pattern(lane, at[0], at[1]); });
    REQUIRE(text == "The worst of 28 points is (" + std::to_string(at[0]) + ", " + std::to_string(at[1]) +
                        "), the first with the most rounds, " + std::to_string(most) + "\n" + why);
    not_first += at[0] + at[1] != 0;
  }
  CHECK(not_first > share(100));
}
