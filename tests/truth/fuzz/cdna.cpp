// SPDX-License-Identifier: BSL-1.0
//
// Every instruction of CDNA that has a cost, on every chip.
#include <coalesce/cdna.hpp>
#include <coalesce/explain.hpp>

#include "truth/fuzz/answers.hpp"
#include "truth/instructions/cdna.hpp"

#include <cstdio>
#include <cstdlib>

namespace {

using namespace coalescing_tests;
namespace cdna = coalescing::cdna;

std::string const whole = "0-63";
std::string const crossed_by_16 =
    "0-3,12-15,20-23,24-27 4-7,8-11,16-19,28-31 32-35,44-47,52-55,56-59 36-39,40-43,48-51,60-63";

/// The lanes that LDS serves together, and from how many banks. Without lanes: there is no cost.
struct lds_rule {
  std::string const* phases = nullptr;
  unsigned banks = 32;
};
/// A chip as the oracles know it: bytes of a line of L1, KiB of LDS, and its rules for accesses of
/// 1, 2, 4, 8, 12 and 16 bytes a lane.
struct chip_rules {
  char const* chip;
  unsigned line_bytes, lds_kib;
  lds_rule reads[6] = {}, writes[6] = {};
};
using lds_phases::halves, lds_phases::quarters, lds_phases::eighths, lds_phases::crossed;
constexpr chip_rules chips[] = {
    {"gfx90a",
     64,
     64,
     {{&halves}, {&halves}, {&halves}, {&quarters}, {&crossed}, {&crossed}},
     {{&halves}, {&halves}, {&halves}, {&quarters}, {}, {&eighths}}},
    {"gfx942",
     128,
     64,
     {{&halves}, {&halves}, {&halves}, {&quarters}, {&crossed}, {&crossed}},
     {{&halves}, {&halves}, {&halves}, {&quarters}, {}, {&eighths}}},
    {"gfx950",
     128,
     160,
     {{&whole, 64}, {&whole, 64}, {&whole, 64}, {&halves, 64}, {&crossed}, {&crossed_by_16, 64}},
     {{&halves}, {&halves}, {&halves}, {&quarters}, {}, {&eighths}}},
};
template <class Chip>
constexpr chip_rules rules_of() {
  for (chip_rules const& line : chips)
    if (lists(line.chip, Chip::name)) return line;
  return {"", 64, 64};
}

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
cost_answer scalar(random_access const& made, access_form const& form) { return slow_pieces(made, form.bytes, 64); }
template <auto& Phases, unsigned Banks>
cost_answer lds(random_access const& made, access_form const& form) {
  return slow_lds(made, form.bytes, Phases, oracle_is_broken ? Banks / 2 : Banks);
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
  for (auto& address : made.address) address = static_cast<std::uint32_t>(address + Beyond);
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
constexpr access_form in_lds(unsigned bytes, unsigned kib, unsigned beyond = 0, unsigned nearest = 0) {
  return {.bytes = bytes,
          .alignment = bytes == 12 ? 16 : bytes,
          .capacity = 1024 * kib,
          .reach = beyond,
          .nearest = nearest};
}

template <class Chip>
struct adder {
  static constexpr chip_rules rules = rules_of<Chip>();
  static constexpr cdna_abilities has = abilities_of_cdna<Chip>();
  std::vector<fuzzed_instruction>& to;

  template <class Instruction>
  void add(access_form form, cost_answer (*oracle)(random_access const&, access_form const&),
           bool needs_every_lane = false) const {
    to.push_back(fuzzed<Instruction>(std::string(coalescing::name_of<Instruction>()), form, oracle, needs_every_lane));
  }
  template <unsigned Bits, unsigned Row>
  void add_width() const {
    constexpr unsigned bytes = Bits / 8;
    constexpr auto loads = load<rules.line_bytes>;
    add<typename Chip::template global_load<Bits>>(memory(bytes), loads);
    add<typename Chip::template global_store<Bits>>(memory(bytes), store);
    add<typename Chip::template buffer_load<Bits>>(memory(bytes), loads);
    add<typename Chip::template buffer_store<Bits>>(memory(bytes), store);
    if constexpr (Bits == 32 || Bits == 64) add<typename Chip::template global_atomic<Bits>>(aligned(bytes), atomic);
    if constexpr (Bits != 64 && Bits <= has.buffer_lds_bits)
      add<typename Chip::template buffer_load_lds<Bits>::global>(memory(bytes), loads);
    if constexpr (Bits != 64 && Bits <= has.global_lds_bits)
      add<typename Chip::template global_load_lds<Bits>::global>(memory(bytes), loads);

    constexpr lds_rule reads = rules.reads[Row], writes = rules.writes[Row];
    if constexpr (reads.phases != nullptr)
      add<typename Chip::template ds_read<Bits>>(in_lds(bytes, rules.lds_kib), lds<*reads.phases, reads.banks>);
    if constexpr (writes.phases != nullptr)
      add<typename Chip::template ds_write<Bits>>(in_lds(bytes, rules.lds_kib), lds<*writes.phases, writes.banks>);
    if constexpr (Bits == 32 || Bits == 64)
      add<typename Chip::template ds_atomic<Bits>>(in_lds(bytes, rules.lds_kib), lds_atomic);
  }
  void add_pairs() const {
    constexpr unsigned kib = rules.lds_kib;
    add<typename Chip::template ds_read2<64, 255, 3>>(in_lds(8, kib, 2040, 24), pair<quarters, 2040, 24>);
    add<typename Chip::template ds_read2<32, 0, 1>>(in_lds(4, kib, 4), pair<halves, 0, 4>);
    add<typename Chip::template ds_read2<64, 7, 7>>(in_lds(8, kib, 56, 56), one_of_pair<quarters, 56>);
    add<typename Chip::template ds_read2st64<64, 1, 100>>(in_lds(8, kib, 51200, 512), pair<quarters, 512, 51200>);
    add<typename Chip::template ds_write2<64, 5, 6>>(in_lds(8, kib, 48, 40), pair<quarters, 40, 48>);
    add<typename Chip::template ds_write2st64<32, 9, 200>>(in_lds(4, kib, 51200, 2304), pair<halves, 2304, 51200>);
  }
  template <unsigned ElementBits>
  void add_transpose_load() const {
    add<typename Chip::template ds_read_tr<64, ElementBits>>(in_lds(8, rules.lds_kib), lds<halves, 64>, true);
  }
};

std::vector<fuzzed_instruction> const all = [] {
  std::vector<fuzzed_instruction> made;
  cdna::every_machine::each([&]<class Chip>() {
    adder<Chip> const to{made};
    if (!lists(to.rules.chip, Chip::name)) {
      std::printf("%s has no line in tests/truth/fuzz/cdna.cpp, table chips\n", Chip::name);
      std::exit(1);
    }
    to.template add_width<8, 0>(), to.template add_width<16, 1>(), to.template add_width<32, 2>();
    to.template add_width<64, 3>(), to.template add_width<96, 4>(), to.template add_width<128, 5>();
    to.add_pairs();
    to.template add<typename Chip::template s_load<8>>({.lanes = 1, .bytes = 32}, scalar);
    if constexpr (adder<Chip>::has.transpose_loads)
      to.template add_transpose_load<16>(), to.template add_transpose_load<8>(), to.template add_transpose_load<4>();
  });
  return made;
}();

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  ask_one(all, data, size);
  return 0;
}
