// SPDX-License-Identifier: BSL-1.0
//
// The instructions of every compute capability, with COALESCE_FUZZ_EVERY_MACHINE; without, of one of each kind, which
// compiles in a third of the time. Widths take turns, so that every machine and every width are met.
#include <coalesce/cuda.hpp>

#include <cstdio>
#include <cstdlib>

#include "truth/fuzz/answers.hpp"
#include "truth/instructions/cuda.hpp"

namespace {

using namespace coalescing_tests;
namespace cuda = coalescing::cuda;
using cuda::caching, cuda::matrix, cuda::shared_mode;

// ---- Global memory ----

cost_answer answer_of(random_access const& made, unsigned bytes, std::vector<std::vector<piece>> groups,
                      std::uint64_t requests) {
  cost_answer answer;
  answer.numbers.requests = requests;
  answer.numbers.transactions = answer.numbers.bytes_moved = 0;
  for (auto const& group : groups)
    for (auto const& one : group) ++*answer.numbers.transactions, *answer.numbers.bytes_moved += one.bytes;
  answer.numbers.bytes_used = touched_bytes(made, bytes).size();
  answer.footprint = 64 * touched_pieces(touched_bytes(made, bytes), 64).size();
  answer.pieces = std::move(groups);
  return answer;
}
cost_answer as_store(cost_answer answer, random_access const& made, unsigned bytes) {
  answer.numbers.partial_sectors = sectors_in_part(made, bytes);
  answer.numbers.operations = slow_addresses(made);
  return answer;
}
cost_answer in_order(random_access const& made, access_form const& form) {
  auto const half = [&](unsigned first) { return in_order_half(made, first, form.bytes, 128, oracle_is_broken); };
  return answer_of(made, form.bytes, {half(0), half(16)}, parts_with_a_lane(made, 16));
}
cost_answer protocol(random_access const& made, access_form const& form) {
  return answer_of(made, form.bytes, {protocol_half(made, 0, form.bytes), protocol_half(made, 16, form.bytes)},
                   parts_with_a_lane(made, 16));
}
template <std::uint64_t Piece>
cost_answer by_requests(random_access const& made, access_form const& form) {
  unsigned const lanes = form.bytes <= 4 ? 32 : form.bytes == 8 ? 16 : 8;
  return answer_of(made, form.bytes, pieces_of_parts(made, form.bytes, lanes, Piece), parts_with_a_lane(made, lanes));
}
cost_answer store_by_requests(random_access const& made, access_form const& form) {
  return as_store(by_requests<32>(made, form), made, form.bytes);
}
cost_answer split(random_access const& made, access_form const& form) {
  return answer_of(made, form.bytes, pieces_of_parts(made, form.bytes, 32, 32),
                   parts_with_a_lane(made, form.bytes <= 4   ? 8
                                           : form.bytes == 8 ? 4
                                                             : 2));
}
cost_answer split_store(random_access const& made, access_form const& form) {
  return as_store(split(made, form), made, form.bytes);
}
cost_answer sectors(random_access const& made, access_form const& form) {
  auto answer = answer_of(made, form.bytes, pieces_of_parts(made, form.bytes, 32, 32), made.active != 0);
  auto const lines = touched_pieces(touched_bytes(made, form.bytes), 128).size();
  std::uint64_t wavefronts = 0;
  for (auto const rounds : bank_rounds(made, form.bytes, lanes_of_parts(form.bytes <= 4 ? 1 : form.bytes / 4), 32, 4))
    wavefronts += rounds;
  answer.numbers.lines = lines, answer.numbers.data_wavefronts = wavefronts;
  answer.numbers.tag_wavefronts_at_least = lines / 4 + (lines % 4 != 0);
  return answer;
}
cost_answer sectors_of_store(random_access const& made, access_form const& form) {
  return as_store(sectors(made, form), made, form.bytes);
}
cost_answer atomic(random_access const& made, access_form const& form) {
  auto answer = slow_pieces(made, form.bytes, 32);
  answer.numbers.operations = slow_lanes(made), answer.numbers.lanes_on_one_address = slow_most_on_one(made);
  return answer;
}
template <unsigned Part>
cost_answer constant(random_access const& made, access_form const& form) {
  cost_answer answer;
  answer.numbers.requests = 0;
  for (unsigned first = 0; first != 32; first += Part) {
    auto of_part = made;
    of_part.active &= part_mask(first, Part);
    *answer.numbers.requests += slow_addresses(of_part);
  }
  answer.numbers.bytes_used = touched_bytes(made, form.bytes).size();
  return answer;
}
template <unsigned Source>
cost_answer copied(random_access const& made, access_form const&) {
  auto asked = made;
  if (Source == 0) asked.active = 0;
  auto answer = answer_of(asked, Source, pieces_of_parts(asked, Source, 32, 32), asked.active != 0);
  answer.numbers.lines = touched_pieces(touched_bytes(asked, Source), 128).size();
  return answer;
}

// ---- Shared memory ----

/// From the rounds of each phase, those without a lane being none.
cost_answer of_rounds(std::vector<std::uint64_t> const& all) {
  cost_answer answer;
  std::uint64_t sum = 0, phases = 0, worst = 0;
  for (auto const rounds : all) sum += rounds, phases += rounds != 0, worst = std::max(worst, rounds);
  answer.numbers.rounds = sum, answer.numbers.conflicts = sum - phases;
  answer.numbers.phases = phases, answer.numbers.ways = worst;
  return answer;
}
cost_answer in_parts(random_access const& made, unsigned bytes, std::vector<std::vector<unsigned>> const& parts,
                     unsigned width = 4) {
  auto answer = of_rounds(bank_rounds(made, bytes, parts, 32, width));
  answer.phases = slow_phases(left_out, made, bytes, parts, 32, width);
  return answer;
}
/// CC 1.x: 32 bits of each half-warp at a time, each location by itself, or by trying every choice of broadcasts.
template <bool Stores>
cost_answer half_warps(random_access const& made, access_form const& form) {
  static every_choice choices;
  static unsigned asked = 0;
  if (++asked % 4096 == 0) choices = {};  // it remembers all that it was asked
  std::vector<std::uint64_t> most, fewest;
  for (unsigned first = 0; first != 32; first += 16)
    for (unsigned word = 0; word != (form.bytes + 3) / 4; ++word) {
      std::map<std::uint64_t, std::set<std::uint64_t>> locations;
      std::map<std::uint64_t, unsigned> lanes_of_word;
      for (unsigned lane = first; lane != first + 16; ++lane)
        if (is_active(made, lane)) {
          locations[(made.address[lane] / 4 + word) % 16].insert(made.address[lane]);
          ++lanes_of_word[made.address[lane] / 4 + word];
        }
      if (lanes_of_word.empty()) continue;
      if (Stores) {
        std::size_t worst = 0;
        for (auto const& [bank, of_it] : locations) worst = std::max(worst, of_it.size());
        most.push_back(worst), fewest.push_back(worst);
      } else {
        every_choice::state wanted(16);
        for (auto const& [address, lanes] : lanes_of_word) wanted[address % 16].push_back(lanes);
        auto const [best, worst] = choices.steps(wanted);
        most.push_back(worst), fewest.push_back(best);
      }
    }
  auto answer = of_rounds(most);
  answer.numbers.rounds_at_least = 0;
  for (auto const rounds : fewest) *answer.numbers.rounds_at_least += rounds;
  return answer;
}
/// CC 2.x: 64 bits by half-warps; 128 bits one more than the worst quarter.
cost_answer fermi(random_access const& made, access_form const& form) {
  if (form.bytes != 16) return in_parts(made, form.bytes, lanes_of_parts(form.bytes == 8 ? 2 : 1));
  std::uint64_t worst = 0;
  for (auto const rounds : bank_rounds(made, 16, lanes_of_parts(4), 32, 4)) worst = std::max(worst, rounds);
  return of_rounds({worst == 0 ? 0 : worst + 1});
}
/// CC 3.x with 4-byte banks: words of one place in an aligned 64 words do not conflict with those 32 further.
cost_answer kepler(random_access const& made, access_form const& form) {
  std::vector<std::uint64_t> all;
  for (auto const& part : lanes_of_parts(form.bytes == 16 ? 2 : 1)) {
    std::map<std::uint64_t, std::set<std::uint64_t>> of_bank;
    for (unsigned const lane : part)
      if (is_active(made, lane))
        for (unsigned byte = 0; byte != form.bytes; ++byte) {
          auto const word = (made.address[lane] + byte) / 4;
          of_bank[word % 32].insert(word / 64);
        }
    std::size_t worst = 0;
    for (auto const& [bank, segments] : of_bank) worst = std::max(worst, segments.size());
    all.push_back(worst);
  }
  return of_rounds(all);
}
cost_answer wide_banks(random_access const& made, access_form const& form) {
  return in_parts(made, form.bytes, lanes_of_parts(form.bytes == 16 ? 2 : 1), 8);
}
cost_answer maxwell(random_access const& made, access_form const& form) {
  return in_parts(made, form.bytes, lanes_of_parts(form.bytes <= 4 ? 1 : form.bytes / 4));
}
/// Half the parts, where each lane names the address of its neighbour, or each that of its second neighbour.
cost_answer pair_merge(random_access const& made, access_form const& form) {
  bool pairs[2] = {true, true};
  for (unsigned lane = 0; lane != 32; ++lane)
    for (unsigned const apart : {1u, 2u})
      if (is_active(made, lane) && is_active(made, lane ^ apart) && made.address[lane] != made.address[lane ^ apart])
        pairs[apart - 1] = false;
  unsigned const parts = form.bytes <= 4 ? 1 : form.bytes / 4;
  return in_parts(made, form.bytes, lanes_of_parts(parts > 1 && (pairs[0] || pairs[1]) ? parts / 2 : parts));
}
cost_answer pair_merge_of_16(random_access const& made, access_form const& form) {
  return form.bytes == 16 ? pair_merge(made, form) : maxwell(made, form);
}
template <cost_answer (*Load)(random_access const&, access_form const&)>
cost_answer shared_atomic(random_access const& made, access_form const& form) {
  auto answer = Load(made, form);
  answer.phases.reset();
  answer.numbers.operations = slow_lanes(made), answer.numbers.lanes_on_one_address = slow_most_on_one(made);
  return answer;
}
cost_answer matrices(random_access const& made, access_form const& form) {
  std::vector<std::vector<unsigned>> rows(form.lanes / 8);
  for (unsigned lane = 0; lane != form.lanes; ++lane) rows[lane / 8].push_back(lane);
  return in_parts(made, 16, rows);
}

// ---- The machines ----

using oracle = cost_answer(random_access const&, access_form const&);

struct adder {
  std::vector<fuzzed_instruction>& to;
  std::string machine;
  unsigned shared_bytes;

  static access_form global(unsigned bytes) { return {.lanes = 32, .bytes = bytes, .alignment = bytes}; }
  [[nodiscard]] access_form shared(unsigned bytes, unsigned lanes = 32) const {
    return {.lanes = lanes, .bytes = bytes, .alignment = bytes, .capacity = shared_bytes};
  }
  template <class Instruction>
  void add(char const* what, access_form const& form, oracle* expected, bool every_lane = false) const {
    to.push_back(fuzzed<Instruction>("CC " + machine + " " + what + " of " + std::to_string(form.bytes) + " bytes",
                                     form, expected, every_lane));
  }
  template <class Machine, unsigned Bits>
  void all_of(oracle* load, oracle* store, oracle* constants, oracle* from_shared, oracle* to_shared) const {
    add<typename Machine::template load<Bits>>("load", global(Bits / 8), load);
    add<typename Machine::template store<Bits>>("store", global(Bits / 8), store);
    if constexpr (Bits == 32 || Bits == 64)
      add<typename Machine::template constant_load<Bits>>("constant_load", global(Bits / 8), constants);
    add<typename Machine::template shared_load<Bits>>("shared_load", shared(Bits / 8), from_shared);
    add<typename Machine::template shared_store<Bits>>("shared_store", shared(Bits / 8), to_shared);
  }
};

/// The widths: 32 bits on all; the others in turn.
template <class Machine, unsigned Turn>
void every_width(adder const& to, oracle* load, oracle* store, oracle* constants, oracle* from_shared,
                 oracle* to_shared) {
  to.all_of<Machine, 32>(load, store, constants, from_shared, to_shared);
  if constexpr (Turn % 2 == 0) {
    to.all_of<Machine, 8>(load, store, constants, from_shared, to_shared);
    to.all_of<Machine, 128>(load, store, constants, from_shared, to_shared);
  } else {
    to.all_of<Machine, 16>(load, store, constants, from_shared, to_shared);
    to.all_of<Machine, 64>(load, store, constants, from_shared, to_shared);
  }
}
template <class Machine, oracle* Load>
void atomics(adder const& to) {
  to.add<typename Machine::template atomic<32>>("atomic", adder::global(4), atomic);
  to.add<typename Machine::template atomic<64>>("atomic", adder::global(8), atomic);
  to.add<typename Machine::template red<32>>("red", adder::global(4), atomic);
  if constexpr (cuda::rules::has_wide_atomics<typename Machine::row>)
    to.add<typename Machine::template atomic<128>>("atomic", adder::global(16), atomic);
  if constexpr (cuda::rules::has_half_word_atomics<typename Machine::row>)
    to.add<typename Machine::template red<16>>("red", adder::global(2), atomic);
  to.add<typename Machine::template shared_atomic<32>>("shared_atomic", to.shared(4), shared_atomic<Load>);
}

/// Wide loads from shared memory, where the mode says whether pairs of lanes merge.
template <class M>
void of_either_mode(adder const& to) {
  to.add<typename M::template shared_load<64, shared_mode::pair_merge>>("merging shared_load", to.shared(8),
                                                                        pair_merge);
  to.add<typename M::template shared_load<128, shared_mode::pair_merge>>("merging shared_load", to.shared(16),
                                                                         pair_merge);
  to.add<typename M::template shared_load<128, shared_mode::no_merge>>("shared_load that never merges", to.shared(16),
                                                                       maxwell);
}

template <class Machine, class... Those>
constexpr bool is_among = (std::is_same_v<Machine, Those> || ...);
#ifdef COALESCE_FUZZ_EVERY_MACHINE
template <class>
constexpr bool is_asked = true;
#else
template <class Machine>
constexpr bool is_asked = is_among<Machine, cuda::cc10, cuda::cc13, cuda::cc20, cuda::cc30, cuda::cc37, cuda::cc61,
                                   cuda::cc75, cuda::cc90, cuda::cc100>;
#endif

/// The KiB of shared memory of each compute capability, from the guides' tables.
constexpr unsigned shared_kib[][2] = {
    {10, 16},  {11, 16},   {12, 16},   {13, 16},   {20, 48},   {21, 48},   {30, 48},   {32, 48},
    {35, 48},  {37, 112},  {50, 64},   {52, 96},   {53, 64},   {60, 64},   {61, 96},   {62, 64},
    {70, 96},  {72, 96},   {75, 64},   {80, 164},  {86, 100},  {87, 164},  {88, 100},  {89, 100},
    {90, 228}, {100, 228}, {103, 228}, {107, 328}, {110, 228}, {120, 100}, {121, 100},
};
unsigned shared_bytes_of(char const* machine, unsigned capability) {
  for (auto const& line : shared_kib)
    if (line[0] == capability) return 1024 * line[1];
  std::printf("%s has no line in tests/truth/fuzz/cuda.cpp, table shared_kib\n", machine);
  std::exit(1);
}

template <class M>
void add_all(std::vector<fuzzed_instruction>& made) {
  constexpr unsigned capability = capability_of<M>;
  /// On these the 16 and 64 bits, on others 8 and 128.
  constexpr bool odd = is_among<M, cuda::cc10, cuda::cc12, cuda::cc20, cuda::cc30, cuda::cc35, cuda::cc50, cuda::cc61,
                                cuda::cc70, cuda::cc80, cuda::cc90, cuda::cc120>;
  adder const to{made, std::to_string(capability / 10) + "." + std::to_string(capability % 10),
                 shared_bytes_of(M::name, capability)};
  if constexpr (capability < 12) {
    every_width<M, odd>(to, in_order, in_order, constant<16>, half_warps<false>, half_warps<true>);
  } else if constexpr (capability < 20) {
    every_width<M, odd>(to, protocol, protocol, constant<16>, half_warps<false>, half_warps<true>);
  } else if constexpr (capability < 30) {
    every_width<M, odd>(to, by_requests<128>, store_by_requests, constant<32>, fermi, fermi);
    to.add<typename M::template load<64, caching::l2>>("load past L1", adder::global(8), by_requests<32>);
    atomics<M, fermi>(to);
  } else if constexpr (capability < 50) {
    every_width<M, odd>(to, by_requests<32>, store_by_requests, constant<32>, kepler, kepler);
    to.add<typename M::template shared_load<64, shared_mode::eight_byte_banks>>("shared_load of wide banks",
                                                                                to.shared(8), wide_banks);
    to.add<typename M::template shared_store<128, shared_mode::eight_byte_banks>>("shared_store of wide banks",
                                                                                  to.shared(16), wide_banks);
    if constexpr (is_among<M, cuda::cc35, cuda::cc37>)
      to.add<typename M::template load<128, caching::l1>>("load through L1", adder::global(16), by_requests<128>);
    atomics<M, kepler>(to);
  } else if constexpr (capability < 70) {
    every_width<M, odd>(to, split, split_store, constant<32>, maxwell, maxwell);
    atomics<M, maxwell>(to);
    of_either_mode<M>(to);
  } else {
    // NVIDIA says that CC 7.0 to 7.5 merge; it was measured on 8.0 and 9.0, and of 16 bytes on 8.6.
    constexpr bool all_merge = capability <= 80 || capability == 90, widest_merge = capability == 86;
    every_width<M, odd>(to, sectors, sectors_of_store, constant<32>,
                        all_merge      ? pair_merge
                        : widest_merge ? pair_merge_of_16
                                       : maxwell,
                        maxwell);
    atomics<M, maxwell>(to);
    of_either_mode<M>(to);
    if constexpr (cuda::rules::has_copies_to_shared<typename M::row>) {
      to.add<typename M::template cp_async<16>::global>("cp_async", adder::global(16), copied<16>);
      to.add<typename M::template cp_async<8, 5>::global>("cp_async", adder::global(8), copied<5>);
      to.add<typename M::template cp_async<16, 0>::global>("cp_async of nothing", adder::global(16), copied<0>);
      to.add<typename M::template cp_async<4, 0>::shared>("cp_async to shared", to.shared(4), maxwell);
    }
    if constexpr (cuda::rules::has_matrix_loads<typename M::row>) {
      to.add<typename M::template ldmatrix<1>>("ldmatrix", to.shared(16, 8), matrices, true);
      to.add<typename M::template ldmatrix<4>>("ldmatrix", to.shared(16, 32), matrices, true);
    }
    if constexpr (cuda::rules::has_matrix_stores<typename M::row>)
      to.add<typename M::template stmatrix<2>>("stmatrix", to.shared(16, 16), matrices, true);
    if constexpr (M::template load<256>::exists) {
      to.add<typename M::template load<256>>("load", adder::global(32), sectors);
      to.add<typename M::template store<256>>("store", adder::global(32), sectors_of_store);
    }
  }
}

std::vector<fuzzed_instruction> const all = [] {
  std::vector<fuzzed_instruction> made;
  cuda::every_machine::each([&]<class Machine>() {
    if constexpr (is_asked<Machine>) add_all<Machine>(made);
  });
  return made;
}();

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  ask_one(all, data, size);
  return 0;
}
