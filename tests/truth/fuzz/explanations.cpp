// SPDX-License-Identifier: BSL-1.0
//
// The sentences of co::explain are read back and checked (oracle/sentences.hpp). Pictures must have an element for each
// transaction or round that the cost counts. Asked are the instructions of CC 1.x, whose rules differ most from all
// later ones; copies that read all, some or no bytes; and one instruction of each other kind.
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/explain.hpp>
#include <coalesce/figure.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/rdna.hpp>

#include "truth/fuzz/answers.hpp"
#include "truth/oracle/sentences.hpp"

#include <sstream>

namespace {

using namespace coalescing_tests;
namespace cdna = co::cdna;
namespace cuda = co::cuda;
namespace gcn = co::gcn;
namespace rdna = co::rdna;

std::uint64_t count(std::string const& text, std::string const& words) {
  std::uint64_t found = 0;
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) ++found;
  return found;
}

template <class Instruction>
void draw(random_access const& made) {
  auto const cost = co::cost<Instruction>(made.address, made.active);
  std::string const drawn = co::svg<Instruction>(made.address, made.active),
                    text = co::terminal<Instruction>(made.address, made.active);
  expect(drawn.ends_with("</svg>\n") && text.ends_with("\n"), "a picture is whole");
  if constexpr (requires { cost.transactions; })
    expect(count(drawn, "<rect class=\"transaction\"") == cost.transactions, "a transaction is one element");
  else
    expect(count(drawn, "<rect class=\"round\"") == cost.rounds, "a round is one element");
}

/// `read`: bytes of each lane that are read or written.
template <class Instruction>
void ask(random_access made, unsigned read, serving const& how) {
  constexpr access_form form{.lanes = Instruction::lanes,
                             .bytes = Instruction::bytes,
                             .alignment = Instruction::alignment,
                             .capacity = co::detail::capacity_of<Instruction> - co::detail::reach_of<Instruction>};
  unsigned lane = co::misuse::no_lane;
  bool const refused = is_refused(made, form, lane);
  std::string text;
  try {
    text = std::string(co::explain<Instruction>(made.address, made.active));
  } catch (co::misuse const& refusal) {
    return expect(refused && refusal.lane() == lane, "it is explained, or another lane is to blame");
  }
  expect(!refused, "it is refused");
  made.active &= ~std::uint64_t{0} >> (64 - form.lanes);
  auto const tell = [&](std::string const& wrong) {
    if (!wrong.empty()) report((std::string(co::name_of<Instruction>()) + ": " + wrong + '\n' + head(text)).c_str());
  };
  tell(contradiction(text));
  looked_at const in{{made.address.begin(), made.address.begin() + form.lanes}, made.active, read};
  std::istringstream sentences(why(text));
  for (std::string sentence; std::getline(sentences, sentence);) tell(lie<Instruction>(sentence, in, how));
  if constexpr (Instruction::level != co::level::constant_cache && !requires { Instruction::accesses; } &&
                !(requires { Instruction::halves* Instruction::words; } && Instruction::bytes > 4))
    draw<Instruction>(made);
}

struct explained {
  access_form form;
  unsigned read;
  serving how;
  void (*ask)(random_access, unsigned, serving const&);
};

/// The control: a reader who takes it that all lanes of a warp on one piece are served together.
template <class Instruction>
explained one(serving const& how, unsigned read = Instruction::bytes) {
  return {{.lanes = Instruction::lanes,
           .bytes = Instruction::bytes,
           .alignment = Instruction::alignment,
           .capacity = co::detail::capacity_of<Instruction> - co::detail::reach_of<Instruction>},
          read,
          oracle_is_broken ? together : how,
          ask<Instruction>};
}
template <class... Instructions>
void add(std::vector<explained>& to, serving const& how) {
  (to.push_back(one<Instructions>(how)), ...);
}
/// Loads and stores of global memory are served alike, and so are words of shared memory from 4 bytes on.
template <class Machine>
void tesla(std::vector<explained>& to, serving const& how) {
  add<typename Machine::template load<8>, typename Machine::template load<16>, typename Machine::template load<32>,
      typename Machine::template load<64>, typename Machine::template load<128>, typename Machine::template store<64>>(
      to, how);
  add<typename Machine::template shared_load<8>, typename Machine::template shared_load<16>,
      typename Machine::template shared_load<32>, typename Machine::template shared_load<128>,
      typename Machine::template shared_store<8>, typename Machine::template shared_store<16>,
      typename Machine::template shared_store<64>, typename Machine::template constant_load<32>>(to, together);
}

std::vector<explained> const all = [] {
  std::vector<explained> made;
  tesla<cuda::cc10>(made, in_order);
  tesla<cuda::cc13>(made, by_protocol);
#ifdef COALESCE_FUZZ_EVERY_MACHINE
  tesla<cuda::cc11>(made, in_order);
  tesla<cuda::cc12>(made, by_protocol);
#endif
  made.push_back(one<cuda::cc80::cp_async<16>::global>(together));
  made.push_back(one<cuda::cc80::cp_async<16, 12>::global>(together, 12));
  made.push_back(one<cuda::cc80::cp_async<8, 1>::global>(together, 1));
  made.push_back(one<cuda::cc80::cp_async<16, 0>::global>(together, 0));
  add<cuda::cc20::load<64>, cuda::cc20::store<128>, cuda::cc35::load<128>, cuda::cc20::atomic<32>,
      rdna::gfx1100::wave64::global_store<96>>(made, in_parts);
  add<cuda::cc90::load<32>, cuda::cc90::store<128>, cuda::cc90::atomic<64>, cuda::cc90::constant_load<32>,
      cuda::cc35::shared_load<32>, cuda::cc75::shared_load<64, cuda::shared_mode::pair_merge>,
      cuda::cc90::shared_load<8>, cuda::cc90::shared_store<128>, gcn::buffer_load<32>, gcn::buffer_store<96>,
      gcn::ds_read<128>, cdna::gfx942::global_load<96>, cdna::gfx942::ds_read<128>, cdna::gfx942::ds_read2<64, 0, 255>,
      rdna::gfx1030::global_load<64>, rdna::gfx1100::ds_load<64>>(made, together);
  return made;
}();

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  fuzz_input in(data, size);
  auto const& of = all[in.below(all.size())];
  of.ask(access_reader(in, of.form).next(), of.read, of.how);
  return 0;
}
