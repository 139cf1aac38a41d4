// SPDX-License-Identifier: BSL-1.0
//
// Every instruction of CDNA that has a cost, at widths that differ in something.
#include <coalesce/cdna.hpp>

#include "truth/fuzz/answers.hpp"

namespace {

using namespace coalescing_tests;
namespace cdna = coalescing::cdna;
using cdna::gfx90a, cdna::gfx942, cdna::gfx950;

std::string const whole = "0-63";
std::string const crossed_by_16 =
    "0-3,12-15,20-23,24-27 4-7,8-11,16-19,28-31 32-35,44-47,52-55,56-59 36-39,40-43,48-51,60-63";

template <std::uint64_t Piece>
cost_answer load(random_access const& made, access_form const& form) {
  auto answer = slow_pieces(made, form.bytes, Piece);
  answer.numbers.quads = slow_quads(made);
  return answer;
}
cost_answer store(random_access const& made, access_form const& form) {
  auto answer = load<64>(made, form);
  answer.numbers.operations = slow_addresses(made);
  return answer;
}
cost_answer atomic(random_access const& made, access_form const& form) {
  auto answer = load<64>(made, form);
  answer.numbers.operations = slow_lanes(made);
  return answer;
}
template <auto& Phases, unsigned Banks>
cost_answer lds(random_access const& made, access_form const& form) {
  return slow_lds(made, form.bytes, oracle_is_broken && &Phases == &crossed_by_16 ? lds_phases::quarters : Phases,
                  Banks);
}
cost_answer lds_atomic(random_access const& made, access_form const&) {
  cost_answer answer;
  answer.numbers.operations = slow_lanes(made), answer.numbers.lanes_on_one_address = slow_most_on_one(made);
  return answer;
}
/// Two addresses, so many bytes on, the second after the first; equal ones are one access.
template <auto& Phases, unsigned Beyond>
cost_answer one_of_pair(random_access const& asked, access_form const& form) {
  auto made = asked;
  for (auto& address : made.address) address += Beyond;
  return slow_lds(made, form.bytes, Phases, 32);
}
template <auto& Phases, unsigned First, unsigned Second>
cost_answer pair(random_access const& made, access_form const& form) {
  auto first = one_of_pair<Phases, First>(made, form);
  auto const second = one_of_pair<Phases, Second>(made, form);
  *first.numbers.rounds += *second.numbers.rounds, *first.numbers.conflicts += *second.numbers.conflicts;
  *first.numbers.phases += *second.numbers.phases;
  first.numbers.ways = std::max(*first.numbers.ways, *second.numbers.ways);
  first.phases->insert(first.phases->end(), second.phases->begin(), second.phases->end());
  return first;
}

/// A dword or more at multiples of 4, atomics at their size.
constexpr access_form memory(unsigned bytes) { return {.bytes = bytes, .alignment = bytes < 4 ? bytes : 4}; }
constexpr access_form aligned(unsigned bytes) { return {.bytes = bytes, .alignment = bytes}; }
constexpr access_form of_64k(unsigned bytes, unsigned beyond = 0) {
  return {.bytes = bytes, .alignment = bytes == 12 ? 16 : bytes, .capacity = 65536, .reach = beyond};
}
constexpr access_form of_160k(unsigned bytes) {
  return {.bytes = bytes, .alignment = bytes == 12 ? 16 : bytes, .capacity = 163840};
}

template <class Chip, std::uint64_t Line>
void add_global(std::vector<fuzzed_instruction>& to, std::string const& chip) {
  to.push_back(fuzzed<typename Chip::template global_load<8>>(chip + " global_load<8>", memory(1), load<Line>));
  to.push_back(fuzzed<typename Chip::template global_load<32>>(chip + " global_load<32>", memory(4), load<Line>));
  to.push_back(fuzzed<typename Chip::template global_load<96>>(chip + " global_load<96>", memory(12), load<Line>));
  to.push_back(fuzzed<typename Chip::template global_load<128>>(chip + " global_load<128>", memory(16), load<Line>));
  to.push_back(fuzzed<typename Chip::template global_store<16>>(chip + " global_store<16>", memory(2), store));
  to.push_back(fuzzed<typename Chip::template global_store<64>>(chip + " global_store<64>", memory(8), store));
  to.push_back(fuzzed<typename Chip::template global_store<128>>(chip + " global_store<128>", memory(16), store));
  to.push_back(fuzzed<typename Chip::template global_atomic<32>>(chip + " global_atomic<32>", aligned(4), atomic));
  to.push_back(fuzzed<typename Chip::template global_atomic<64>>(chip + " global_atomic<64>", aligned(8), atomic));
}

std::vector<fuzzed_instruction> const all = [] {
  using namespace lds_phases;
  std::vector<fuzzed_instruction> made{
      fuzzed<gfx942::global_load_lds<32>::global>("gfx942 global_load_lds<32>", memory(4), load<128>),
      fuzzed<gfx950::global_load_lds<128>::global>("gfx950 global_load_lds<128>", memory(16), load<128>),
      fuzzed<gfx942::buffer_load_lds<8>::global>("gfx942 buffer_load_lds<8>", memory(1), load<128>),
      fuzzed<gfx950::buffer_load_lds<96>::global>("gfx950 buffer_load_lds<96>", memory(12), load<128>),
      fuzzed<gfx942::ds_read<16>>("gfx942 ds_read<16>", of_64k(2), lds<halves, 32>),
      fuzzed<gfx942::ds_read<32>>("gfx942 ds_read<32>", of_64k(4), lds<halves, 32>),
      fuzzed<gfx942::ds_read<64>>("gfx942 ds_read<64>", of_64k(8), lds<quarters, 32>),
      fuzzed<gfx942::ds_read<96>>("gfx942 ds_read<96>", of_64k(12), lds<crossed, 32>),
      fuzzed<gfx942::ds_read<128>>("gfx942 ds_read<128>", of_64k(16), lds<crossed, 32>),
      fuzzed<gfx942::ds_write<8>>("gfx942 ds_write<8>", of_64k(1), lds<halves, 32>),
      fuzzed<gfx942::ds_write<64>>("gfx942 ds_write<64>", of_64k(8), lds<quarters, 32>),
      fuzzed<gfx942::ds_write<128>>("gfx942 ds_write<128>", of_64k(16), lds<eighths, 32>),
      fuzzed<gfx950::ds_read<8>>("gfx950 ds_read<8>", of_160k(1), lds<whole, 64>),
      fuzzed<gfx950::ds_read<32>>("gfx950 ds_read<32>", of_160k(4), lds<whole, 64>),
      fuzzed<gfx950::ds_read<64>>("gfx950 ds_read<64>", of_160k(8), lds<halves, 64>),
      fuzzed<gfx950::ds_read<96>>("gfx950 ds_read<96>", of_160k(12), lds<crossed, 32>),
      fuzzed<gfx950::ds_read<128>>("gfx950 ds_read<128>", of_160k(16), lds<crossed_by_16, 64>),
      fuzzed<gfx950::ds_read_tr<64>>("gfx950 ds_read_tr<64>", of_160k(8), lds<halves, 64>, true),
      fuzzed<gfx950::ds_read_tr<64, 4>>("gfx950 ds_read_tr<64, 4>", of_160k(8), lds<halves, 64>, true),
      fuzzed<gfx942::ds_write<32>>("gfx942 ds_write<32>", of_64k(4), lds<halves, 32>),
      fuzzed<gfx950::ds_write<16>>("gfx950 ds_write<16>", of_160k(2), lds<halves, 32>),
      fuzzed<gfx950::ds_write<32>>("gfx950 ds_write<32>", of_160k(4), lds<halves, 32>),
      fuzzed<gfx950::ds_write<64>>("gfx950 ds_write<64>", of_160k(8), lds<quarters, 32>),
      fuzzed<gfx950::ds_write<128>>("gfx950 ds_write<128>", of_160k(16), lds<eighths, 32>),
      fuzzed<gfx942::ds_atomic<32>>("gfx942 ds_atomic<32>", of_64k(4), lds_atomic),
      fuzzed<gfx950::ds_atomic<64>>("gfx950 ds_atomic<64>", of_160k(8), lds_atomic),
      fuzzed<gfx942::ds_read2<64, 255, 3>>("gfx942 ds_read2<64, 255, 3>", of_64k(8, 2040), pair<quarters, 2040, 24>),
      fuzzed<gfx942::ds_read2<32, 0, 1>>("gfx942 ds_read2<32, 0, 1>", of_64k(4, 4), pair<halves, 0, 4>),
      fuzzed<gfx942::ds_read2<64, 7, 7>>("gfx942 ds_read2<64, 7, 7>", of_64k(8, 56), one_of_pair<quarters, 56>),
      fuzzed<gfx942::ds_read2st64<64, 1, 100>>("gfx942 ds_read2st64<64, 1, 100>", of_64k(8, 51200),
                                               pair<quarters, 512, 51200>),
      fuzzed<gfx942::ds_write2<64, 5, 6>>("gfx942 ds_write2<64, 5, 6>", of_64k(8, 48), pair<quarters, 40, 48>),
      fuzzed<gfx942::ds_write2st64<32, 9, 200>>("gfx942 ds_write2st64<32, 9, 200>", of_64k(4, 51200),
                                                pair<halves, 2304, 51200>),
  };
  add_global<gfx90a, 64>(made, "gfx90a");
  add_global<gfx942, 128>(made, "gfx942");
  add_global<gfx950, 128>(made, "gfx950");
  return made;
}();

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  ask_one(all, data, size);
  return 0;
}
