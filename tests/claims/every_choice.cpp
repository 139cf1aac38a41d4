// SPDX-License-Identifier: BSL-1.0
//
// The worst of accesses whose index is data, against all combinations of choices in small cases, and against a maximum
// flow in large ones.
#include <coalesce/cdna.hpp>
#include <coalesce/claims.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/explain.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/rdna.hpp>

#include "machinery/check.hpp"
#include "truth/oracle/choices.hpp"
#include "truth/oracle/random_access.hpp"
#include "truth/oracle/refused.hpp"

#include <optional>

namespace co = coalescing;
using namespace coalescing_tests;
using co::cdna::gfx942, co::cdna::gfx950, co::cuda::cc90;

namespace {

/// Whether the answer is that of all combinations; no value where the question is refused.
template <class Instruction>
std::optional<bool> agrees(random_choices const& made, unsigned together) {
  auto const found = unless_refused([&] {
    return co::worst<Instruction>(made, co::any{made.choices, together}, made.active);
  });
  if (!found) return std::nullopt;
  auto const most = worst_of_all<Instruction>(made, together);
  one_combination chosen{made, {}, 1};
  for (unsigned lane = 0; lane != Instruction::lanes; ++lane) chosen.choice[lane] = found->choice[lane];
  auto const witness = co::cost<Instruction>(chosen, made.active);
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

/// The results of the questions.
struct tally {
  unsigned asked = 0, answered = 0, together_answered = 0, together_refused = 0;
};
template <class Instruction>
void ask(tally& all) {
  random_choices_of<Instruction> random(++all.asked);
  for (unsigned k = 0; k != share(60); ++k) {
    unsigned const together = k % 3 == 0 ? 1 + k % 4 : 1;
    auto const equal = agrees<Instruction>(random.next(together), together);
    all.answered += equal.has_value();
    (equal ? all.together_answered : all.together_refused) += together != 1;
    if (equal && !*equal) FAIL_CHECK(co::name_of<Instruction>().c_str(), ": ", k);
  }
}
template <class... Instructions>
void ask_all(tally& all) {
  (ask<Instructions>(all), ...);
}

}  // namespace

TEST_CASE("3 to 5 active lanes with up to 4 choices: the worst of all combinations, by each rule of every family") {
  tally all;
  using co::cuda::caching, co::cuda::shared_mode;
  using co::cuda::cc20, co::cuda::cc35, co::cuda::cc61, co::cuda::cc100;
  ask_all<cc20::load<32>, cc20::load<64, caching::l2>, cc20::store<128>, cc20::atomic<32>, cc20::constant_load<32>,
          cc20::shared_load<8>, cc20::shared_load<64>, cc20::shared_load<128>>(all);
  ask_all<cc35::load<32>, cc35::load<128, caching::l1>, cc35::shared_load<32, shared_mode::four_byte_banks>,
          cc35::shared_load<64, shared_mode::four_byte_banks>, cc35::shared_load<32, shared_mode::eight_byte_banks>,
          cc35::shared_store<128, shared_mode::eight_byte_banks>, cc35::shared_atomic<32>>(all);
  ask_all<cc61::load<64>, cc61::store<32>, cc61::shared_load<64>>(all);
  ask_all<cc90::load<8>, cc90::load<32>, cc90::load<128>, cc90::store<64>, cc90::atomic<32>, cc90::constant_load<64>,
          cc90::shared_load<16>, cc90::shared_load<32>, cc90::shared_load<64>, cc90::shared_load<128>,
          cc90::shared_load<128, shared_mode::no_merge>, cc90::shared_load<64, shared_mode::pair_merge>,
          cc90::shared_atomic<64>, cc90::cp_async<16>::global, cc90::cp_async<16>::shared, cc100::load<256>>(all);
  ask_all<gfx942::ds_read<8>, gfx942::ds_read<32>, gfx942::ds_read<64>, gfx942::ds_read<96>, gfx942::ds_read<128>,
          gfx942::ds_write<64>, gfx942::ds_read2<32, 0, 1>, gfx942::ds_read2<64, 3, 3>, gfx942::ds_write2st64<32, 0, 4>,
          gfx942::global_load<32>, gfx942::global_load<128>, gfx942::global_store<64>, gfx950::ds_read<32>,
          gfx950::ds_read<96>>(all);
  ask_all<co::gcn::ds_read<32>, co::gcn::ds_read<128>>(all);
  using co::rdna::gfx1100, co::rdna::gfx1201;
  ask_all<gfx1100::ds_load<32>, gfx1100::ds_load<128>, gfx1100::wave64::ds_load<64>, gfx1100::global_load<32>,
          gfx1100::wave64::global_load<128>, gfx1201::global_atomic<64>>(all);
  CHECK(all.asked == 56);
  CHECK(all.answered > share(56 * 40));
  CHECK(all.together_answered > share(100));
  CHECK(all.together_refused > share(100));
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
