// SPDX-License-Identifier: BSL-1.0
//
// Traces at run time: how many warp instructions a second one core reads, costs and adds up (items_per_second; the goal
// is two million), and how many bytes of text. A trace has 16 instructions of a kernel, whose warps walk through an
// array (walk), begin at any line of 128 bytes (rows), or have any addresses (random). Four files of random addresses
// are read by one thread or two (files/jobs:2).
//
//   coalesce.bench.traces [--benchmark_...]
#include <coalesce/cuda.hpp>
#include <coalesce/host/trace.hpp>

#include <benchmark/benchmark.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <istream>
#include <iterator>
#include <random>
#include <streambuf>
#include <string>
#include <vector>

namespace co = coalescing;

namespace {

constexpr char const* forms[] = {"accel_sim/listed", "accel_sim/stride", "accel_sim/differences",
                                 "mem_trace",        "plain/listed",     "plain/stride"};
constexpr char const* orders[] = {"walk", "rows", "random"};

std::string trace(unsigned form, unsigned order, unsigned instructions) {
  std::string text = form < 3    ? "-kernel name = k\n-accelsim tracer version = 3\n"
                     : form == 3 ? ""
                                 : "coalesce trace 1\nkernel k\n";
  std::mt19937_64 engine(1);
  char words[128];
  auto const put = [&](char const* format, auto... numbers) {
    std::snprintf(words, sizeof words, format, numbers...), text += words;
  };
  for (unsigned k = 0; k != instructions; ++k) {
    unsigned long long const base = 0x7f0000000000 + 128 * (order == 0 ? k : engine() % 100'000);
    unsigned long long to[32];
    for (unsigned lane = 0; lane != 32; ++lane)
      to[lane] = order == 2 ? 0x7f0000000000 + 4 * (engine() % 100'000) : base + 4 * lane;
    unsigned const block = k / 8, warp = k % 8, pc = 16 * (k % 16);
    if (form < 3)
      put("%u 0 0 %u %04x ffffffff 1 R1 LDG.E.SYS 1 R2 4 %u", block, warp, pc, form);
    else if (form == 3)
      put("MEMTRACE: CTX 0x0000564aa0b5c2d0 - grid_launch_id 0 - CTA %u,0,0 - warp %u - LDG.E -", block, warp);
    else
      put("load global 4 a@k.py:%u 0xffffffff", pc + 1);
    if (form == 0 || form == 3)
      for (auto const each : to) put(" 0x%016llx", each);
    else if (form == 1)
      put(" 0x%llx 4", base);
    else if (form == 5)
      put(" 0x%llx+4", base);
    else if (form == 4)
      for (auto const each : to) put(" %llu", each);
    else
      for (unsigned lane = 0; lane != 32; ++lane)
        if (lane == 0)
          put(" 0x%llx", to[0]);
        else
          put(" %lld", static_cast<long long>(to[lane] - to[lane - 1]));
    text += form < 4 ? " \n" : "\n";
  }
  return form < 4 ? text : text + "end\n";
}
/// A stream of a text that is not copied.
struct text_buffer : std::streambuf {
  explicit text_buffer(std::string& text) { setg(text.data(), text.data(), text.data() + text.size()); }
};
std::uint64_t read(std::string& text, unsigned form) {
  text_buffer buffer(text);
  std::istream from(&buffer);
  auto const format = form < 3    ? co::trace_format::accel_sim
                      : form == 3 ? co::trace_format::mem_trace
                                  : co::trace_format::plain;
  return co::replay<co::cuda::cc80>(from, format, {.all_lanes = true}).instructions;
}

}  // namespace

int main(int argc, char** argv) {
  for (unsigned form = 0; form != std::size(forms); ++form)
    for (unsigned order = 0; order != std::size(orders); ++order) {
      if (order == 2 && (form == 1 || form == 5)) continue;  // one stride has no random addresses
      auto const name = std::string(forms[form]) + '/' + orders[order];
      benchmark::RegisterBenchmark(name.c_str(), [form, order](benchmark::State& state) {
        constexpr unsigned instructions = 20'000;
        auto text = trace(form, order, instructions);
        std::uint64_t sum = 0;
        for ([[maybe_unused]] auto const& _ : state) sum += read(text, form);
        if (sum != static_cast<std::uint64_t>(state.iterations()) * instructions)
          state.SkipWithError("instructions are lost");
        state.SetItemsProcessed(static_cast<std::int64_t>(sum));
        state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
      });
    }
  for (unsigned const jobs : {1u, 2u})
    benchmark::RegisterBenchmark(
        ("files/jobs:" + std::to_string(jobs)).c_str(),
        [jobs](benchmark::State& state) {
          constexpr unsigned instructions = 20'000;
          auto const folder =
              std::filesystem::temp_directory_path() / ("coalesce." + std::to_string(std::random_device{}()));
          std::filesystem::create_directory(folder);
          std::vector<std::string> files;
          for (char const* name : {"1", "2", "3", "4"}) {
            files.push_back((folder / name).string());
            std::ofstream(files.back()) << trace(0, 2, instructions);
          }
          std::uint64_t sum = 0;
          for ([[maybe_unused]] auto const& _ : state)
            sum +=
                co::replay_files<co::cuda::cc80>(files, co::trace_format::accel_sim, {.all_lanes = true, .jobs = jobs})
                    .instructions;
          std::filesystem::remove_all(folder);
          if (sum != static_cast<std::uint64_t>(state.iterations()) * files.size() * instructions)
            state.SkipWithError("instructions are lost");
          state.SetItemsProcessed(static_cast<std::int64_t>(sum));
        })
        ->MeasureProcessCPUTime()
        ->UseRealTime();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
