// SPDX-License-Identifier: BSL-1.0
//
// Upper bounds (host/bounds.hpp) of every instruction of the machines whose binaries are read: random accesses of which
// not everything is known, each beside many accesses that it may be. No number is above its bound; and where a bound
// should be reached, a search through all bases reaches it. What an access costs is asked as a recording asks it, which
// checks each address.
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/host/pieces.hpp>
#include <coalesce/rdna.hpp>

#include "every/machines.hpp"
#include "machinery/check.hpp"
#include "truth/instructions/cdna.hpp"
#include "truth/instructions/cuda.hpp"
#include "truth/instructions/rdna.hpp"
#include "truth/oracle/random_access.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace co = coalescing;
using coalescing_tests::share;

namespace {

constexpr char const* machines = "cc75 cc80 cc86 cc89 cc90 cc100 cc120 gfx90a gfx942 gfx950 gfx1030 gfx1100 gfx1201";

// ---- The instructions, as values ----

template <unsigned Lanes>
struct asked_instruction {
  std::string name = {};
  co::detail::piece_cost<Lanes> const* by = nullptr;
  co::detail::address_limits limits = {};
  std::uint64_t period = 0;
  unsigned given = 0;  ///< lanes that give an address
  bool needs_every_lane = false, is_scalar = false;
};
template <unsigned Lanes>
std::vector<asked_instruction<Lanes>> instructions;

struct keeps {
  static constexpr bool asks(std::string_view machine) { return coalescing_tests::lists(machines, machine); }
  template <class Instruction>
  void operator()(std::string const& machine, std::string const& name) const {
    constexpr unsigned lanes = co::detail::wave_of<Instruction>;
    instructions<lanes>.push_back({machine + " " + name, &co::detail::cost_of_instruction<Instruction, lanes>,
                                   co::detail::limits_of<Instruction>(), Instruction::period, Instruction::lanes,
                                   name.find("matrix") != name.npos || name.find("_tr<") != name.npos,
                                   co::detail::is_scalar<Instruction>});
  }
};
void list_instructions() {
  if (!instructions<32>.empty()) return;
  coalescing_tests::each_instruction_of_cuda(keeps{});
  coalescing_tests::each_instruction_of_cdna(keeps{});
  coalescing_tests::each_instruction_of_rdna(keeps{});
}

constexpr std::uint64_t bit(std::uint64_t lane) { return std::uint64_t{1} << lane; }
bool has(std::uint64_t mask, unsigned lane) { return (mask >> lane & 1) != 0; }

/// What an access costs for certain.
template <unsigned Lanes>
co::recorded_cost exact_cost(asked_instruction<Lanes> const& of, std::uint64_t active, std::uint64_t const* address) {
  co::access<Lanes> asked{};
  asked.active = active;
  std::uint64_t any = 0, all = ~std::uint64_t{0};
  for (unsigned k = 0; k != Lanes; ++k)
    if (has(active, k)) asked.address[k] = address[k], any |= address[k], all &= address[k];
  co::detail::fill(asked), asked.differ = any & ~all;
  co::detail::price sum;
  of.by->add(sum, asked, any, 0, {});
  return sum.cost;
}
template <unsigned Lanes>
co::recorded_cost bound_of(asked_instruction<Lanes> const& of, co::possible_access<Lanes> const& asked) {
  co::detail::price sum;
  co::access<Lanes> example{};
  co::detail::add_bound(sum, *of.by, asked, 0, example);
  return sum.cost;
}

/// The name of a number that is above its bound, or that only one of both has; empty: there is none.
std::string above(co::recorded_cost const& cost, co::recorded_cost const& bound) {
  std::string found;
  unsigned k = 0;
  co::detail::each_number(
      cost, bound,
      [&](std::uint64_t number, std::uint64_t most, bool) {
        if (found.empty() && (number > most || (number == co::not_counted) != (most == co::not_counted)))
          found = co::compared_cost::names[k] + (" is " + std::to_string(number)) + ", at most " + std::to_string(most);
        ++k;
      },
      co::compared_cost::numbers{});
  if (cost.issued > bound.issued) found = "issued";
  return found;
}

// ---- Random questions ----

class dice {
 public:
  explicit dice(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t operator()() { return engine_(); }
  /// 0 to count - 1.
  std::uint64_t below(std::uint64_t count) { return engine_() % count; }
  bool once_in(unsigned count) { return below(count) == 0; }

 private:
  std::mt19937_64 engine_;
};

template <unsigned Lanes>
std::uint64_t random_mask(dice& roll) {
  switch (roll.below(6)) {
    case 0:
      return co::detail::wave_mask<Lanes>;
    case 1:
      return roll() & co::detail::wave_mask<Lanes>;
    case 2:
      return roll() & roll() & roll() & co::detail::wave_mask<Lanes>;
    case 3:
      return (roll() | roll()) & co::detail::wave_mask<Lanes>;
    case 4:
      return bit(roll.below(Lanes)) | bit(roll.below(Lanes));
    default:
      return co::detail::wave_mask<Lanes> >> roll.below(Lanes);
  }
}

/// An access of which not everything is known. Every lane that takes part for certain can have some address.
template <unsigned Lanes>
co::possible_access<Lanes> random_question(asked_instruction<Lanes> const& of, dice& roll, bool has_ranges = false) {
  co::possible_access<Lanes> asked;
  std::uint64_t const unit = of.limits.alignment;
  std::uint64_t const room = of.limits.capacity != 0 ? of.limits.capacity / 4 : std::uint64_t{1} << roll.below(20);
  // How far the lanes are from their bases.
  std::uint64_t const kind = roll.below(7), step = unit << roll.below(8), group = std::uint64_t{1} << roll.below(6),
                      odd = unit * (2 * roll.below(40) + 1), swizzle = roll.below(Lanes);
  for (unsigned k = 0; k != Lanes; ++k) {
    std::uint64_t at = 0;
    if (kind == 0) at = k * step;
    if (kind == 1) at = unit * roll.below(room / unit + 1);
    if (kind == 2) at = k / group * step + k % group * unit;
    if (kind == 3) at = (k ^ swizzle) * step;
    if (kind == 4) at = unit * roll.below(4);
    if (kind == 5) at = k / 2 * step;
    if (kind == 6) at = k * odd;
    asked.address[k] = at % std::max(room, unit) / unit * unit;
  }
  // Which base each lane adds; what is known of a base.
  std::uint64_t const sharing = roll.below(8), groups = 1 + roll.below(6), width = std::uint64_t{1} << roll.below(6);
  for (unsigned k = 0; k != Lanes; ++k) {
    std::uint64_t base = 0;
    if (sharing == 1 || sharing == 2) base = 1;
    if (sharing == 3) base = 1 + k / width;
    if (sharing == 4) base = roll.below(groups + 1);
    if (sharing == 5) base = k + 1;
    if (sharing == 6) base = k < Lanes / 2 ? 1 : k;
    if (sharing == 7) base = k % width;
    asked.base[k] = static_cast<std::uint32_t>(of.is_scalar ? roll.below(2) == 0 && sharing == 0 ? 0 : 1 : base);
  }
  std::uint8_t power[Lanes + 1];
  std::uint64_t beside[Lanes + 1];  // what a base lacks of the alignment that the instruction needs
  bool const all_equal = roll.once_in(2);
  for (unsigned k = 0; k != Lanes + 1; ++k) {
    power[k] = all_equal && k != 0 ? power[0] : static_cast<std::uint8_t>(roll.once_in(4) ? 0 : roll.below(12));
    std::uint64_t const known = std::uint64_t{1} << power[k];
    beside[k] = known < unit ? known * roll.below(unit / known) : 0;
  }
  for (unsigned k = 0; k != Lanes; ++k) {
    if (asked.base[k] == 0) continue;
    asked.aligned[k] = power[asked.base[k]];
    asked.address[k] += unit - beside[asked.base[k]];
    // A base may be so far up that the number is added to get below it.
    if (of.limits.capacity == 0 && asked.base[k] % 3 == 1) asked.address[k] -= 1 << 16;
  }
  if (of.limits.capacity == 0 && roll.once_in(4))  // known addresses at the top
    for (unsigned k = 0; k != Lanes; ++k)
      if (asked.base[k] == 0) asked.address[k] = (std::uint64_t{0} - (1 << 20)) / unit * unit + asked.address[k];
  if (of.is_scalar)
    for (unsigned k = 0; k != Lanes; ++k)
      asked.address[k] = asked.address[0], asked.base[k] = asked.base[0], asked.aligned[k] = asked.aligned[0];
  // A range of bytes in which all lanes lie, or each in one of its own.
  if (std::uint64_t const ranges = has_ranges ? roll.below(4) : 0; ranges != 0 && !of.is_scalar) {
    std::uint64_t const bytes = unit << (1 + roll.below(10)), first = unit * roll.below(64);
    for (unsigned k = 0; k != Lanes; ++k) {
      std::uint64_t const own = ranges == 1 ? 0 : ranges == 2 ? k / group * bytes : unit * roll.below(64);
      asked.from[k] = (first + own) % std::max(room, unit),
      asked.to[k] = asked.from[k] + bytes + of.limits.bytes - unit;
    }
  }
  asked.may = of.needs_every_lane ? co::detail::wave_mask<Lanes> : random_mask<Lanes>(roll);
  std::uint64_t const known = roll.below(4);
  asked.surely = known == 0 ? 0 : known == 1 ? asked.may : asked.may & random_mask<Lanes>(roll);
  if (roll.once_in(6) && !of.is_scalar && !of.needs_every_lane)  // lanes that cannot take part, or not with others
    for (unsigned k = 0; k != Lanes; ++k)
      if (!has(asked.surely, k) && roll.once_in(4)) asked.address[k] += std::uint64_t{1} << roll.below(4);
  return asked;
}

/// One of the possible accesses. `active` is 0 where these bases are not possible.
template <unsigned Lanes>
struct possibility {
  std::uint64_t active = 0;
  std::uint64_t address[Lanes] = {};
};
/// Chooses a mask and bases: at random, or so that lanes of several bases meet in a byte, in a place of the period, or
/// lie at the ends of the memory.
template <unsigned Lanes>
possibility<Lanes> random_possibility(asked_instruction<Lanes> const& of, co::possible_access<Lanes> const& asked,
                                      dice& roll) {
  possibility<Lanes> made;
  std::uint64_t const end = of.limits.capacity != 0 ? of.limits.capacity - of.limits.reach : ~std::uint64_t{0};
  std::uint64_t const unit = of.limits.alignment, kind = roll.below(7), place = roll();
  std::uint64_t const window = std::min<std::uint64_t>(end, 4096);
  std::uint64_t base[Lanes + 1] = {};
  bool is_chosen[Lanes + 1] = {true};
  for (unsigned k = 0; k != Lanes; ++k) {
    unsigned const which = asked.base[k];
    if (!has(asked.may, k) || is_chosen[which]) continue;
    is_chosen[which] = true;
    std::uint64_t at = 0;  // where this lane should go
    if (kind == 0) at = roll() % end;
    if (kind == 1) at = (std::uint64_t{1} << 16) % end + roll() % window;
    if (kind == 2) at = window + place % window;
    if (kind == 3) at = place % of.period + of.period * (roll() % (window / of.period + 1));
    if (kind == 4) at = place % of.period + of.period * (k + 1);
    if (kind == 5) at = end - roll() % window;
    if (kind == 6) at = place % of.period + std::uint64_t{k} * 2 * of.period + (of.limits.capacity == 0 ? 1 << 24 : 0);
    if (asked.to[k] != 0)
      at = asked.from[k] + (kind < 2 ? roll() : place + k * of.period) % (asked.to[k] - asked.from[k]);
    std::uint64_t const known = std::uint64_t{1} << asked.aligned[k];
    base[which] = (at - asked.address[k]) / known * known;
    for (unsigned n = 0; n != 16 && (base[which] + asked.address[k]) % unit != 0; ++n) base[which] += known;
  }
  std::uint64_t can = 0;
  for (unsigned k = 0; k != Lanes; ++k) {
    made.address[k] = base[asked.base[k]] + asked.address[k];
    bool const is_inside = asked.base[k] == 0 || asked.to[k] == 0 ||
                           made.address[k] - asked.from[k] <= asked.to[k] - asked.from[k] - of.limits.bytes;
    if (has(asked.may, k) && is_inside && of.limits.hold(made.address[k]) && made.address[k] % unit == 0) can |= bit(k);
  }
  if ((asked.surely & ~can) != 0) return made;
  std::uint64_t mask = 0;
  constexpr std::uint64_t some[] = {0,
                                    ~std::uint64_t{0},
                                    0x5555'5555'5555'5555,
                                    0xaaaa'aaaa'aaaa'aaaa,
                                    0x3333'3333'3333'3333,
                                    0x0000'ffff'0000'ffff,
                                    0x00ff'00ff'00ff'00ff};
  if (std::uint64_t const which = roll.below(11); which < 7)
    mask = some[which];
  else
    mask = which == 7 ? bit(roll.below(Lanes)) : which < 10 ? roll() : roll() & roll();
  made.active = asked.surely | (can & mask);
  if (of.needs_every_lane) made.active = can == asked.may ? can : 0;
  return made;
}

template <unsigned Lanes>
using bounds = std::function<co::recorded_cost(asked_instruction<Lanes> const&, co::possible_access<Lanes> const&)>;

struct tally {
  std::uint64_t tried = 0, above = 0;
  std::string first = {};  ///< what is wrong with the first bound that an access is above
};
/// Random accesses of an instruction beside the bounds of what may be any of them.
template <unsigned Lanes>
tally try_bounds(asked_instruction<Lanes> const& of, unsigned questions, bounds<Lanes> const& bound, bool has_ranges) {
  tally all;
  dice roll(std::hash<std::string>{}(of.name));
  for (unsigned number = 0; number != questions; ++number) {
    auto const asked = random_question(of, roll, has_ranges && number % 2 == 0);
    co::recorded_cost const most = bound(of, asked);
    for (unsigned k = 0; k != 60; ++k) {
      auto const one = random_possibility(of, asked, roll);
      if (one.active == 0) continue;
      std::string const found = above(exact_cost(of, one.active, one.address), most);
      ++all.tried;
      if (found.empty()) continue;
      if (++all.above == 1) all.first = of.name + ", question " + std::to_string(number) + ": " + found;
    }
  }
  return all;
}
template <unsigned Lanes>
tally try_all(std::string_view words, unsigned questions, bounds<Lanes> const& bound, bool has_ranges = false) {
  list_instructions();
  tally all;
  for (auto const& of : instructions<Lanes>) {
    if (of.name.find(words) == of.name.npos) continue;
    tally const one = try_bounds<Lanes>(of, questions, bound, has_ranges);
    all.tried += one.tried, all.above += one.above;
    if (all.first.empty()) all.first = one.first;
  }
  return all;
}

}  // namespace

TEST_CASE("bounds: no access is above the bound of what it may be, on any instruction that binaries are read for") {
  auto const of_32 = try_all<32>("", share(300), bound_of<32>, true);
  auto const of_64 = try_all<64>("", share(300), bound_of<64>, true);
  CHECK(of_32.first == "");
  CHECK(of_64.first == "");
  CHECK(instructions<32>.size() > 400);
  CHECK(instructions<64>.size() > 200);
  CHECK(of_32.tried + of_64.tried > share(12'000'000));
}

TEST_CASE("bounds: control: a bound that takes the half of a range is found") {
  bounds<32> const halves = [](auto const& of, auto asked) {
    for (unsigned k = 0; k != 32; ++k)
      if (asked.to[k] != 0) asked.to[k] = asked.from[k] + (asked.to[k] - asked.from[k]) / 2;
    return bound_of<32>(of, asked);
  };
  for (char const* const words : {"cc90 load<32>", "cc80 shared_load<32>", "gfx1100 ds_load<32>"})
    CHECK(try_all<32>(words, 1000, halves, true).above > 10);
}

TEST_CASE("bounds: control: a bound that forgets one lane is found") {
  bounds<32> const forgets = [](auto const& of, auto asked) {
    if (!of.needs_every_lane && !of.is_scalar) asked.may &= asked.may - 1, asked.surely &= asked.may;
    return bound_of<32>(of, asked);
  };
  for (char const* const words :
       {"cc90 load<32>", "cc80 shared_load<64>", "cc120 shared_atomic<32>", "gfx1100 ds_load<32>"})
    CHECK(try_all<32>(words, 60, forgets).above > 100);
}

TEST_CASE("bounds: control: a bound that tries no base but a multiple of the period is found") {
  auto const at_0 = [](auto const& of, auto asked) {
    for (unsigned k = 0; k != sizeof asked.base / sizeof *asked.base; ++k)
      if (asked.address[k] % of.limits.alignment == 0) asked.aligned[k] = 20;
    return bound_of(of, asked);
  };
  CHECK(try_all<32>("cc90 load<32>", 60, bounds<32>(at_0)).above > 10);
  CHECK(try_all<64>("gfx942 global_load<64>", 60, bounds<64>(at_0)).above > 10);
  CHECK(try_all<64>("gfx90a ds_read<64>", 60, bounds<64>(at_0)).above > 10);
}

TEST_CASE("bounds: control: unknown bases are not one and the same") {
  auto const as_one = [](auto const& of, auto asked) {
    for (auto& base : asked.base) base = base != 0;
    return bound_of(of, asked);
  };
  CHECK(try_all<32>("cc90 load<32>", 60, bounds<32>(as_one)).above > 100);
  CHECK(try_all<32>("cc90 shared_store<128>", 60, bounds<32>(as_one)).above > 100);
}

namespace {

/// The cost of all lanes that may take part, where all addresses are known and each can be; else the bound.
template <unsigned Lanes>
co::recorded_cost of_all_lanes(asked_instruction<Lanes> const& of, co::possible_access<Lanes> const& asked) {
  for (unsigned k = 0; k != Lanes; ++k)
    if (has(asked.may, k) &&
        (asked.base[k] != 0 || !of.limits.hold(asked.address[k]) || asked.address[k] % of.limits.alignment != 0))
      return bound_of(of, asked);
  return exact_cost(of, asked.may, asked.address);
}

}  // namespace

TEST_CASE("bounds: the numbers only grow with the lanes, except sectors in part and what merges") {
  CHECK(try_all<32>("cc90 load<32>", 100, bounds<32>(of_all_lanes<32>)).first == "");
  CHECK(try_all<32>("cc75 shared_store<64>", 100, bounds<32>(of_all_lanes<32>)).first == "");
  CHECK(try_all<32>("cc80 atomic<32>", 100, bounds<32>(of_all_lanes<32>)).first == "");
  CHECK(try_all<64>("gfx942 ds_", 100, bounds<64>(of_all_lanes<64>)).first == "");
  CHECK(try_all<64>("gfx1030 wave64::global_load<64>", 100, bounds<64>(of_all_lanes<64>)).first == "");
  // Controls: what is no bound.
  auto const sectors = try_all<32>("cc90 store<32>", 200, bounds<32>(of_all_lanes<32>));
  CHECK(sectors.above > 10);
  CHECK(sectors.first.find("partial_sectors is") != std::string::npos);
  auto const merged = try_all<32>("cc80 shared_load<64>", 200, bounds<32>(of_all_lanes<32>));
  CHECK(merged.above > 10);
}

namespace {

void keep_greater_of_each(co::recorded_cost& most, co::recorded_cost const& one) {
  co::detail::each_number(
      most, one,
      [](std::uint64_t& to, std::uint64_t number, bool) { to = to == co::not_counted ? number : std::max(to, number); },
      co::compared_cost::numbers{});
}
/// Lanes that take part for certain and add numbers to one unknown base, beside the greatest costs at all its values.
template <unsigned Lanes>
unsigned try_all_bases(unsigned questions) {
  list_instructions();
  unsigned unequal = 0;
  for (auto const& of : instructions<Lanes>) {
    dice roll(std::hash<std::string>{}(of.name));
    for (unsigned number = 0; number != questions; ++number) {
      co::possible_access<Lanes> asked = random_question(of, roll);
      asked.surely = asked.may;
      std::uint64_t const known = std::uint64_t{1} << roll.below(9), unit = of.limits.alignment;
      for (unsigned k = 0; k != Lanes; ++k)
        asked.base[k] = 1, asked.aligned[k] = static_cast<std::uint8_t>(std::countr_zero(known)),
        asked.address[k] =
            of.is_scalar ? 12 * unit : asked.address[k] / unit * unit % (of.limits.capacity == 0 ? ~0ull : 32768);
      co::recorded_cost greatest;
      for (std::uint64_t base = 1 << 17; base < (1 << 17) + 2 * of.period; base += known) {
        std::uint64_t const at = of.limits.capacity == 0 ? base : base - (1 << 17);
        if (at % unit != 0) continue;
        std::uint64_t address[Lanes];
        for (unsigned k = 0; k != Lanes; ++k) address[k] = at + asked.address[k];
        keep_greater_of_each(greatest, exact_cost(of, asked.may, address));
      }
      co::recorded_cost const bound = bound_of(of, asked);
      bool const is_equal =
          static_cast<co::compared_cost const&>(greatest) == static_cast<co::compared_cost const&>(bound);
      if (!is_equal && ++unequal == 1)
        FAIL_CHECK(of.name, ", question ", number, ": ", above(greatest, bound), above(bound, greatest));
    }
  }
  return unequal;
}

}  // namespace

TEST_CASE("bounds: with one unknown base, each number is its greatest at any base") {
  CHECK(try_all_bases<32>(share(10)) == 0);
  CHECK(try_all_bases<64>(share(10)) == 0);
}

TEST_CASE("bounds: unknown addresses cost a piece, or a round, for each lane") {
  list_instructions();
  auto const try_it = []<unsigned Lanes>(std::vector<asked_instruction<Lanes>> const& all) {
    for (auto const& of : all) {
      if (of.is_scalar) continue;
      co::possible_access<Lanes> asked;
      asked.may = co::detail::wave_mask<Lanes>;
      for (unsigned k = 0; k != Lanes; ++k) asked.base[k] = k + 1;
      co::recorded_cost const bound = bound_of(of, asked);
      std::uint64_t const lanes = of.given, pieces = of.limits.bytes > of.limits.alignment ? 2 : 1;
      INFO(of.name);
      bool const is_bank = bound.rounds != co::not_counted;
      std::uint64_t const accesses =
          of.name.find("2") != std::string::npos && is_bank && bound.rounds == 2 * lanes ? 2 : 1;
      if (is_bank) CHECK(bound.rounds == accesses * lanes);
      // (A copy that reads nothing costs nothing.)
      if (bound.transactions != co::not_counted)
        CHECK((bound.transactions == pieces * lanes || bound.transactions == 0));
      if (bound.lanes_on_one_address != co::not_counted) CHECK(bound.lanes_on_one_address == lanes);
    }
  };
  try_it(instructions<32>), try_it(instructions<64>);
}
