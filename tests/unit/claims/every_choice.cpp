// SPDX-License-Identifier: BSL-1.0
//
// The worst of accesses whose index is data, against all combinations of choices in small cases, and against a maximum
// flow in large ones.
#include <coalesce/cdna.hpp>
#include <coalesce/claims.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/rdna.hpp>

#include "truth/instructions/cuda.hpp"
#include "truth/oracle/choices.hpp"
#include "truth/oracle/random_access.hpp"
#include "truth/oracle/refused.hpp"
#include "unit/check.hpp"

#include <optional>
#include <string>

namespace co = coalescing;
using namespace coalescing_tests;
using co::cdna::gfx942, co::cdna::gfx950, co::cuda::cc90;

namespace {

template <class Instruction>
concept comes_apart = requires {
  Instruction::grows_with;
}
&&Instruction::grows_with.groups != 0;

/// Whether the answer is that of all combinations; no value where the question is refused.
template <class Instruction>
std::optional<bool> agrees(random_choices const& made, unsigned together) {
  auto const f = [&](unsigned lane, unsigned choice) { return made.address[lane][choice]; };
  auto const found = unless_refused([&] {
    return co::worst<Instruction>(f, co::any{made.choices, together}, made.active);
  });
  if (!found) return std::nullopt;
  auto const most = worst_of_all<Instruction>(made, together);
  auto const witness = co::cost<Instruction>([&](unsigned lane) { return f(lane, found->choice[lane]); }, made.active);
  bool as_one = true;
  for (unsigned lane = 0; lane != Instruction::lanes; ++lane)
    for (unsigned other = 0; other != lane; ++other)
      if ((made.active >> lane & made.active >> other & 1) != 0 && lane / together == other / together)
        as_one = as_one && found->choice[lane] == found->choice[other];
  bool equal = witness == found->cost && as_one && found->at == co::point{};
  if constexpr (requires { most.rounds; })
    equal = equal && found->cost.rounds == most.rounds && found->cost.conflicts == most.conflicts &&
            found->cost.phases == most.phases && found->cost.ways == most.ways;
  else if constexpr (requires { most.transactions; })
    equal = equal && found->cost.transactions == most.transactions && found->cost.bytes_moved == most.bytes_moved;
  else
    equal = equal && found->cost.requests == most.requests;
  if constexpr (requires { most.lanes_on_one_address; })
    equal = equal && found->lanes_on_one_address == most.lanes_on_one_address;
  return equal;
}

unsigned asked = 0, answered = 0, together_answered = 0, together_refused = 0;
struct asks_all_choices {
  template <class Instruction>
  void operator()(std::string const& machine, std::string const& name) const {
    if constexpr (comes_apart<Instruction>) {
      constexpr bool needs_every_lane = requires(co::access<Instruction::lanes> const& access) {
        Instruction::check_lanes(access);
      };
      if constexpr (!needs_every_lane) {
        random_choices_of<Instruction> random(++asked);
        for (unsigned k = 0; k != share(12); ++k) {
          unsigned const together = k % 3 == 0 ? 1 + k % 4 : 1;
          auto const made = random.next(together);
          auto const equal = agrees<Instruction>(made, together);
          answered += equal.has_value();
          (equal ? together_answered : together_refused) += together != 1;
          if (equal && !*equal) FAIL_CHECK(machine, " ", name, ": ", k);
        }
      }
    }
  }
};

}  // namespace

TEST_CASE("3 to 5 active lanes with up to 4 choices: the worst of all combinations, on every kind of instruction") {
  asks_all_choices const ask;
  each_instruction<co::cuda::cc20>(ask);
  each_instruction<co::cuda::cc35>(ask);
  each_instruction<co::cuda::cc61>(ask);
  each_instruction<co::cuda::cc75>(ask);
  each_instruction<co::cuda::cc90>(ask);
  auto const lds = [&]<class Machine, unsigned... Bits>(char const* name) {
    (ask.template operator()<typename Machine::template ds_read<Bits>>(name, "ds_read"), ...);
    (ask.template operator()<typename Machine::template global_load<Bits>>(name, "global_load"), ...);
    (ask.template operator()<typename Machine::template global_store<Bits>>(name, "global_store"), ...);
  };
  lds.operator()<gfx942, 8, 16, 32, 64, 96, 128>("gfx942");
  lds.operator()<gfx950, 8, 16, 32, 64, 96, 128>("gfx950");
  ask.operator()<gfx942::ds_write<64>>("gfx942", "ds_write");
  ask.operator()<gfx942::ds_read2<32, 0, 1>>("gfx942", "ds_read2");
  ask.operator()<gfx942::ds_read2<64, 3, 3>>("gfx942", "ds_read2");
  ask.operator()<gfx942::ds_write2st64<32, 0, 4>>("gfx942", "ds_write2st64");
  ask.operator()<co::gcn::ds_read<32>>("gcn", "ds_read");
  ask.operator()<co::gcn::ds_read<128>>("gcn", "ds_read");
  auto const rdna = [&]<class Wave>(char const* name) {
    ask.template operator()<typename Wave::template ds_load<32>>(name, "ds_load");
    ask.template operator()<typename Wave::template ds_load<64>>(name, "ds_load");
    ask.template operator()<typename Wave::template ds_load<128>>(name, "ds_load");
    ask.template operator()<typename Wave::template global_load<32>>(name, "global_load");
    ask.template operator()<typename Wave::template global_load<128>>(name, "global_load");
    ask.template operator()<typename Wave::template global_atomic<64>>(name, "global_atomic");
  };
  rdna.operator()<co::rdna::gfx1100>("gfx1100"), rdna.operator()<co::rdna::gfx1100::wave64>("gfx1100::wave64");
  rdna.operator()<co::rdna::gfx1201>("gfx1201");
  CHECK(asked > 150);
  CHECK(answered > 8 * share(150));
  CHECK(together_answered > share(100));
  CHECK(together_refused > share(100));
}
TEST_CASE("ldmatrix<1>: 8 lanes, 2 choices each") {
  random_choices_of<cc90::ldmatrix<1>> random(1);
  for (unsigned k = 0; k != share(200); ++k) {
    auto made = random.next(1);
    made.active = 0xff, made.choices = 2;
    CHECK(agrees<cc90::ldmatrix<1>>(made, 1) == true);
  }
}
TEST_CASE("32 and 64 lanes with up to 40 choices: as many words as flow through the lanes of each phase and bank") {
  std::mt19937_64 engine(25);
  for (unsigned k = 0; k != share(400); ++k) {
    many_choices const made(engine);
    auto const f = [&](unsigned lane, unsigned choice) { return made.word(lane, choice) * 4; };
    co::any const of{made.choices};
    std::uint64_t const low = made.active & 0xffff'ffff;
    CHECK(co::worst<cc90::shared_load<32>>(f, of, low).cost.ways == most_flow(made, low, 32));
    CHECK(co::worst<cc90::load<32>>(f, of, low).cost.transactions == most_flow(made, low, 1, 8));
    // Two half-waves, in 32 banks; a half without an active lane takes a round, unless the other has none.
    std::uint64_t const first = most_flow(made, low, 32), second = most_flow(made, made.active >> 32 << 32, 32);
    std::uint64_t const rounds =
        made.active == 0 ? 0 : std::max<std::uint64_t>(first, 1) + std::max<std::uint64_t>(second, 1);
    CHECK(co::worst<gfx942::ds_read<32>>(f, of, made.active).cost.rounds == rounds);
    CHECK(co::worst<gfx950::ds_read<32>>(f, of, made.active).cost.rounds == most_flow(made, made.active, 64));
    CHECK(co::worst<gfx942::global_load<32>>(f, of, made.active).cost.transactions ==
          most_flow(made, made.active, 1, 32));
  }
}
TEST_CASE("control: without augmenting paths, or without the last choice, the worst is often missed") {
  std::mt19937_64 engine(26);
  unsigned greedy = 0, fewer = 0;
  for (unsigned k = 0; k != share(400); ++k) {
    many_choices const made(engine);
    std::uint64_t const low = made.active & 0xffff'ffff, most = most_flow(made, low, 32);
    greedy += most_flow(made, low, 32, 1, false) != most;
    many_choices without = made;
    without.choices -= 1;
    fewer += most_flow(without, low, 32) != most;
  }
  CHECK(greedy > share(40));
  CHECK(fewer > share(10));
}
