// SPDX-License-Identifier: BSL-1.0
//
// An instruction without an active lane is not issued: every number of every instruction of every machine is 0 then,
// and nothing is listed.
#include <coalesce/coalesce.hpp>
#include <coalesce/explain.hpp>

#include "every/machines.hpp"
#include "machinery/check.hpp"
#include "truth/instructions/cdna.hpp"
#include "truth/instructions/cuda.hpp"
#include "truth/instructions/gcn.hpp"
#include "truth/instructions/rdna.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace co = coalescing;

namespace {

/// The numbers of an answer that are not 0, and whether anything is listed; empty if all are 0. (All instructions share
/// what makes a text: a compiler makes the functions of one 2,000 times.)
template <class Cost, auto... Numbers>
std::string something_in(Cost const& cost, co::detail::members<Numbers...>, std::uint64_t phases,
                         std::uint64_t transactions) {
  std::string found;
  ((cost.*Numbers != 0 ? void(found += std::string(co::detail::name_of_number<Numbers>().c_str()) + ' ') : void()),
   ...);
  if (phases != 0) found += "a phase";
  if (transactions != 0) found += "a transaction";
  return found;
}
template <class Instruction, class Mask>
std::string something_of(Mask mask) {
  constexpr auto anywhere = co::linear{.base = 64, .stride = 3};  // addresses of inactive lanes are never refused
  std::uint64_t phases = 0, transactions = 0;
  if constexpr (requires { &Instruction::phases_of; }) phases = co::phases<Instruction>(anywhere, mask).size();
  if constexpr (requires { &Instruction::transactions_of; })
    transactions = co::transactions<Instruction>(anywhere, mask).size();
  return something_in(co::cost<Instruction>(anywhere, mask), typename Instruction::cost_type::numbers{}, phases,
                      transactions);
}

unsigned instructions_asked = 0;
void check(std::string const& machine, std::string const& instruction, std::string (*something)(std::uint64_t)) {
  ++instructions_asked;
  std::string found;
  try {
    found = something(0);
  } catch (co::misuse const& refused) {
    found = refused.what();
  }
  if (!found.empty()) FAIL_CHECK(machine, " ", instruction, ": ", found);
}
struct asks_for_nothing {
  static constexpr bool asks(std::string_view machine) { return coalescing_tests::is_asked(machine); }
  template <class Instruction>
  void operator()(std::string const& machine, std::string const& instruction) const {
    check(machine, instruction, something_of<Instruction, std::uint64_t>);
  }
};

}  // namespace

TEST_CASE("without an active lane no instruction of any machine is issued: it costs nothing, and lists nothing") {
  coalescing_tests::each_instruction_of_cuda(asks_for_nothing{});
  coalescing_tests::each_instruction_of_gcn(asks_for_nothing{});
  coalescing_tests::each_instruction_of_cdna(asks_for_nothing{});
  coalescing_tests::each_instruction_of_rdna(asks_for_nothing{});
  CHECK(instructions_asked > (COALESCE_TEST_SHARE == 1 ? 2'000 : 700));
}
TEST_CASE("a predicate that no lane fulfils is a mask without a lane") {
  constexpr auto none = [](unsigned) { return false; };
  CHECK(something_of<co::cuda::cc10::load<32>>(none) == "");
  CHECK(something_of<co::cuda::cc90::store<64>>(none) == "");
  CHECK(something_of<co::cuda::cc90::ldmatrix<2>>(none) == "");
  CHECK(something_of<co::gcn::buffer_load<8>>(none) == "");
  CHECK(something_of<co::gcn::s_load<4>>(none) == "");
  CHECK(something_of<co::cdna::gfx942::ds_read2<32, 0, 1>>(none) == "");
  CHECK(something_of<co::rdna::gfx1100::ds_load<32>>(none) == "");
  CHECK(something_of<co::rdna::gfx1100::wave64::ds_load<32>>(none) == "");
}
TEST_CASE("control: one active lane is something, and so is an idle phase beside it") {
  constexpr auto first = [](unsigned lane) { return lane == 0; };
  CHECK(something_of<co::cdna::gfx942::ds_read<32>>(first) == "rounds phases ways a phase");
  CHECK(something_of<co::gcn::buffer_load<8>>(1) == "clocks transactions bytes_moved bytes_used a transaction");
}
