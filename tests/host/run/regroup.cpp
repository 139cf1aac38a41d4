// SPDX-License-Identifier: BSL-1.0
#include <coalesce/host/kernel/regroup.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <utility>
#include <vector>

// Lanes that are regrouped by the blocks that they told, against a machine with an execution mask: random programs of
// ifs, loops, breaks, continues and returns, whose data differ by lane. Each lane alone tells its way; the machine with
// the mask runs all lanes at once, and says which of them issue what together.

namespace {

using coalescing::detail::host_access;
using entry = host_access::entry;
using issues = std::map<std::pair<std::uint64_t, std::uint64_t>, unsigned>;  // place and lanes: how often

enum class kind { access, branch, loop, leave_loop, next_round, leave };

struct node {
  kind is;
  std::uint64_t place;  // of its first block or its access; others follow it
  std::vector<node> first, second;
};

struct grammar {
  std::mt19937 random;
  std::uint64_t places = 0;
  unsigned below(unsigned n) { return static_cast<unsigned>(random() % n); }
  std::vector<node> list(unsigned depth, bool in_loop) {
    std::vector<node> made;
    for (unsigned k = 1 + below(4); k != 0; --k) {
      unsigned const what = below(10);
      std::uint64_t const place = places += 10;
      if (what < 4 || depth == 0)
        made.push_back({kind::access, place, {}, {}});
      else if (what < 7)
        made.push_back({kind::branch, place, list(depth - 1, in_loop),
                        below(2) == 0 ? list(depth - 1, in_loop) : std::vector<node>{}});
      else if (what < 9)
        made.push_back({kind::loop, place, list(depth - 1, true), {}});
      else if (in_loop && below(3) != 0)
        made.push_back({below(2) == 0 ? kind::leave_loop : kind::next_round, place, {}, {}});
      else if (below(4) == 0)
        made.push_back({kind::leave, place, {}, {}});
    }
    return made;
  }
};

/// What a lane decides: by the place and how often it was there.
struct decisions {
  std::uint64_t seed;
  std::map<std::pair<unsigned, std::uint64_t>, unsigned> visits;
  unsigned of(unsigned lane, std::uint64_t place, unsigned choices) {
    std::uint64_t x = seed ^ (place * 0x9e3779b97f4a7c15) ^ (std::uint64_t{lane} << 32) ^
                      visits[{lane, place}]++ * std::uint64_t{0x2545f4914f6cdd1d};
    x ^= x >> 31, x *= 0xbf58476d1ce4e5b9, x ^= x >> 29;
    return static_cast<unsigned>(x % choices);
  }
};

// ---- One lane alone ----

enum class goes { on, out_of_loop, to_next_round, out };

struct told {
  coalescing::detail::host_places places;
  std::vector<std::vector<host_access>> lists{32};
};

goes walk(std::vector<node> const& list, unsigned lane, decisions& decide, told& all) {
  auto& way = all.lists[lane];
  auto const begin = [&way](std::uint64_t block) { way.push_back({.address = block, .is = entry::block}); };
  for (node const& each : list) {
    switch (each.is) {
      case kind::access:
        // The lanes access three arrays at one call, so they have three places there.
        way.push_back({.place = all.places.number_of({.address = each.place, .bytes = 4, .array = lane % 3}),
                       .is = entry::access});
        break;
      case kind::branch: {
        bool const is_first = decide.of(lane, each.place, 2) == 0;
        if (is_first || !each.second.empty()) begin(each.place + (is_first ? 1 : 2));
        if (goes const to = walk(is_first ? each.first : each.second, lane, decide, all); to != goes::on) return to;
        begin(each.place + 3);
        break;
      }
      case kind::loop:
        for (begin(each.place + 1); decide.of(lane, each.place, 4) != 0; begin(each.place + 1)) {
          begin(each.place + 2);
          goes const to = walk(each.first, lane, decide, all);
          if (to == goes::out) return to;
          if (to == goes::out_of_loop) break;
        }
        begin(each.place + 3);
        break;
      case kind::leave_loop:
      case kind::next_round:
      case kind::leave: {
        bool const does = decide.of(lane, each.place, 3) == 0;
        if (does) begin(each.place + 1);
        if (does)
          return each.is == kind::leave_loop   ? goes::out_of_loop
                 : each.is == kind::next_round ? goes::to_next_round
                                               : goes::out;
        begin(each.place + 2);
        break;
      }
    }
  }
  return goes::on;
}

// ---- All lanes, by a mask ----

struct masked {
  decisions decide;
  issues seen;
  std::uint64_t broken = 0, continued = 0;  // lanes that wait for the end of the innermost loop, or of its round
  std::uint64_t ended = 0;

  /// Returns the lanes that come to the end of the list.
  std::uint64_t run(std::vector<node> const& list, std::uint64_t active) {
    auto const those = [&](std::uint64_t place, unsigned choices, auto const& is) {
      std::uint64_t mask = 0;
      for (unsigned lane = 0; lane != 32; ++lane)
        if ((active >> lane & 1) != 0) mask |= std::uint64_t{is(decide.of(lane, place, choices))} << lane;
      return mask;
    };
    for (node const& each : list) {
      if (active == 0) return 0;
      switch (each.is) {
        case kind::access:
          ++seen[{each.place, active}];
          break;
        case kind::branch: {
          std::uint64_t const first = those(each.place, 2, [](unsigned n) { return n == 0; });
          std::uint64_t const second = active & ~first;
          active = (first != 0 ? run(each.first, first) : 0) | (second != 0 ? run(each.second, second) : 0);
          break;
        }
        case kind::loop: {
          std::uint64_t const before_broken = std::exchange(broken, 0), before_continued = std::exchange(continued, 0);
          std::uint64_t left = 0;
          while (active != 0) {
            std::uint64_t const stay = those(each.place, 4, [](unsigned n) { return n != 0; });
            left |= active & ~stay;
            active = stay == 0 ? 0 : run(each.first, stay);
            active |= std::exchange(continued, 0);
          }
          active = left | broken;
          broken = before_broken, continued = before_continued;
          break;
        }
        case kind::leave_loop:
        case kind::next_round:
        case kind::leave: {
          std::uint64_t const go = those(each.place, 3, [](unsigned n) { return n == 0; });
          (each.is == kind::leave_loop ? broken : each.is == kind::next_round ? continued : ended) |= go;
          active &= ~go;
          break;
        }
      }
    }
    return active;
  }
};

struct both {
  issues by_blocks, by_mask;
  bool diverges = false;
};
both ask(unsigned seed) {
  grammar makes{std::mt19937(seed)};
  std::vector<node> const program = makes.list(4, false);
  both all;
  told way;
  decisions alone{seed, {}};
  for (unsigned lane = 0; lane != 32; ++lane) {
    way.lists[lane].push_back({.address = 1, .is = entry::block});
    walk(program, lane, alone, way);
    all.diverges = all.diverges || way.lists[lane].size() != way.lists[0].size();
  }
  coalescing::detail::regrouping regrouping;
  regrouping.each(way.places, {way.lists.begin(), way.lists.end()}, [&](std::uint64_t lanes, auto const& at) {
    unsigned const place = at[static_cast<unsigned>(std::countr_zero(lanes))]->place;
    ++all.by_blocks[{way.places[place].address, lanes}];
  });
  masked machine{{seed, {}}, {}};
  machine.run(program, 0xffffffff);
  all.by_mask = machine.seen;
  return all;
}

}  // namespace

TEST_CASE("run: lanes that tell their blocks issue what an execution mask would") {
  unsigned diverge = 0, differ = 0;
  for (unsigned seed = 1; seed != 3001; ++seed) {
    both const all = ask(seed);
    diverge += all.diverges, differ += all.by_blocks != all.by_mask;
  }
  CHECK(diverge > 1300);
  // Where every lane that enters a part of a loop then leaves the kernel, nothing tells that the part is within the
  // loop, and lanes of several rounds meet there.
  CHECK_MESSAGE(differ * 200 <= diverge, differ << " of " << diverge << " programs whose lanes part");
  // The control: one lane that issues alone is found.
  both all = ask(5);
  for (unsigned seed = 6; all.by_mask.empty(); ++seed) all = ask(seed);
  auto const one = *all.by_mask.begin();
  all.by_mask.erase(one.first), all.by_mask[{one.first.first, one.first.second & (one.first.second - 1)}] = one.second;
  CHECK(all.by_blocks != all.by_mask);
}
