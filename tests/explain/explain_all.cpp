// SPDX-License-Identifier: BSL-1.0
//
// Explains every instruction of every machine at run time, and checks the name, the numbers, and that sentences are
// whole.
#include <coalesce/coalesce.hpp>
#include <coalesce/explain.hpp>

#include "every/machines.hpp"
#include "machinery/check.hpp"
#include "truth/instructions/rdna.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace co = coalescing;
namespace gcn = co::gcn;
namespace cdna = co::cdna;
namespace cuda = co::cuda;
namespace rdna = co::rdna;
using coalescing_tests::each_that, coalescing_tests::is_asked;

namespace {

/// The fault of an explanation; empty if it has no fault. It must say `name` and `numbers` in these words.
std::string fault(std::string_view text, std::string const& name, std::vector<std::string> const& numbers) {
  if (text.empty() || text.back() != '\n') return "does not end";
  if (!text.starts_with(name + ": ")) return "does not begin with " + name;
  for (std::string const& number : numbers)
    if (text.find("\n" + number + "\n") == std::string_view::npos &&
        text.find("\n" + number + ", ideal ") == std::string_view::npos)
      return "lacks" + number;
  unsigned why = 0, rules = 0, profiler = 0;
  while (!text.empty()) {
    std::string_view const line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() + 1);
    std::string_view words = line;
    if (words.starts_with("  ")) words.remove_prefix(2);
    auto const wrong = [&](char const* how) { return how + std::string(": ") + std::string(line); };
    if (words.empty() || words.front() == ' ') return wrong("an empty line, or one that begins late");
    if (words.find("  ") != std::string_view::npos) return wrong("two spaces");
    for (char const* unfinished : {", ,", ": ;", "()", "( ", " )", ": :", " / ;", "= ;", ",,", "..", " ,"})
      if (words.find(unfinished) != std::string_view::npos) return wrong("unfinished");
    bool const heads = line == "Rules:" || line == "Rests on:" || line == "Profiler, summed over such instructions:";
    char const last = words.back();
    if (!heads && (last == ' ' || last == ':' || last == ',' || last == ';' || last == '=')) return wrong("breaks off");
    why += line.starts_with("Why: ");
    rules += line == "Rules:", profiler += line.starts_with("Profiler, summed");
  }
  return why != 0 && rules == 1 && profiler == 1 ? "" : "a part is missing";
}

/// Whether a text says what a source claims, and where: as a rule or as a fact that the rules rest on.
bool is_cited(std::string const& text, co::source const& from) {
  std::string where = from.document;
  for (std::string const part : {from.edition, from.section})
    if (!part.empty()) where += ", " + part;
  std::size_t const rules = text.find("Rules:\n"), profiler = text.find("Profiler, summed");
  std::size_t const at = text.find(": " + where + ")", rules);
  return at < profiler && text.substr(rules, profiler - rules).find(std::string(": ") + from.claim + " (") != text.npos;
}

/// "  transactions 32", for each number of a cost.
template <class Cost, auto... Members>
std::vector<std::string> numbers_of(Cost const& cost, co::detail::members<Members...>) {
  auto const one = [](co::text<32> const& name, std::uint64_t number) {
    std::string digits = std::to_string(number);
    for (std::size_t k = digits.size(); k > 3; k -= 3) digits.insert(k - 3, ",");
    return "  " + std::string(name) + " " + digits;
  };
  return {one(co::detail::name_of_number<Members>(), cost.*Members)...};
}

/// An instruction: its name, what it answers, and its facts. (Functions of each instruction are few and small: a
/// compiler makes them 700 times.)
struct asked_instruction {
  std::string name;
  std::int64_t word;  ///< bytes from one neighbouring word to the next
  std::string (*explained)(co::linear const&);
  std::vector<std::string> (*numbers)(co::linear const&);
  co::fact_list const& facts;
};
template <class Instruction>
std::string explained(co::linear const& pattern) {
  return co::explain<Instruction>(pattern);
}
template <class Instruction>
std::vector<std::string> numbers(co::linear const& pattern) {
  return numbers_of(co::cost<Instruction>(pattern), typename Instruction::cost_type::numbers{});
}
unsigned asked = 0;
/// Asks about neighbours, words that lie apart, and one word for all.
void check(asked_instruction const& instruction, char const* machine) {
  CHECK(instruction.name.starts_with(machine));
  for (co::linear const& pattern : {co::linear{.stride = instruction.word},
                                    co::linear{.base = 64, .stride = 4 * instruction.word}, co::linear{.base = 256}}) {
    ++asked;
    std::string const text = instruction.explained(pattern);
    INFO(text);
    CHECK(fault(text, instruction.name, instruction.numbers(pattern)) == "");
    for (co::named_fact const& fact : instruction.facts) CHECK(is_cited(text, fact.from));
  }
}
template <class Instruction>
void check(char const* machine) {
  check({co::name_of<Instruction>().c_str(), co::detail::bytes_to_the_next_word<Instruction>, explained<Instruction>,
         numbers<Instruction>, Instruction::rests_on},
        machine);
}
template <class... Instructions>
void check_all(char const* machine) {
  (check<Instructions>(machine), ...);
}

template <class... Instructions>
void check_existing(char const* machine) {
  auto const check_one = [machine]<class Instruction>() {
    if constexpr (Instruction::exists) check<Instruction>(machine);
  };
  (check_one.template operator()<Instructions>(), ...);
}

/// Those that a machine has.
template <class Device>
void check_nvidia(char const* machine) {
  check_all<typename Device::template load<8>, typename Device::template load<32>, typename Device::template load<128>,
            typename Device::template store<16>, typename Device::template store<64>,
            typename Device::template constant_load<32>, typename Device::template shared_load<32>,
            typename Device::template shared_load<128>, typename Device::template shared_store<64>>(machine);
  using cuda::caching, cuda::matrix, cuda::shared_mode;
  check_existing<typename Device::template load<256>, typename Device::template atomic<32>,
                 typename Device::template shared_atomic<64>, typename Device::template load<32, caching::l2>,
                 typename Device::template load<32, caching::l1>,
                 typename Device::template shared_load<64, shared_mode::eight_byte_banks>,
                 typename Device::template shared_load<64, shared_mode::pair_merge>,
                 typename Device::template shared_load<128, shared_mode::no_merge>,
                 typename Device::template ldmatrix<4>, typename Device::template stmatrix<2>,
                 typename Device::template ldmatrix<2, matrix::m16n16_trans_b8>,
                 typename Device::template cp_async<16>::global, typename Device::template cp_async<4>::shared>(
      machine);
}
}  // namespace

TEST_CASE("explanations of every instruction of every capability of NVIDIA") {
  each_that<cuda::every_machine, is_asked>(
      []<class Device>() { check_nvidia<Device>(("cuda::" + std::string(Device::name) + "::").c_str()); });
  CHECK(asked > 27 * (COALESCE_TEST_SHARE == 1 ? cuda::every_machine::count : 7));
}
TEST_CASE("explanations of every instruction of GCN and CDNA") {
  check_all<gcn::buffer_load<8>, gcn::buffer_load<32>, gcn::buffer_load<32, 4>, gcn::buffer_load<128>,
            gcn::buffer_store<32>, gcn::buffer_atomic<64>, gcn::image_load<32>, gcn::image_sample<128>,
            gcn::image_store<64>, gcn::s_load<1>, gcn::s_load<16>, gcn::ds_read<8>, gcn::ds_read<32>, gcn::ds_read<64>,
            gcn::ds_read<96>, gcn::ds_read<128>, gcn::ds_write<32>, gcn::ds_write<128>>("gcn::");
  auto const memory = []<class Chip>(char const* machine) {
    check_all<typename Chip::template global_load<16>, typename Chip::template global_load<32>,
              typename Chip::template global_load<96>, typename Chip::template global_store<128>,
              typename Chip::template buffer_load<128>, typename Chip::template buffer_store<64>,
              typename Chip::template global_atomic<64>, typename Chip::template buffer_load_lds<32>::global>(machine);
  };
  auto const lds = []<class Chip>(char const* machine) {
    check_all<typename Chip::template ds_read<8>, typename Chip::template ds_read<32>,
              typename Chip::template ds_read<64>, typename Chip::template ds_read<96>,
              typename Chip::template ds_read<128>, typename Chip::template ds_write<32>,
              typename Chip::template ds_write<64>, typename Chip::template ds_write<128>,
              typename Chip::template ds_atomic<32>>(machine);
  };
  each_that<cdna::every_machine, is_asked>([&]<class Chip>() {
    std::string const machine = "cdna::" + std::string(Chip::name) + "::";
    memory.template operator()<Chip>(machine.c_str());
    lds.template operator()<Chip>(machine.c_str());
  });
  check_all<cdna::gfx942::global_load_lds<32>::global, cdna::gfx942::ds_read2<32, 0, 1>,
            cdna::gfx942::ds_read2st64<64, 0, 1>, cdna::gfx942::ds_write2<64, 0, 1>,
            cdna::gfx942::ds_write2st64<32, 0, 1>>("cdna::gfx942::");
  check_all<cdna::gfx950::global_load_lds<128>::global, cdna::gfx950::ds_read_tr<64>, cdna::gfx950::ds_read_tr<64, 8>>(
      "cdna::gfx950::");
}
TEST_CASE("explanations of every instruction of RDNA 1 to 4") {
  auto const in_waves = []<class Waves>(std::string const& machine) {
    check_all<typename Waves::template ds_load<8>, typename Waves::template ds_load<32>,
              typename Waves::template ds_load<64>, typename Waves::template global_load<16>,
              typename Waves::template global_load<32>, typename Waves::template global_load<128>,
              typename Waves::template global_store<96>, typename Waves::template buffer_load<128>,
              typename Waves::template buffer_store<64>, typename Waves::template global_atomic<64>>(machine.c_str());
  };
  auto const chip = [&]<class Chip>(std::string const& machine) {
    in_waves.template operator()<Chip>(machine);
    in_waves.template operator()<typename Chip::wave64>(machine + "wave64::");
    check<typename Chip::template s_load<4>>(machine.c_str());
  };
  each_that<rdna::every_machine, is_asked>([&]<class Chip>() {
    if constexpr (!coalescing_tests::lists(coalescing_tests::without_memory, Chip::name))
      chip.template operator()<Chip>("rdna::" + std::string(Chip::name) + "::");
  });
  check_all<rdna::gfx1100::ds_load<128>, rdna::gfx1100::ds_store<16>, rdna::gfx1100::ds_store<128>,
            rdna::gfx1100::wave64::ds_store<64>>("rdna::gfx1100::");
  check_all<rdna::gfx1201::ds_load<128>, rdna::gfx1201::s_load<3>>("rdna::gfx1201::");
}
TEST_CASE("control: a fact whose claim or document differs is not cited") {
  using load = cuda::cc90::shared_load<32>;
  std::string const text = co::explain<load>(co::linear{.stride = 4});
  co::source from = cuda::row<90>::banks.from;
  CHECK(is_cited(text, from));
  from.claim = "64 banks";
  CHECK(!is_cited(text, from));
  from = cuda::row<90>::banks.from;
  from.section = "19.4.4";
  CHECK(!is_cited(text, from));
  CHECK(!is_cited(text, cuda::row<90>::tags_per_cycle.from));
}
TEST_CASE("control: each fault of an explanation is noticed") {
  using load = cuda::cc90::load<32>;
  std::string const name = "cuda::cc90::load<32>";
  std::vector<std::string> const numbers = {"  requests 1"};
  std::string const text = co::explain<load>(co::linear{.stride = 4});
  CHECK(fault(text, name, numbers) == "");
  auto const changed = [&](std::string const& from, std::string const& to) {
    std::string other = text;
    other.replace(other.find(from), from.size(), to);
    return fault(other, name, numbers);
  };
  CHECK(fault("", name, numbers) == "does not end");
  CHECK(fault(text.substr(0, text.size() - 1), name, numbers) == "does not end");
  CHECK(changed("cc90", "cc80") == "does not begin with cuda::cc90::load<32>");
  CHECK(changed("requests 1", "requests 2") == "lacks  requests 1");
  CHECK(changed(" lanes", "  lanes").starts_with("two spaces"));
  CHECK(changed("one request for each instruction of the warp ", ": ;").starts_with("unfinished"));
  CHECK(changed("active: all", "active:").starts_with("breaks off"));
  CHECK(changed("Why: ", "So: ") == "a part is missing");
  CHECK(changed("Rules:\n", "") == "a part is missing");
}
