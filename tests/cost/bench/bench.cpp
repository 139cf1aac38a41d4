// SPDX-License-Identifier: BSL-1.0
//
// A question at run time, one number asked or the whole cost, against what somebody would write instead, which gives
// one number: how many a second, and the ratios. All programs must give the same numbers, which is checked first.
//
//   coalesce.bench [--benchmark_...]          times, and one table of them at the end
//   coalesce.bench count ROW ORDER PROGRAM    asks 1,000 questions once, for an instruction count
//                                             (tests/cost/bench/run)
//   coalesce.bench list                       the rows
//   coalesce.bench check                      only whether all programs agree
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/rdna.hpp>

#include "gpgpu_sim.hpp"
#include "programs.hpp"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

namespace co = coalescing;

namespace {

using program = std::uint64_t (*)(programs::addresses);
using set = std::set<std::uint64_t>;
using unordered_set = std::unordered_set<std::uint64_t>;

/// One number of the cost, or all of them.
template <class Instruction, bool Whole>
std::uint64_t ours(programs::addresses a) {
  auto const cost = co::cost<Instruction>([a](unsigned lane) { return a[lane]; });
  if constexpr (Whole) benchmark::DoNotOptimize(cost);
  if constexpr (requires { cost.rounds; })
    return cost.rounds;
  else
    return cost.transactions;
}

constexpr unsigned program_count = 9;
constexpr char const* program_names[program_count] = {
    "ours", "whole_cost", "std::set", "unordered_set", "plain_rule", "by_hand", "hash", "stamped", "gpgpu_sim"};
struct row {
  char const* name;
  unsigned lanes, bytes;
  std::uint64_t memory;             ///< bytes that random addresses are of
  program programs[program_count];  ///< null: the row has no such program
};
template <class Instruction, unsigned Part, unsigned Size, program PlainRule>
constexpr row of_global_memory(char const* name) {
  constexpr unsigned lanes = Instruction::lanes;
  return {
      name,
      lanes,
      Instruction::bytes,
      std::uint64_t{1} << 32,
      {ours<Instruction, false>, ours<Instruction, true>, programs::distinct<set, lanes, Part, Size>,
       programs::distinct<unordered_set, lanes, Part, Size>, PlainRule, programs::by_hand<lanes, Part, Size>,
       programs::hash<programs::slots, lanes, Part, Size>, programs::hash<programs::stamped_slots, lanes, Part, Size>,
       Size == 32 ? program{programs::gpgpu_sim} : nullptr}};
}
template <class Instruction, class Phases>
constexpr row of_banks(char const* name) {
  return {name,
          Instruction::lanes,
          Instruction::bytes,
          48 * 1024,
          {ours<Instruction, false>, ours<Instruction, true>, programs::distinct_words<set, Phases>,
           programs::distinct_words<unordered_set, Phases>, programs::words_of_banks<Phases>,
           programs::words_by_hand<Phases>, programs::words_by_hash<programs::slots, Phases>,
           programs::words_by_hash<programs::stamped_slots, Phases>, nullptr}};
}
constexpr row rows[] = {
    of_global_memory<co::cuda::cc13::load<32>, 16, 128, programs::shrinking_segments>("cc13.load"),
    of_global_memory<co::cuda::cc20::load<32>, 32, 128, programs::lines<32, 128>>("cc20.load"),
    of_global_memory<co::cuda::cc60::load<32>, 32, 32, programs::sectors>("cc60.load"),
    of_global_memory<co::cuda::cc90::load<32>, 32, 32, programs::sectors>("cc90.load"),
    of_banks<co::cuda::cc90::shared_load<32>, programs::whole_warp>("cc90.shared_load"),
    of_global_memory<co::gcn::buffer_load<32>, 64, 64, programs::lines<64, 64>>("gcn.buffer_load"),
    of_banks<co::cdna::gfx942::ds_read<128>, programs::quads_in_pairs>("gfx942.ds_read_128"),
    of_global_memory<co::rdna::gfx1100::global_load<32>, 32, 128, programs::lines<32, 128>>("gfx1100.global_load"),
    of_banks<co::rdna::gfx1100::wave64::ds_load<32>, programs::two_halves>("gfx1100.ds_load_32"),
};

constexpr unsigned questions = 1000;
constexpr char const* orders[] = {"coalesced", "permuted", "random"};

/// The addresses of all questions, those of question n from n * row.lanes on.
std::vector<std::uint64_t> make(row const& asked, unsigned order) {
  std::mt19937_64 engine(1);
  std::vector<std::uint64_t> all;
  for (unsigned n = 0; n != questions; ++n) {
    std::uint64_t const base = engine() % (asked.memory / 2) / 4096 * 4096;
    for (unsigned lane = 0; lane != asked.lanes; ++lane)
      all.push_back(order == 2 ? engine() % asked.memory / asked.bytes * asked.bytes : base + lane * asked.bytes);
    if (order == 1) std::shuffle(all.end() - asked.lanes, all.end(), engine);
  }
  return all;
}

void check() {
  for (row const& asked : rows)
    for (unsigned order = 0; order != 3; ++order) {
      auto const all = make(asked, order);
      for (unsigned n = 0; n != questions; ++n)
        for (unsigned k = 1; k != program_count; ++k) {
          if (asked.programs[k] == nullptr) continue;
          auto const a = asked.programs[0](&all[n * asked.lanes]), b = asked.programs[k](&all[n * asked.lanes]);
          if (a == b) continue;
          std::fprintf(stderr, "%s, %s, question %u: ours %u, %s %u\n", asked.name, orders[order], n,
                       static_cast<unsigned>(a), program_names[k], static_cast<unsigned>(b));
          std::exit(1);
        }
    }
}

/// Keeps the best of the repetitions, and prints the table.
struct table : benchmark::BenchmarkReporter {
  std::map<std::string, double> best;  ///< million questions a second, by benchmark
  bool ReportContext(Context const&) override { return true; }
  void ReportRuns(std::vector<Run> const& runs) override {
    for (Run const& run : runs)
      if (run.run_type == Run::RT_Iteration) {
        double& of = best[run.run_name.function_name];
        of = std::max(of, questions / run.GetAdjustedCPUTime() * 1e3);  // the time is in ns
      }
  }
  void print() const {
    std::printf("%-30s %7s   ours against %8s %14s %11s %8s %8s %8s %10s   whole cost %8s\n", "million a second",
                "ours", "std::set", "unordered_set", "plain rule", "by hand", "hash", "stamped", "GPGPU-Sim",
                "std::set");
    for (row const& asked : rows)
      for (char const* order : orders) {
        // "-" stands for a program that a filter left out, or that the row does not have.
        auto const rate = [&](unsigned k) {
          auto const found = best.find(std::string(asked.name) + '/' + order + '/' + program_names[k]);
          return found == best.end() ? 0 : found->second;
        };
        auto const words = [](double number, int digits) {
          char text[32];
          std::snprintf(text, sizeof text, "%.*f", digits, number);
          return std::string(number == 0 ? "-" : text);
        };
        auto const ratio = [&](unsigned a, unsigned b) { return words(rate(b) == 0 ? 0 : rate(a) / rate(b), 2); };
        bool is_asked = false;
        for (unsigned k = 0; k != program_count; ++k) is_asked = is_asked || rate(k) != 0;
        if (!is_asked) continue;
        std::printf("%-19s %-10s %7s %23s %14s %11s %8s %8s %8s %10s %12s %8s\n", asked.name, order,
                    words(rate(0), 1).c_str(), ratio(0, 2).c_str(), ratio(0, 3).c_str(), ratio(0, 4).c_str(),
                    ratio(0, 5).c_str(), ratio(0, 6).c_str(), ratio(0, 7).c_str(), ratio(0, 8).c_str(),
                    words(rate(1), 1).c_str(), ratio(1, 2).c_str());
      }
  }
};

std::uint64_t sum;
void ask(row const& asked, program ask_one, std::vector<std::uint64_t> const& all) {
  for (unsigned n = 0; n != questions; ++n) sum += ask_one(&all[n * asked.lanes]);
}

int count(std::string const& name, std::string const& order_name, std::string const& program_name) {
  for (row const& asked : rows)
    for (unsigned order = 0; order != 3; ++order)
      if (name == asked.name && order_name == orders[order]) {
        auto const all = make(asked, order);
        for (unsigned k = 0; k != program_count; ++k)
          if (program_name == program_names[k] && asked.programs[k] != nullptr) ask(asked, asked.programs[k], all);
        return 0;
      }
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 5 && argv[1] == std::string("count")) return count(argv[2], argv[3], argv[4]);
  if (argc == 2 && argv[1] == std::string("list")) {
    for (row const& asked : rows) std::puts(asked.name);
    return 0;
  }
  check();
  if (argc == 2 && argv[1] == std::string("check")) return 0;
  for (row const& asked : rows)
    for (unsigned order = 0; order != 3; ++order)
      for (unsigned k = 0; k != program_count; ++k) {
        if (asked.programs[k] == nullptr) continue;
        std::string const name = std::string(asked.name) + '/' + orders[order] + '/' + program_names[k];
        benchmark::RegisterBenchmark(name.c_str(), [&asked, order, k](benchmark::State& state) {
          auto const all = make(asked, order);
          for ([[maybe_unused]] auto const& _ : state) ask(asked, asked.programs[k], all);
          benchmark::DoNotOptimize(sum);
        });
      }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  table results;
  benchmark::RunSpecifiedBenchmarks(&results);
  results.print();
}
