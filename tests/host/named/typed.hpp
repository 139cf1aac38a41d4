// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/host/named.hpp>
#include <coalesce/rdna.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>
#include "truth/oracle/random_access.hpp"
#include "truth/oracle/refused.hpp"

// Holds the instructions that are known by their names to the types that users name: which there are, by the tests'
// own list of each family, and what they answer, by the typed call.

namespace coalescing_tests {

namespace co = coalescing;

/// What a typed call answers: a sentence where it refuses.
struct typed_answers {
  std::string refused;
  std::vector<std::pair<std::string, std::uint64_t>> numbers;
  std::optional<std::vector<co::transaction>> transactions;
  std::optional<std::vector<co::bank_phase>> phases;
};
template <class Instruction>
typed_answers ask_by_type(random_access const& asked) {
  typed_answers made;
  try {
    using numbers = co::detail::numbers_in<typename Instruction::cost_type>;
    auto const values = numbers::value(co::cost<Instruction>(asked.address, asked.active));
    for (unsigned k = 0; k != numbers::count; ++k)
      made.numbers.emplace_back(numbers::name().of[k].c_str(), values.of[k]);
    if constexpr (requires(co::access<Instruction::lanes> const& a) { Instruction::transactions_of(a); }) {
      auto const list = co::transactions<Instruction>(asked.address, asked.active);
      made.transactions.emplace(list.begin(), list.end());
    }
    if constexpr (requires(co::access<Instruction::lanes> const& a) { Instruction::phases_of(a); }) {
      auto const list = co::phases<Instruction>(asked.address, asked.active);
      made.phases.emplace(list.begin(), list.end());
    }
  } catch (co::misuse const& why) {
    made.refused = why.what();
  }
  return made;
}

/// An instruction as its type declares it.
struct typed_instruction {
  std::string whole;
  unsigned lanes, bytes, alignment;
  std::uint64_t unit, capacity;
  co::level level;
  bool needs_all_lanes;
  typed_answers (*ask)(random_access const&);
};

/// Asks an instruction by its name and by its type about random accesses.
inline void check_named(typed_instruction const& typed, std::set<std::string>& met, unsigned accesses) {
  std::string const& whole = typed.whole;
  auto const wave = whole.find("wave64::"), last = whole.substr(0, whole.find('<')).rfind("::") + 2;
  auto const at = wave != whole.npos ? wave : last;
  std::string const machine = whole.substr(0, at - 2), name = whole.substr(at);
  CAPTURE(whole);
  // The offsets of pairs, and the bytes that a copy reads, are a part of the type: the list has the plain ones.
  bool const is_pair =
      name.find("2<") != name.npos || name.find("2st64<") != name.npos || name.find("_2addr") != name.npos;
  bool const is_partial_copy = name.starts_with("cp_async<") && name.find(',') != name.npos;
  if ((is_pair && name.find(", 0, 1>") == name.npos) || is_partial_copy) return;
  met.insert(whole);
  co::named_instruction const& by_name = co::named(machine, name);
  REQUIRE(by_name.full_name() == whole);
  CHECK(by_name.lanes == typed.lanes);
  CHECK(by_name.bytes == typed.bytes);
  CHECK(by_name.alignment == typed.alignment);
  CHECK(by_name.unit == typed.unit);
  CHECK((by_name.level == typed.level));
  bool const stores = name.find("store") != name.npos || name.find("write") != name.npos ||
                      name.find("stmatrix") != name.npos || name.find("::shared") != name.npos;
  bool const is_atomic = name.find("atomic") != name.npos || name.starts_with("red<");
  CHECK((by_name.kind == (is_atomic ? co::touch::atomic : stores ? co::touch::store : co::touch::load)));

  random_accesses accesses_of{typed.bytes, typed.alignment, 7, typed.capacity};
  for (unsigned k = 0; k != accesses; ++k) {
    random_access asked = accesses_of.next();
    asked.active &= ~std::uint64_t{0} >> (64 - typed.lanes);
    if (typed.needs_all_lanes) asked.active = co::all_lanes;
    typed_answers const answers = typed.ask(asked);
    auto const row = by_name.row(asked.address, asked.active);
    REQUIRE((row.refused != co::refusal::none) == !answers.refused.empty());
    if (!answers.refused.empty()) {
      REQUIRE(refusal([&] { return by_name.cost(asked.address, asked.active); }) == answers.refused);
      continue;
    }
    co::compared_cost const named = by_name.cost(asked.address, asked.active);
    REQUIRE((static_cast<co::compared_cost const&>(row) == named));
    for (auto const& [number, value] : answers.numbers) REQUIRE(co::number_named(named, number.c_str()) == value);
    unsigned counted = 0;
    auto const all = co::detail::numbers_of<co::compared_cost::numbers>::value(named);
    for (std::uint64_t const number : all.of) counted += number != co::not_counted;
    REQUIRE(counted == answers.numbers.size());
    if (answers.transactions) REQUIRE((by_name.transactions(asked.address, asked.active) == *answers.transactions));
    if (answers.phases) REQUIRE((by_name.phases(asked.address, asked.active) == *answers.phases));
  }
}

struct named_against_typed {
  std::set<std::string>& met;
  unsigned accesses;

  template <class Instruction>
  void operator()(std::string const&, std::string const&) const {
    constexpr bool needs_all_lanes = requires { Instruction::check_wave(0u); }
    || requires { Instruction::source_of(0u, 0u); };
    check_named({co::name_of<Instruction>().c_str(), Instruction::lanes, Instruction::bytes, Instruction::alignment,
                 Instruction::unit, co::detail::capacity_of<Instruction>, Instruction::level, needs_all_lanes,
                 ask_by_type<Instruction>},
                met, accesses);
  }
};

/// Every instruction of the list has been met, and every machine of the family is listed.
template <class Machines>
void check_listing(std::string const& family, std::set<std::string> const& met) {
  std::set<std::string> listed;
  for (co::named_machine const& machine : co::named_machines())
    if (machine.name.starts_with(family))
      for (co::named_instruction const& each : machine.instructions) listed.insert(each.full_name());
  for (std::string const& name : listed) CHECK_MESSAGE(met.count(name) == 1, name, " is listed, and the tests lack it");
  for (std::string const& name : met) CHECK_MESSAGE(listed.count(name) == 1, name, " is not listed");
  Machines::each([&]<class Machine>() {
    std::string const name = family == "gcn" ? family : family + "::" + Machine::name;
    CHECK(std::any_of(co::named_machines().begin(), co::named_machines().end(),
                      [&](co::named_machine const& machine) { return machine.name == name; }));
  });
}

}  // namespace coalescing_tests
