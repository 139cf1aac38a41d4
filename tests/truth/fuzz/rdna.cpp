// SPDX-License-Identifier: BSL-1.0
//
// RDNA's instructions in waves of 32 and 64, at widths that differ in something: on every chip with
// COALESCE_FUZZ_EVERY_MACHINE, without it on a chip of each kind, which compiles in half the time.
#include <coalesce/rdna.hpp>

#include "truth/fuzz/answers.hpp"
#include "truth/instructions/rdna.hpp"

namespace {

using namespace coalescing_tests;
namespace rdna = coalescing::rdna;
using rdna::gfx1030, rdna::gfx1036, rdna::gfx1100, rdna::gfx1151, rdna::gfx1201;

// Phases of a wave of 32; those of 64 lanes are GCN's.
std::string const whole = "0-31", halves = "0-15 16-31", quarters = "0-7 8-15 16-23 24-31",
                  crossed = "0-3,20-23 4-7,16-19 8-11,28-31 12-15,24-27";

/// Lanes 0 to 31, and 32 to 63.
std::array<random_access, 2> halves_of(random_access const& made) {
  random_access first = made, second = made;
  first.active &= 0xffff'ffff, second.active &= 0xffff'ffff'0000'0000;
  return {first, second};
}
/// Lines of each half on its own; bytes of all.
cost_answer memory(random_access const& made, access_form const& form) {
  auto answer = slow_pieces(made, form.bytes, 128);
  answer.pieces->clear();
  std::uint64_t lines = 0;
  for (auto const& half : halves_of(made)) {
    auto const of_half = slow_pieces(half, form.bytes, 128);
    lines += *of_half.numbers.transactions;
    answer.pieces->push_back((*of_half.pieces)[0]);
  }
  answer.numbers.transactions = lines, answer.numbers.bytes_moved = 128 * lines;
  return answer;
}
/// gfx1030's L0: clock by clock, each of four tag banks gives up a line and each of 32 data banks a dword, until none
/// is left; more than two lines never take one clock.
std::uint64_t clocks_of(random_access const& half, unsigned bytes) {
  auto const touched = touched_bytes(half, bytes);
  auto const lines = touched_pieces(touched, 128), words = touched_pieces(touched, 4);
  std::array<unsigned, 4> tags{};
  std::array<unsigned, 32> data{};
  for (auto const line : lines) ++tags[line >> 7 & (oracle_is_broken ? 1 : 3)];
  for (auto const word : words) ++data[word >> 2 & 31];
  std::uint64_t clocks = 0;
  for (bool busy = !lines.empty(); busy; ++clocks) {
    for (auto& tag : tags) tag -= tag != 0;
    for (auto& bank : data) bank -= bank != 0;
    busy = false;
    for (auto const tag : tags) busy = busy || tag != 0;
    for (auto const bank : data) busy = busy || bank != 0;
  }
  return lines.size() > 2 && clocks == 1 ? 2 : clocks;
}
cost_answer clocked(random_access const& made, access_form const& form) {
  auto answer = memory(made, form);
  std::uint64_t clocks = 0;
  for (auto const& half : halves_of(made)) clocks += clocks_of(half, form.bytes);
  answer.numbers.clocks = clocks;
  return answer;
}
cost_answer atomic(random_access const& made, access_form const& form) {
  auto answer = memory(made, form);
  answer.numbers.operations = slow_lanes(made);
  return answer;
}
cost_answer scalar(random_access const& made, access_form const& form) { return slow_pieces(made, form.bytes, 64); }
template <auto& Phases>
cost_answer lds(random_access const& made, access_form const& form) {
  return slow_lds(made, form.bytes, Phases, 32);
}

/// Two addresses, so many bytes on, the second after the first.
template <auto& Phases, unsigned First, unsigned Second>
cost_answer pair(random_access const& made, access_form const& form) {
  auto first = made, second = made;
  for (auto& address : first.address) address = static_cast<std::uint32_t>(address + First);
  for (auto& address : second.address) address = static_cast<std::uint32_t>(address + Second);
  auto sum = slow_lds(first, form.bytes, Phases, 32);
  auto const other = slow_lds(second, form.bytes, Phases, 32);
  *sum.numbers.rounds += *other.numbers.rounds, *sum.numbers.conflicts += *other.numbers.conflicts;
  *sum.numbers.phases += *other.numbers.phases;
  sum.numbers.ways = std::max(*sum.numbers.ways, *other.numbers.ways);
  sum.phases->insert(sum.phases->end(), other.phases->begin(), other.phases->end());
  return sum;
}

/// A dword or more at multiples of 4; atomics, and loads that have clocks, at their size.
constexpr access_form anywhere(unsigned lanes, unsigned bytes) {
  return {.lanes = lanes, .bytes = bytes, .alignment = bytes < 4 ? bytes : 4};
}
constexpr access_form aligned(unsigned lanes, unsigned bytes) {
  return {.lanes = lanes, .bytes = bytes, .alignment = bytes};
}
constexpr access_form in_lds(unsigned lanes, unsigned bytes, unsigned reach = 0, unsigned nearest = 0) {
  return {.lanes = lanes,
          .bytes = bytes,
          .alignment = bytes == 12 ? 16 : bytes,
          .capacity = 65536,
          .reach = reach,
          .nearest = nearest};
}

#ifdef COALESCE_FUZZ_EVERY_MACHINE
constexpr char const* asked_chips = "*";
#else
constexpr char const* asked_chips = "gfx1010 gfx1030 gfx1036 gfx1100 gfx1151 gfx1201";
#endif

/// The instructions of every chip whose memory is known.
template <class Wave, unsigned Lanes>
void add_wave(std::vector<fuzzed_instruction>& to, std::string const& wave) {
  to.push_back(fuzzed<typename Wave::template global_load<8>>(wave + " global_load<8>", anywhere(Lanes, 1), memory));
  to.push_back(fuzzed<typename Wave::template global_load<96>>(wave + " global_load<96>", anywhere(Lanes, 12), memory));
  to.push_back(
      fuzzed<typename Wave::template global_load<128>>(wave + " global_load<128>", anywhere(Lanes, 16), memory));
  to.push_back(
      fuzzed<typename Wave::template global_store<16>>(wave + " global_store<16>", anywhere(Lanes, 2), memory));
  to.push_back(
      fuzzed<typename Wave::template global_store<64>>(wave + " global_store<64>", anywhere(Lanes, 8), memory));
  to.push_back(fuzzed<typename Wave::template buffer_load<64>>(wave + " buffer_load<64>", anywhere(Lanes, 8), memory));
  to.push_back(
      fuzzed<typename Wave::template buffer_store<96>>(wave + " buffer_store<96>", anywhere(Lanes, 12), memory));
  to.push_back(
      fuzzed<typename Wave::template global_atomic<32>>(wave + " global_atomic<32>", aligned(Lanes, 4), atomic));
  to.push_back(
      fuzzed<typename Wave::template global_atomic<64>>(wave + " global_atomic<64>", aligned(Lanes, 8), atomic));
  to.push_back(fuzzed<typename Wave::template ds_load<8>>(wave + " ds_load<8>", in_lds(Lanes, 1),
                                                          Lanes == 32 ? lds<whole> : lds<lds_phases::halves>));
  to.push_back(fuzzed<typename Wave::template ds_load<64>>(wave + " ds_load<64>", in_lds(Lanes, 8),
                                                           Lanes == 32 ? lds<halves> : lds<lds_phases::quarters>));
  to.push_back(fuzzed<typename Wave::template ds_store<32>>(wave + " ds_store<32>", in_lds(Lanes, 4),
                                                            Lanes == 32 ? lds<whole> : lds<lds_phases::halves>));
  to.push_back(fuzzed<typename Wave::template ds_store<128>>(wave + " ds_store<128>", in_lds(Lanes, 16),
                                                             Lanes == 32 ? lds<quarters> : lds<lds_phases::eighths>));
  to.push_back(fuzzed<typename Wave::template ds_load_2addr<64, 0, 100>>(
      wave + " ds_load_2addr<64, 0, 100>", in_lds(Lanes, 8, 800),
      Lanes == 32 ? pair<halves, 0, 800> : pair<lds_phases::quarters, 0, 800>));
  to.push_back(fuzzed<typename Wave::template ds_store_2addr<32, 3, 7>>(
      wave + " ds_store_2addr<32, 3, 7>", in_lds(Lanes, 4, 28, 12),
      Lanes == 32 ? pair<whole, 12, 28> : pair<lds_phases::halves, 12, 28>));
}
void add_every_chip(std::vector<fuzzed_instruction>& to) {
  rdna::every_machine::each([&]<class Chip>() {
    if constexpr (!lists(without_memory, Chip::name) && lists(asked_chips, Chip::name)) {
      add_wave<Chip, 32>(to, Chip::name);
      add_wave<typename Chip::wave64, 64>(to, std::string{Chip::name} + " wave64");
      to.push_back(fuzzed<typename Chip::template s_load<8>>(std::string{Chip::name} + " s_load<8>",
                                                             {.lanes = 1, .bytes = 32}, scalar));
    }
  });
}
/// The LDS instructions that were measured on gfx1100 and gfx1151.
template <class Chip>
void add_lds(std::vector<fuzzed_instruction>& to, std::string const& chip) {
  using wave64 = typename Chip::wave64;
  to.push_back(fuzzed<typename Chip::template ds_load<16>>(chip + " ds_load<16>", in_lds(32, 2), lds<whole>));
  to.push_back(fuzzed<typename Chip::template ds_load<128>>(chip + " ds_load<128>", in_lds(32, 16), lds<crossed>));
  to.push_back(fuzzed<typename Chip::template ds_store<32>>(chip + " ds_store<32>", in_lds(32, 4), lds<whole>));
  to.push_back(fuzzed<typename Chip::template ds_store<64>>(chip + " ds_store<64>", in_lds(32, 8), lds<halves>));
  to.push_back(fuzzed<typename Chip::template ds_store<128>>(chip + " ds_store<128>", in_lds(32, 16), lds<quarters>));
  to.push_back(fuzzed<typename wave64::template ds_load<32>>(chip + " wave64 ds_load<32>", in_lds(64, 4),
                                                             lds<lds_phases::halves>));
  to.push_back(fuzzed<typename wave64::template ds_load<128>>(chip + " wave64 ds_load<128>", in_lds(64, 16),
                                                              lds<lds_phases::crossed>));
  to.push_back(fuzzed<typename wave64::template ds_store<16>>(chip + " wave64 ds_store<16>", in_lds(64, 2),
                                                              lds<lds_phases::halves>));
  to.push_back(fuzzed<typename wave64::template ds_store<64>>(chip + " wave64 ds_store<64>", in_lds(64, 8),
                                                              lds<lds_phases::quarters>));
  to.push_back(fuzzed<typename wave64::template ds_store<128>>(chip + " wave64 ds_store<128>", in_lds(64, 16),
                                                               lds<lds_phases::eighths>));
}

std::vector<fuzzed_instruction> const all = [] {
  std::vector<fuzzed_instruction> made{
      fuzzed<gfx1030::global_load<32>>("gfx1030 global_load<32>", aligned(32, 4), clocked),
      fuzzed<gfx1030::global_load<64>>("gfx1030 global_load<64>", aligned(32, 8), clocked),
      fuzzed<gfx1030::wave64::global_load<32>>("gfx1030 wave64 global_load<32>", aligned(64, 4), clocked),
      fuzzed<gfx1030::wave64::global_load<64>>("gfx1030 wave64 global_load<64>", aligned(64, 8), clocked),
      fuzzed<gfx1036::global_load<64>>("gfx1036 global_load<64>", anywhere(32, 8), memory),
      fuzzed<gfx1030::s_load<1>>("gfx1030 s_load<1>", {.lanes = 1, .bytes = 4}, scalar),
      fuzzed<gfx1201::s_load<3>>("gfx1201 s_load<3>", {.lanes = 1, .bytes = 12}, scalar),
      fuzzed<gfx1201::s_load<16>>("gfx1201 s_load<16>", {.lanes = 1, .bytes = 64}, scalar),
      fuzzed<gfx1036::ds_load<32>>("gfx1036 ds_load<32>", in_lds(32, 4), lds<whole>),
      fuzzed<gfx1201::ds_load<128>>("gfx1201 ds_load<128>", in_lds(32, 16), lds<quarters>),
      fuzzed<gfx1201::wave64::ds_load<128>>("gfx1201 wave64 ds_load<128>", in_lds(64, 16), lds<lds_phases::eighths>),
      fuzzed<gfx1201::ds_load<96>>("gfx1201 ds_load<96>", in_lds(32, 12), lds<quarters>),
      fuzzed<gfx1030::ds_load<96>>("gfx1030 ds_load<96>", in_lds(32, 12), lds<crossed>),
      fuzzed<gfx1036::wave64::ds_load<128>>("gfx1036 wave64 ds_load<128>", in_lds(64, 16), lds<lds_phases::crossed>),
  };
  add_every_chip(made);
  add_lds<gfx1100>(made, "gfx1100"), add_lds<gfx1151>(made, "gfx1151");
  return made;
}();

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  ask_one(all, data, size);
  return 0;
}
