// SPDX-License-Identifier: BSL-1.0
#include <coalesce/host/binary/values.hpp>
#include <coalesce/host/binary/ways.hpp>

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>
#include "machinery/check.hpp"

// Both ways of a branch on data (host/binary/ways.hpp), on a toy machine of four registers: random programs, and beside
// what is known where the ways meet, runs that toss a coin at each branch on data.

namespace binary = coalescing::binary;
using binary::word;

namespace {

enum class toy { set, add, shift, coin, zero, access };  // coin, zero: branches on data, and on a register
struct instruction {
  toy does;
  unsigned to = 0, from = 0;
  std::uint32_t number = 0;
  std::size_t target = 0;
};
using code = std::vector<instruction>;
using registers = std::array<std::uint32_t, 4>;
using known_registers = std::array<word, 4>;

struct rules {
  using state = known_registers;
  code const& of;
  bool is_broken = false;  // a join that keeps what one way knows

  [[nodiscard]] bool may_meet(std::size_t, state const&) const { return true; }
  [[nodiscard]] bool is_silent(std::size_t at, state const&) const {
    return at < of.size() && of[at].does != toy::access;
  }
  void step(std::size_t at, state&& now, std::vector<binary::way<state>>& next) const {
    instruction const& i = of[at];
    binary::value const a = now[i.to].wide(), b = now[i.from].wide();
    if (i.does == toy::coin || (i.does == toy::zero && !a.is_known())) next.emplace_back(i.target, now);
    if (i.does == toy::zero && a.is_known() && a.bits == 0) return next.emplace_back(i.target, now), void();
    if (i.does == toy::set) now[i.to] = word(binary::exact(i.number));
    if (i.does == toy::add)
      now[i.to] = word(binary::of_known(
          [](std::uint64_t x, std::uint64_t y, std::uint64_t) { return (x + y) & 0xffffffffu; }, 32, a, b));
    if (i.does == toy::shift) now[i.to] = word(low(b << (i.number & 7), 32));
    next.emplace_back(at + 1, now);
  }
  [[nodiscard]] bool join(state& to, state const& from) const {
    bool changed = false;
    for (std::size_t k = is_broken ? 1 : 0; k != to.size(); ++k)
      if (binary::join(to[k], from[k], 1)) changed = true;
    return changed;
  }
};

code random_code(std::mt19937& random) {
  auto const below = [&random](std::size_t end) { return static_cast<unsigned>(random() % end); };
  code made(5 + below(12));
  for (instruction& each : made) {
    unsigned const kind = below(16);
    each = {kind < 4    ? toy::set
            : kind < 7  ? toy::add
            : kind < 9  ? toy::shift
            : kind < 13 ? toy::coin
            : kind < 15 ? toy::zero
                        : toy::access,
            below(4), below(4), below(4), below(made.size())};
  }
  made.front().does = toy::coin;
  return made;
}

/// Runs the code from its first branch on. Returns whether it comes to the place with registers that the state allows,
/// before an access; also where it runs for too long.
bool comes_to(code const& of, binary::way<known_registers> const& met, registers now, std::mt19937& random) {
  std::size_t at = 0;
  for (unsigned steps = 0; steps != 300; ++steps) {
    bool fits = steps != 0 && at == met.first;
    for (std::size_t k = 0; fits && k != now.size(); ++k) fits = (now[k] & met.second[k].known) == met.second[k].bits;
    if (fits) return true;
    if (at >= of.size() || of[at].does == toy::access) return false;
    instruction const& i = of[at++];
    if (i.does == toy::set) now[i.to] = i.number;
    if (i.does == toy::add) now[i.to] += now[i.from];
    if (i.does == toy::shift) now[i.to] = now[i.from] << (i.number & 7);
    if ((i.does == toy::coin && random() % 2 == 0) || (i.does == toy::zero && now[i.to] == 0)) at = i.target;
  }
  return true;
}

/// How often ways met, and how many runs missed the place.
struct tally {
  unsigned met = 0, missed = 0, known = 0;
};
tally run(unsigned programs, bool is_broken) {
  std::mt19937 random(37);
  tally all;
  for (unsigned n = 0; n != programs; ++n) {
    code const of = random_code(random);
    known_registers first;
    registers exact;
    for (std::size_t k = 0; k != first.size(); ++k)
      exact[k] = static_cast<std::uint32_t>(random() % 8), first[k] = word(binary::exact(exact[k]));
    rules const follow{of, is_broken};
    std::vector<binary::way<known_registers>> parted;
    follow.step(0, known_registers(first), parted);
    auto const met = binary::meeting_of(follow, std::move(parted));
    if (!met) continue;
    ++all.met;
    for (word const& each : met->second) all.known += each.known == ~0u;
    for (unsigned k = 0; k != 20; ++k) all.missed += !comes_to(of, *met, exact, random);
  }
  return all;
}

}  // namespace

TEST_CASE("ways: where both ways of a branch on data meet, each run comes by, with registers that are allowed") {
  tally const found = run(20000, false);
  CHECK(found.missed == 0);
  CHECK(found.met > 8000);  // nothing would be shown by ways that never meet, or by registers that are never known
  CHECK(found.known > found.met);
}

TEST_CASE("ways: control: a join that keeps what one way knows is found") { CHECK(run(2000, true).missed > 100); }

TEST_CASE("ways: a loop on data meets after it, with the sum unknown and its low bits known") {
  // r1 = 4, r2 = 4; do r1 += r1 of 4 while (coin); then an access
  code const loop = {{toy::coin, 0, 0, 0, 0}, {toy::add, 1, 2}, {toy::coin, 0, 0, 0, 1}, {toy::access}};
  rules const follow{loop};
  known_registers first;
  for (word& each : first) each = word(binary::exact(4));
  std::vector<binary::way<known_registers>> parted;
  follow.step(2, known_registers(first), parted);
  auto const met = binary::meeting_of(follow, std::move(parted));
  REQUIRE(met);
  CHECK(met->first == 3);
  CHECK(met->second[1].known == 0);  // 4, 8, 12, ...: arithmetic on a partly known number is unknown as a whole
  CHECK(met->second[2].known == ~0u);
}

TEST_CASE("ways: an access on one way") {
  code const guarded = {{toy::coin, 0, 0, 0, 2}, {toy::access}, {toy::access}};
  rules const follow{guarded};
  std::vector<binary::way<known_registers>> parted;
  follow.step(0, known_registers{}, parted);
  CHECK(!binary::meeting_of(follow, std::move(parted)));
}
