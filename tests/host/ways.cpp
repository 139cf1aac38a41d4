// SPDX-License-Identifier: BSL-1.0
#include <coalesce/host/binary/values.hpp>
#include <coalesce/host/binary/ways.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>
#include "machinery/check.hpp"
#include "truth/oracle/random_access.hpp"

// Both ways of a branch on data (host/binary/ways.hpp), on a toy machine of four registers: random programs, and beside
// what is found of them, runs that toss a coin at each branch on data. No run may access more than is found, or other
// addresses.

namespace binary = coalescing::binary;
using binary::word;

namespace {

enum class toy { set, add, subtract, coin, zero, access, end };  // coin, zero: branches on data, and on a register
struct instruction {
  toy does = toy::end;
  unsigned to = 0, from = 0;
  std::uint32_t number = 0;
  std::size_t target = 0;
};
using code = std::vector<instruction>;
using registers = std::array<std::uint32_t, 4>;
using known_registers = std::array<word, 4>;

/// What breaks a control.
enum class broken { nothing, join, ways };

/// An access that may take place, once.
struct found_access {
  std::size_t place;
  bool is_round;  ///< it is no access: a round begins of the loop at that place
  word address;
};
constexpr std::size_t no_loop = ~std::size_t{0};

/// Runs a program as the readers of binaries do: place by place, and by way_follower where it branches on data.
class toy_runner {
 public:
  explicit toy_runner(code const& of, broken how) : of_(of), broken_(how), graph_(graph_of(of)) {}

  std::multimap<std::size_t, word> accesses;
  /// How often a place accesses; and in a round of a loop on data.
  std::map<std::size_t, std::pair<std::size_t, std::size_t>> most;
  std::map<std::size_t, std::size_t> loop_of;
  std::set<std::size_t> loops;

  /// False where the program is given up: it goes on for too long.
  bool run(known_registers const& first) {
    for (unsigned tries = 0; tries != 20; ++tries) try {
        accesses.clear(), most.clear(), loop_of.clear();
        return go(first);
      } catch (binary::found_loop const& found) {
        loops.insert(found.head);
      }
    return false;
  }
  unsigned steps = 0;
  [[nodiscard]] binary::text_graph const& graph() const { return graph_; }

 private:
  struct rules {
    using state = known_registers;
    toy_runner& of;
    bool ended = false;

    [[nodiscard]] static bool may_meet(std::size_t, state const&) { return true; }
    [[nodiscard]] bool has_ended() const { return ended; }
    static void meets(std::size_t, state const&, state const&) {}
    [[nodiscard]] static std::uint64_t changes() { return 0; }
    [[nodiscard]] bool accesses(std::size_t at) const { return of.of_[at].does == toy::access; }
    void begin_round(std::size_t head) const { of.held_.push_back({head, true, {}}); }
    [[nodiscard]] static bool looks_like(state const& a, state const& b) {
      bool same = true;
      for (std::size_t k = 0; k != a.size(); ++k) same = same && a[k].looks_like(b[k]);
      return same;
    }
    [[nodiscard]] bool join(state& to, state const& from) const {
      bool changed = false;
      for (std::size_t k = of.broken_ == broken::join ? 1 : 0; k != to.size(); ++k)
        if (binary::join(to[k], from[k], 1)) changed = true;
      return changed;
    }
    // One lane shares nothing with others. (Lanes that do: binary/arguments.cpp, binary/everyday.cpp, the fuzzers.)
    [[nodiscard]] static bool are_together(state const&, state const&) { return false; }
    [[nodiscard]] static bool lanes_part(std::size_t, state const&, std::vector<bool> const&) { return false; }
    static void leave_apart(state&, state const&) {}
    static void widen(state& now, state const& before) {
      for (std::size_t k = 0; k != now.size(); ++k) binary::widen(now[k], before[k]);
    }
    [[nodiscard]] static std::uint64_t loop_name(std::size_t head) { return head; }
    [[nodiscard]] bool join_rounds(state& to, state&& from, std::uint64_t,
                                   std::array<std::vector<binary::growth>, 2>&) const {
      return join(to, from);
    }
    void step(std::size_t at, state&& now, std::vector<binary::way<state>>& next) {
      ++of.steps;
      instruction const& i = of.of_[at];
      binary::value const a = now[i.to].wide(), b = now[i.from].wide();
      if (i.does == toy::access) of.held_.push_back({at, false, now[i.from]});
      if (i.does == toy::end) return void(ended = true);
      bool const is_branch = i.does == toy::coin || i.does == toy::zero;
      bool const is_known = i.does == toy::zero && (a.is_known() || a.bits != 0),
                 is_taken = a.is_known() && a.bits == 0;
      if (is_branch && (!is_known || is_taken)) next.emplace_back(i.target, now);
      if (is_branch && is_known && is_taken) return;
      if (is_branch && !is_known && of.broken_ == broken::ways) return;
      if (i.does == toy::set) now[i.to] = word(binary::exact(i.number));
      if (i.does == toy::add) now[i.to] = word(low(sum(a, b), 32));
      if (i.does == toy::subtract) now[i.to] = word(low(difference(a, binary::exact(1)), 32));
      next.emplace_back(at + 1, now);
    }
  };
  [[nodiscard]] static binary::text_graph graph_of(code const& of) {
    std::vector<std::vector<std::size_t>> next(of.size());
    for (std::size_t k = 0; k != of.size(); ++k) {
      if (of[k].does == toy::coin || of[k].does == toy::zero) next[k].push_back(of[k].target);
      if (of[k].does != toy::end) next[k].push_back(k + 1);
    }
    return binary::text_graph(std::move(next));
  }
  bool go(known_registers now) {
    std::size_t at = 0;
    rules step{*this};
    bool is_perhaps = false;  // a way has ended
    binary::counted_rounds rounds(40);
    std::vector<binary::way<known_registers>> next;
    for (unsigned turn = 0; turn != 3000; ++turn) {
      next.clear(), held_.clear(), step.ended = false;
      bool const is_loop = loops.count(at) != 0;
      if (is_loop)
        next.emplace_back(at, now);
      else
        step.step(at, known_registers(now), next);
      std::optional<binary::way<known_registers>> met;
      binary::way_follower<rules> follower(step, graph_, loops);
      if (is_perhaps && !is_loop && next.size() == 1) rounds.decide(graph_, at);
      if (next.size() == 1 && !is_loop) met = std::move(next[0]);
      if (next.size() == 2 || is_loop) met = follower.follow(at, std::move(next));
      for (found_access const& each : held_)
        if (!each.is_round) note(each, follower.loop_around(each.place, no_loop));
      if (!met) return true;
      is_perhaps = is_perhaps || step.ended;
      if (is_perhaps && met->first <= at) rounds.jump_to(met->first);
      at = met->first, now = met->second;
    }
    return false;
  }

  /// Notes the accesses of a place, which are one after the other in `held_`: all, or the most in a round.
  void note(found_access const& one, std::size_t loop) {
    accesses.emplace(one.place, one.address);
    if (loop == no_loop) return void(++most[one.place].first);
    loop_of[one.place] = loop;
    std::size_t count = 0;
    for (found_access const& each : held_) {
      if (each.is_round && graph_.loop_of(each.place)[one.place]) count = 0;
      if (!each.is_round && each.place == one.place) most[one.place].second = std::max(most[one.place].second, ++count);
    }
  }

  code const& of_;
  broken broken_;
  binary::text_graph graph_;
  std::vector<found_access> held_;
};

code random_code(std::mt19937& random) {
  auto const below = [&random](std::size_t end) { return static_cast<unsigned>(random() % end); };
  code made(6 + below(12));
  for (instruction& each : made) {
    unsigned const kind = below(20);
    each = {kind < 3    ? toy::set
            : kind < 6  ? toy::add
            : kind < 8  ? toy::subtract
            : kind < 11 ? toy::coin
            : kind < 14 ? toy::zero
            : kind < 19 ? toy::access
                        : toy::end,
            below(4), below(4), below(4), below(made.size())};
  }
  made.back().does = toy::end;
  return made;
}

/// Runs the code with tossed coins. Returns whether it accesses something that was not found: another address, or one
/// more often than found; in a loop on data, more often in a round.
bool exceeds(code const& of, toy_runner const& found, registers now, std::mt19937& random) {
  std::size_t at = 0;
  std::map<std::size_t, std::size_t> count;
  unsigned const bias = 1 + static_cast<unsigned>(random() % 7);
  for (unsigned steps = 0; steps != 400; ++steps) {
    if (found.loops.count(at) != 0)  // a round begins
      for (auto const& [place, loop] : found.loop_of)
        if (found.graph().loop_of(at)[place]) count[place] = 0;
    instruction const& i = of[at];
    if (i.does == toy::end) return false;
    if (i.does == toy::access) {
      bool fits = false;
      auto const [begin, end] = found.accesses.equal_range(at);
      for (auto each = begin; each != end; ++each)
        fits = fits || (now[i.from] & each->second.known) == each->second.bits;
      if (!fits || ++count[at] > found.most.at(at).first + found.most.at(at).second) return true;
    }
    ++at;
    if (i.does == toy::set) now[i.to] = i.number;
    if (i.does == toy::add) now[i.to] += now[i.from];
    if (i.does == toy::subtract) --now[i.to];
    if ((i.does == toy::coin && random() % 8 < bias) || (i.does == toy::zero && now[i.to] == 0)) at = i.target;
  }
  return false;
}

/// Of many programs: how many are followed to their ends, have loops on data, accesses; and the runs that exceed.
struct tally {
  unsigned followed = 0, with_loops = 0, known = 0, exceeded = 0;
};
tally run(unsigned programs, broken how) {
  std::mt19937 random(37);
  tally all;
  for (unsigned n = 0; n != programs; ++n) {
    code const of = random_code(random);
    known_registers first;
    registers exact{};
    for (std::size_t k = 0; k != first.size(); ++k)
      exact[k] = static_cast<std::uint32_t>(random() % 8), first[k] = word(binary::exact(exact[k]));
    toy_runner found(of, how);
    if (!found.run(first)) continue;
    ++all.followed, all.with_loops += !found.loop_of.empty();
    for (auto const& [place, address] : found.accesses) all.known += address.known == ~0u;
    for (unsigned k = 0; k != 20; ++k) all.exceeded += exceeds(of, found, exact, random);
  }
  return all;
}

}  // namespace

TEST_CASE("ways: no run accesses more than both ways of each branch on data") {
  unsigned const programs = coalescing_tests::share(10'000);
  tally const found = run(programs, broken::nothing);
  CHECK(found.exceeded == 0);
  CHECK(found.followed > programs / 4 * 3);  // nothing would be shown by programs that are given up, or know nothing
  CHECK(found.with_loops > programs / 20);
  CHECK(found.known > found.followed);
}

TEST_CASE("ways: controls: a join that keeps what one way knows, a branch of which one way is left out") {
  unsigned const programs = coalescing_tests::share(4'000);
  CHECK(run(programs, broken::join).exceeded > programs / 40);
  CHECK(run(programs, broken::ways).exceeded > programs / 40);
}

TEST_CASE("ways: a loop that a known number ends after at most four rounds has four, one on data has one at most") {
  code const counted = {{toy::set, 0, 0, 4}, {toy::access, 0, 0},     {toy::coin, 0, 0, 0, 5},
                        {toy::subtract, 0},  {toy::zero, 0, 0, 0, 5}, {toy::end}};
  code four = counted;  // set; do { access; if (coin) break; } while (--r0 != 0)
  four[4] = {toy::zero, 0, 0, 0, 6}, four[5] = {toy::zero, 1, 0, 0, 1}, four.push_back({toy::end});
  four[2].target = 6;
  known_registers first;
  for (word& each : first) each = word(binary::exact(0));
  toy_runner rounds(four, broken::nothing);
  REQUIRE(rounds.run(first));
  CHECK(rounds.accesses.count(1) == 4);
  CHECK(rounds.loop_of.empty());
  code const endless = {{toy::access, 0, 1}, {toy::coin, 0, 0, 0, 0}, {toy::access, 0, 2}, {toy::end}};
  toy_runner loop(endless, broken::nothing);
  REQUIRE(loop.run(first));
  CHECK(loop.most.at(0).second == 1);
  CHECK(loop.loop_of.at(0) == 0);
  CHECK(loop.accesses.count(2) == 1);
  CHECK(loop.loop_of.count(2) == 0);
}

TEST_CASE("ways: the low bits of a sum in a loop on data stay known") {
  // do { access r1; r1 += r2 } while (coin), of r2 = 4
  code const loop = {{toy::access, 0, 1}, {toy::add, 1, 2}, {toy::coin, 0, 0, 0, 0}, {toy::end}};
  known_registers first;
  for (word& each : first) each = word(binary::exact(4));
  toy_runner found(loop, broken::nothing);
  REQUIRE(found.run(first));
  std::uint32_t known = ~0u;
  for (auto const& [place, address] : found.accesses) known &= address.known;
  CHECK(known == 3);
  // 32 rounds of three instructions are followed for certain. After that its bits would settle one by one, in 30 more.
  CHECK(found.steps < 3 * (32 + 20));
}

TEST_CASE("ways: a register that loses a known bit late loses those above it, and no other") {
  word const before(binary::exact(0x1ff));
  word now = before;
  binary::widen(now, before);
  CHECK(now.looks_like(before));
  now.known = ~0x40u, now.bits &= now.known;
  binary::widen(now, before);
  CHECK(now.known == 0x3f);
  CHECK(now.bits == 0x3f);
}

TEST_CASE("ways: a loop without a condition that is known to keep it going is a loop on data after some rounds") {
  // 0: if (...) goto 2; 1: if (...) goto 4; 2: nothing; 3: goto 0; 4: end
  binary::text_graph const graph({{1, 2}, {2, 4}, {3}, {0}, {}});
  auto const rounds_of = [&graph](std::size_t known) {
    binary::counted_rounds rounds(100);
    unsigned done = 0;
    try {
      for (; done != 1000; ++done) rounds.decide(graph, known), rounds.jump_to(0);
    } catch (binary::found_loop const& found) {
      CHECK(found.head == 0);
    }
    return done;
  };
  CHECK(rounds_of(1) == 100);                       // it may leave the loop there
  CHECK(rounds_of(0) == binary::most_open_rounds);  // both ways stay in the loop
  CHECK(rounds_of(4) == binary::most_open_rounds);
}

TEST_CASE("ways: a jump back from out-of-line code is not a round of a loop") {
  // do { access r1; if (coin) { out of line: r3 = 1 } access r2 } while (coin)
  code const loop = {{toy::access, 0, 1}, {toy::coin, 0, 0, 0, 5}, {toy::access, 0, 2},     {toy::coin, 0, 0, 0, 0},
                     {toy::end},          {toy::set, 3, 0, 1},     {toy::zero, 0, 0, 0, 2}, {toy::end}};
  known_registers first;
  for (word& each : first) each = word(binary::exact(0));
  toy_runner found(loop, broken::nothing);
  REQUIRE(found.run(first));
  CHECK(found.graph().is_back(3, 0));
  CHECK(!found.graph().is_back(6, 2));
  CHECK(found.graph().turn_of(6) < found.graph().turn_of(2));
  CHECK(found.loop_of.at(2) == 0);  // it belongs to that loop, and to no other
  CHECK(found.most.at(2).second == 1);
}
