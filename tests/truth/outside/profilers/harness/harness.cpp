// SPDX-License-Identifier: BSL-1.0
//
// Patterns to measure, and what a profiler counted of them as rows of tests/truth/measured. `run` here drives it.
//   harness patterns CC SEED   the patterns of a compute capability (90), a line each
//   harness model              of such lines on stdin, what the library says of CC 9.0
//   harness counters           the counters that are asked for
//   harness convert PATTERNS COUNTERS CC CHIP TOOLS DATE   what ncu wrote (--csv --page raw) as rows; TOOLS: their
//   versions
// A line: number, instruction, mask of active lanes, 32 byte addresses, with tabs between them.
#include "truth/measured/csv.hpp"
#include "truth/oracle/random_access.hpp"

#include <coalesce/cuda.hpp>

#include <cstdio>
#include <iostream>
#include <set>
#include <span>
#include <sstream>

using namespace coalescing_tests;
using coalescing::cuda::matrix;

namespace {

using addresses = std::array<std::uint64_t, 32>;

/// An instruction and its measured number: sectors a request, in shared memory wavefronts a request.
struct instruction {
  char const* name;
  unsigned since;                     ///< compute capability
  unsigned bytes;                     ///< per lane, and their alignment
  bool shared, masked;                ///< in shared memory; lanes may be switched off
  char const *work, *work_2, *count;  ///< counters: the work is their sum, over `count`
  std::uint64_t (*model)(addresses const&, std::uint64_t active);
};

template <class Instruction>
std::uint64_t ask(addresses const& at, std::uint64_t active) {
  auto const cost = coalescing::cost<Instruction>(at, Instruction::lanes == 32 ? active : coalescing::all_lanes);
  if constexpr (requires { cost.rounds; })
    return cost.rounds;
  else
    return cost.transactions;
}

using cc90 = coalescing::cuda::cc90;
constexpr auto *sectors_ld = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
               *requests_ld = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
               *sectors_st = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
               *requests_st = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
               *rounds_ld = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
               *shared_ld = "smsp__sass_inst_executed_op_shared_ld.sum",
               *rounds_st = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
               *shared_st = "smsp__sass_inst_executed_op_shared_st.sum",
               *matrices_ld = "smsp__inst_executed_op_ldsm.sum",
               *copied = "sm__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_access.sum",
               *copied_past = "sm__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_bypass.sum",
               *rounds_copied = "memory_l1_wavefronts_shared", *copies = "smsp__inst_executed_op_ldgsts.sum";
constexpr auto* none = "";

template <class Instruction>
constexpr instruction global(char const* name, char const* work, char const* count) {
  return {name, 70, Instruction::bytes, false, true, work, none, count, &ask<Instruction>};
}
template <class Instruction>
constexpr instruction shared(char const* name, char const* work, char const* count) {
  return {name, 70, Instruction::bytes, true, true, work, none, count, &ask<Instruction>};
}
template <class Instruction>
constexpr instruction rows_of_matrices(char const* name, unsigned since, char const* work, char const* count) {
  return {name, since, 16, true, false, work, none, count, &ask<Instruction>};
}
template <unsigned Bytes, unsigned Read = Bytes>
constexpr instruction from_global(char const* name) {
  using copy = cc90::cp_async<Bytes, Read>;
  return {name, 80, Bytes, false, true, copied, copied_past, copies, &ask<typename copy::global>};
}
template <unsigned Bytes, unsigned Read = Bytes>
constexpr instruction to_shared(char const* name) {
  using copy = cc90::cp_async<Bytes, Read>;
  return {name, 80, Bytes, true, true, rounds_copied, none, copies, &ask<typename copy::shared>};
}

constexpr instruction instructions[] = {
    global<cc90::load<8>>("load<8>", sectors_ld, requests_ld),
    global<cc90::load<16>>("load<16>", sectors_ld, requests_ld),
    global<cc90::load<32>>("load<32>", sectors_ld, requests_ld),
    global<cc90::load<64>>("load<64>", sectors_ld, requests_ld),
    global<cc90::load<128>>("load<128>", sectors_ld, requests_ld),
    global<cc90::store<8>>("store<8>", sectors_st, requests_st),
    global<cc90::store<16>>("store<16>", sectors_st, requests_st),
    global<cc90::store<32>>("store<32>", sectors_st, requests_st),
    global<cc90::store<64>>("store<64>", sectors_st, requests_st),
    global<cc90::store<128>>("store<128>", sectors_st, requests_st),
    shared<cc90::shared_load<8>>("shared_load<8>", rounds_ld, shared_ld),
    shared<cc90::shared_load<16>>("shared_load<16>", rounds_ld, shared_ld),
    shared<cc90::shared_load<32>>("shared_load<32>", rounds_ld, shared_ld),
    shared<cc90::shared_load<64>>("shared_load<64>", rounds_ld, shared_ld),
    shared<cc90::shared_load<128>>("shared_load<128>", rounds_ld, shared_ld),
    shared<cc90::shared_store<8>>("shared_store<8>", rounds_st, shared_st),
    shared<cc90::shared_store<16>>("shared_store<16>", rounds_st, shared_st),
    shared<cc90::shared_store<32>>("shared_store<32>", rounds_st, shared_st),
    shared<cc90::shared_store<64>>("shared_store<64>", rounds_st, shared_st),
    shared<cc90::shared_store<128>>("shared_store<128>", rounds_st, shared_st),
    rows_of_matrices<cc90::ldmatrix<1>>("ldmatrix<1>", 75, rounds_ld, matrices_ld),
    rows_of_matrices<cc90::ldmatrix<2>>("ldmatrix<2>", 75, rounds_ld, matrices_ld),
    rows_of_matrices<cc90::ldmatrix<4>>("ldmatrix<4>", 75, rounds_ld, matrices_ld),
    rows_of_matrices<cc90::ldmatrix<4, matrix::m8n8_trans>>("ldmatrix<4, matrix::m8n8_trans>", 75, rounds_ld,
                                                            matrices_ld),
    rows_of_matrices<cc90::stmatrix<4>>("stmatrix<4>", 90, rounds_st, none),
    from_global<4>("cp_async<4>::global"),
    from_global<8>("cp_async<8>::global"),
    from_global<16>("cp_async<16>::global"),
    to_shared<4>("cp_async<4>::shared"),
    to_shared<8>("cp_async<8>::shared"),
    to_shared<16>("cp_async<16>::shared"),
    rows_of_matrices<cc90::ldmatrix<1, matrix::m8n8_trans>>("ldmatrix<1, matrix::m8n8_trans>", 75, rounds_ld,
                                                            matrices_ld),
    rows_of_matrices<cc90::ldmatrix<2, matrix::m8n8_trans>>("ldmatrix<2, matrix::m8n8_trans>", 75, rounds_ld,
                                                            matrices_ld),
    rows_of_matrices<cc90::stmatrix<1>>("stmatrix<1>", 90, rounds_st, none),
    rows_of_matrices<cc90::stmatrix<2>>("stmatrix<2>", 90, rounds_st, none),
    rows_of_matrices<cc90::stmatrix<1, matrix::m8n8_trans>>("stmatrix<1, matrix::m8n8_trans>", 90, rounds_st, none),
    rows_of_matrices<cc90::stmatrix<2, matrix::m8n8_trans>>("stmatrix<2, matrix::m8n8_trans>", 90, rounds_st, none),
    rows_of_matrices<cc90::stmatrix<4, matrix::m8n8_trans>>("stmatrix<4, matrix::m8n8_trans>", 90, rounds_st, none),
    from_global<4, 1>("cp_async<4, 1>::global"),
    from_global<8, 5>("cp_async<8, 5>::global"),
    from_global<16, 4>("cp_async<16, 4>::global"),
    to_shared<4, 1>("cp_async<4, 1>::shared"),
    to_shared<8, 5>("cp_async<8, 5>::shared"),
    to_shared<16, 4>("cp_async<16, 4>::shared"),
    global<cc90::atomic<32>>("atomic<32>", "memory_l2_theoretical_sectors_global", none),
    global<cc90::atomic<64>>("atomic<64>", "memory_l2_theoretical_sectors_global", none),
};

instruction const& find(std::string const& name) {
  for (auto const& one : instructions)
    if (one.name == name) return one;
  throw malformed("unknown instruction " + name);
}

// ---- Patterns ----

constexpr std::uint64_t global_bytes = 16u << 20, shared_bytes = 32u << 10;  // kernels.cu has as many
constexpr std::uint64_t every_lane = 0xffff'ffff;

struct pattern {
  unsigned number;
  std::string name;
  std::uint64_t active;
  addresses at;
};

/// The patterns for an instruction: strides, columns of padded and of swizzled tiles, matrices side by side, neighbours
/// that share an address, then random ones, where every second one has such neighbours too.
std::vector<pattern> patterns_of(instruction const& of, unsigned seed) {
  std::vector<pattern> all;
  auto const add = [&](auto const& formula) {
    all.push_back({0, of.name, every_lane, {}});
    for (unsigned lane = 0; lane != 32; ++lane) all.back().at[lane] = formula(lane);
  };
  unsigned const b = of.bytes;
  for (unsigned const words : {0u, 1u, 2u, 3u, 5u, 8u, 32u}) add([&](unsigned l) { return words * b * l; });
  for (unsigned const pitch : {144u, 256u}) {
    add([&](unsigned l) { return l * pitch; });
    add([&](unsigned l) { return l * pitch ^ l % 8 * 16; });
    add([&](unsigned l) { return l % 8 * pitch + l / 8 * b; });
    add([&](unsigned l) { return (l % 16 * pitch + l / 16 * b) ^ (l % 8 * 16); });
  }
  for (unsigned const pair : {1u, 2u, 4u}) {
    add([&](unsigned l) { return (l & ~pair) * b; });
    add([&](unsigned l) { return (l & ~pair) * 48 / b * b; });
  }
  random_accesses random(b, b, seed, of.shared ? shared_bytes : global_bytes);
  for (unsigned k = 0; k != 14; ++k) {
    auto const made = random.next();
    std::uint64_t const active = of.masked ? made.active & every_lane : every_lane;
    if (active == 0) continue;
    all.push_back({0, of.name, active, {}});
    // Three in four within so few bytes that lanes meet.
    for (unsigned lane = 0; lane != 32; ++lane) {
      unsigned const like = k % 2 == 0 ? lane : lane & ~(k % 4 == 1 ? 1u : 2u);
      auto const address = k % 8 < 2 ? made.address[like] : made.address[like] % (of.shared ? 4096 : 65536);
      all.back().at[lane] = address / b * b;
    }
  }
  return all;
}

/// Whether two lanes share bytes. Copies whose lanes do race, and CC 9.0 counts each of these lanes apart.
bool lanes_share_bytes(pattern const& of, unsigned bytes) {
  std::set<std::uint64_t> seen;
  for (unsigned lane = 0; lane != 32; ++lane)
    if ((of.active >> lane & 1) != 0 && !seen.insert(of.at[lane] / bytes).second) return true;
  return false;
}

void write_patterns(unsigned cc, unsigned seed) {
  unsigned number = 0;
  for (auto const& one : instructions) {
    if (cc < one.since) continue;
    for (auto const& made : patterns_of(one, seed + number)) {
      if (one.work == rounds_copied && lanes_share_bytes(made, one.bytes)) continue;
      std::printf("%u\t%s\t%llx", ++number, made.name.c_str(), static_cast<unsigned long long>(made.active));
      for (auto const address : made.at) std::printf("\t%llu", static_cast<unsigned long long>(address));
      std::printf("\n");
    }
  }
}

std::vector<pattern> read_patterns(std::istream& in) {
  std::vector<pattern> all;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words{line};
    std::string number, name, mask, word;
    std::getline(words, number, '\t'), std::getline(words, name, '\t'), std::getline(words, mask, '\t');
    pattern one{static_cast<unsigned>(std::stoul(number)), name, std::stoull(mask, nullptr, 16), {}};
    for (auto& address : one.at) {
      if (!std::getline(words, word, '\t')) throw malformed("a pattern without 32 addresses: " + line);
      address = std::stoull(word);
    }
    all.push_back(one);
  }
  return all;
}

void print_model() {
  unsigned count = 0;
  for (auto const& one : read_patterns(std::cin)) {
    auto const& of = find(one.name);
    std::printf("%4u  %-32s %08llx %3llu %s\n", one.number, of.name, static_cast<unsigned long long>(one.active),
                static_cast<unsigned long long>(of.model(one.at, one.active)), of.shared ? "rounds" : "sectors");
    ++count;
  }
  if (count == 0) throw malformed("no patterns");
}

// ---- What was counted ----

void print_counters() {
  std::set<std::string> all;
  for (auto const& one : instructions) all.insert({one.work, one.work_2, one.count});
  for (auto const& name : all)
    if (!name.empty()) std::printf("%s\n", name.c_str());
}

/// The launches of ncu's table, in their order: counters by name. Lines that begin with == are not part of the table.
std::vector<std::map<std::string, std::string>> read_counters(std::string const& path) {
  std::ifstream in{path};
  if (!in) throw malformed(path + ": cannot be read");
  std::vector<std::string> columns;
  std::vector<std::map<std::string, std::string>> launches;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.compare(0, 2, "==") == 0) continue;
    auto const cells = cells_of(line, path + ": ");
    if (columns.empty()) {
      columns = cells;
      if (columns[0] != "ID") throw malformed(path + ": no table of ncu: " + line);
      continue;
    }
    if (cells.size() != columns.size()) throw malformed(path + ": a row of other length: " + line);
    if (cells[0].empty()) continue;  // units
    launches.emplace_back();
    for (std::size_t k = 0; k != cells.size(); ++k) launches.back()[columns[k]] = cells[k];
  }
  return launches;
}

/// Where ncu has no such counter, nothing.
bool count(std::map<std::string, std::string> const& launch, std::string const& counter, std::uint64_t& total) {
  auto const at = launch.find(counter);
  if (at == launch.end() || at->second == "n/a" || at->second.empty()) return false;
  std::string digits;
  for (char const c : at->second)
    if (c != ',') digits += c;
  std::size_t end = 0;
  total += std::stoull(digits, &end);
  if (end != digits.size()) throw malformed(counter + " is no count: " + at->second);
  return true;
}

void convert(std::vector<std::string> const& words) {
  auto const &cc = words[4], &chip = words[5], &tools = words[6], &date = words[7];
  std::ifstream in{words[2]};
  if (!in) throw malformed(words[2] + ": cannot be read");
  auto const patterns = read_patterns(in);
  auto const launches = read_counters(words[3]);
  if (launches.size() != patterns.size())
    throw malformed(std::to_string(launches.size()) + " launches were counted, and there are " +
                    std::to_string(patterns.size()) + " patterns");
  std::printf("id,machine,chip,instruction,lanes_formula,active,number,measured,tolerance,kind,source,date,note\n");
  unsigned missing = 0;
  for (std::size_t k = 0; k != patterns.size(); ++k) {
    auto const& one = patterns[k];
    auto const& of = find(one.name);
    std::uint64_t work = 0, executed = 0;
    bool const counted = count(launches[k], of.work, work) &&
                         (*of.work_2 == '\0' || count(launches[k], of.work_2, work)) &&
                         (*of.count == '\0' || count(launches[k], of.count, executed));
    if (!counted) {
      ++missing;
      continue;
    }
    if (*of.count != '\0' && executed != 1)
      throw malformed("pattern " + std::to_string(one.number) + " should be one " + of.name + ", and " + of.count +
                      " is " + std::to_string(executed));
    std::string formula = "std::array{";
    for (auto const address : one.at) formula += (formula.back() == '{' ? "" : ", ") + std::to_string(address) + "ull";
    std::array<char, 20> mask{};  // empty: all
    if (one.active != every_lane)
      std::snprintf(mask.data(), mask.size(), "0x%llx", static_cast<unsigned long long>(one.active));
    std::printf(
        "gpu-%s-%04u,cc%s,%s,\"%s\",\"%s}[l]\",%s,%s,%llu,0,counter,tests/truth/outside/profilers/harness,%s,\"%s\"\n",
        chip.c_str(), one.number, cc.c_str(), chip.c_str(), of.name, formula.c_str(), mask.data(),
        of.shared ? "rounds" : "transactions", static_cast<unsigned long long>(work), date.c_str(), tools.c_str());
  }
  if (missing != 0) std::fprintf(stderr, "%u patterns have no row: the profiler has not their counters\n", missing);
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::string> const words(arguments, arguments + count);
  try {
    if (count == 4 && words[1] == "patterns")
      write_patterns(static_cast<unsigned>(std::stoul(words[2])), static_cast<unsigned>(std::stoul(words[3])));
    else if (count == 2 && words[1] == "model")
      print_model();
    else if (count == 8 && words[1] == "convert")
      convert(words);
    else if (count == 2 && words[1] == "counters")
      print_counters();
    else
      return std::fprintf(stderr, "usage: see the head of harness.cpp\n"), 2;
  } catch (std::exception const& why) {
    return std::fprintf(stderr, "refused: %s\n", why.what()), 1;
  }
}
