// SPDX-License-Identifier: BSL-1.0
//
// Describes kernels by their accesses, and compares the counters that a profiler should show with those that it shows.
//   expected_counters                      writes the counters of the kernels below, as CSV
//   expected_counters KERNEL PROFILE.csv   compares them with what ncu --csv or rocprofv3 wrote about that kernel,
//                                          instruction by instruction if that is ncu's Source page
// Exit status: 0 all agree or differ by known noise, 1 something else differs, 2 there is nothing to compare.

#include "../saxpy_sectors/layouts.hpp"
#include "expected.hpp"
#include "profile.hpp"

#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/layout.hpp>
#include <coalesce/record.hpp>
#include <coalesce/total.hpp>

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fstream>

using co::domain, co::cdna::gfx942, co::cuda::cc86, co::cuda::cc89;

namespace {

// 2,048 x 1,024 floats, transposed by tiles of 32 x 32 without padding: a warp reads a row, stores it down a column of
// the tile, loads a row of the tile, and writes a row. The log of such a kernel on CC 8.9 had 2,031,616 conflicts.
// This kernel is recorded: one block of its body stands for all.
kernel transpose_tiled() {
  constexpr auto body = [](auto const& t, auto in, auto out, auto tile) {
    unsigned const x = 32 * t.block.x + t.thread.x, y = 32 * t.block.y + t.thread.y;
    for (unsigned j = 0; j < 32; j += 8) tile[t.thread.x][t.thread.y + j] = in[2048 * (y + j) + x];
    t.sync();
    unsigned const u = 32 * t.block.y + t.thread.x, v = 32 * t.block.x + t.thread.y;
    for (unsigned j = 0; j < 32; j += 8) out[1024 * (v + j) + u] = tile[t.thread.y + j][t.thread.x];
  };
  constexpr co::kernel described{co::launch{.grid = {64, 32}, .block = {32, 8}}, body,
                                 co::global<float const>{"in", 2048 * 1024}, co::global<float>{"out", 2048 * 1024},
                                 co::shared<float[32][32]>{"tile"}};
  return kernel{"transpose_tiled", {}}.executes(co::record<cc89>(described), 64 * 32);
}

// x = a * x + y over 4,096 x 4,096 floats, as examples/saxpy_sectors has it: two loads and a store of a float4.
kernel saxpy_strided() {
  constexpr std::uint64_t warps = saxpy::float4s / 32;
  auto const loads = co::total<cc89::load<128>>(saxpy::strided), again = loads;
  return kernel{"saxpy_strided", {}}
      .executes<cc89::load<128>>(loads + again, 2 * warps)
      .executes<cc89::store<128>>(co::total<cc89::store<128>>(saxpy::strided), warps);
}

// 1,024 waves, each with 64 x 64 halves: from memory to LDS and back to memory in rows, eight lanes a row, and once
// read from LDS with a row for each lane.
kernel staged_tile() {
  constexpr std::uint64_t waves = 1024;
  constexpr auto in_rows = [](unsigned lane, unsigned step) { return 1024 * step + 16 * lane; };
  constexpr auto own_row = [](unsigned lane, unsigned step) { return 128 * lane + 16 * step; };
  constexpr domain steps{8};
  return kernel{"staged_tile", {}}
      .executes<gfx942::global_load<128>>(co::total<gfx942::global_load<128>>(in_rows, steps) * waves, 8 * waves)
      .executes<gfx942::ds_write<128>>(co::total<gfx942::ds_write<128>>(in_rows, steps) * waves, 8 * waves)
      .executes<gfx942::ds_read<128>>(co::total<gfx942::ds_read<128>>(own_row, steps) * waves, 8 * waves)
      .executes<gfx942::global_store<128>>(co::total<gfx942::global_store<128>>(in_rows, steps) * waves, 8 * waves);
}

// y = a * x + y over 4,194,304 doubles, a thread each: the kernel of that name in NVIDIA's sample report
// manual_nvtx.ncu-rep (NVIDIA/nsight-training, 2d680f7f, cuda/nsight_compute/sample_reports), on an RTX 3070.
kernel daxpy_kernel() {
  constexpr std::uint64_t warps = 16384 * 256 / 32;
  constexpr co::linear doubles{.stride = 8};
  return kernel{"daxpy_kernel", {}}
      .executes<cc86::load<64>>(co::cost<cc86::load<64>>(doubles) * (2 * warps), 2 * warps)
      .executes<cc86::store<64>>(co::cost<cc86::store<64>>(doubles) * warps, warps);
}

char const* words(co::deviation may_be) {
  return may_be == co::deviation::more ? "more" : may_be == co::deviation::fewer ? "fewer" : "";
}

void write(kernel const& one) {
  for (bool const alone : {false, true})
    for (expected_counter const& line : one.counters)
      if (line.instruction.empty() != alone)
        std::printf("\"%s\",\"%s\",\"%s\",%" PRIu64 ",\"%s\",\"%s\"\n", one.name.c_str(), line.instruction.c_str(),
                    line.name.c_str(), line.value, words(line.may_be), line.noise.c_str());
}

enum class verdict { agrees, is_noise, differs };
verdict judge(expected_counter const& expected, double is) {
  auto const should = static_cast<double>(expected.value);
  if (is == should) return verdict::agrees;
  bool const may = is > should ? expected.may_be == co::deviation::more : expected.may_be == co::deviation::fewer;
  return may ? verdict::is_noise : verdict::differs;
}

bool is_in_the_table(std::string const& name) {
  auto const table = co::all_counters();
  for (co::counter const& line : table.lines)
    if (name == line.name || name == line.executed) return true;
  return false;
}

/// A kernel's counter in a launch; of an instruction the sum over those of its kind. Whether it was profiled.
bool find(launch const& profiled, expected_counter const& line, double& is) {
  bool found = false;
  auto const add = [&](std::map<std::string, reading> const& counters) {
    auto const at = counters.find(line.name);
    if (at != counters.end()) is += at->second.value(line.name), found = true;
  };
  is = 0;
  if (line.instruction.empty()) add(profiled.counters);
  bool any = line.instruction.empty();
  for (line_of_sass const& one : profiled.instructions)
    if (one.kind == line.instruction) add(one.counters), any = true;
  return found || !any;  // the binary has no such instruction: 0
}
/// Each instruction of a kind that differs as a whole.
void list(launch const& profiled, expected_counter const& line) {
  for (line_of_sass const& one : profiled.instructions) {
    auto const at = one.counters.find(line.name);
    if (!line.instruction.empty() && one.kind == line.instruction && at != one.counters.end())
      std::printf("                %s at %s: %s\n", one.source.c_str(), one.address.c_str(), at->second.words.c_str());
  }
}

/// Whether nothing differs; -1 where nothing could be compared.
int compare(kernel const& expected, launch const& profiled) {
  std::printf("%s, launch %s: %s\n", expected.name.c_str(), profiled.id.c_str(), profiled.kernel.c_str());
  unsigned count[3] = {}, missing = 0, others = 0;
  for (expected_counter const& line : expected.counters) {
    if (line.instruction.empty() != profiled.instructions.empty()) continue;
    std::string const what = line.instruction + (line.instruction.empty() ? "" : ": ") + line.name;
    double is = 0;
    if (!find(profiled, line, is)) {
      ++missing;
      std::printf("  not profiled  %s, expected %" PRIu64 "\n", what.c_str(), line.value);
      continue;
    }
    verdict const found = judge(line, is);
    ++count[static_cast<unsigned>(found)];
    if (found == verdict::agrees) {
      std::printf("  agrees        %s, %" PRIu64 "\n", what.c_str(), line.value);
    } else {
      std::printf("  %s%s, expected %" PRIu64 ", profiled %.15g",
                  found == verdict::differs ? "DIFFERS       " : "known noise   ", what.c_str(), line.value, is);
      std::printf(found == verdict::is_noise ? " (%s)\n" : "\n", line.noise.c_str());
      list(profiled, line);
    }
  }
  for (auto const& [name, is] : profiled.counters) {
    if (expected.expects(name, "")) continue;
    if (is_in_the_table(name))
      std::printf("  not expected  %s, profiled %s\n", name.c_str(), is.words.c_str());
    else
      ++others;
  }
  for (line_of_sass const& one : profiled.instructions) {
    auto const executed = one.counters.find("inst_executed");
    if (!one.kind.empty() && executed != one.counters.end() && executed->second.value("inst_executed") != 0 &&
        !expected.expects("inst_executed", one.kind)) {
      std::printf("  NOT EXPECTED  %s at %s\n", one.source.c_str(), one.address.c_str());
      ++count[static_cast<unsigned>(verdict::differs)];
    }
  }
  std::printf("  %u agree, %u differ by known noise, %u differ, %u not profiled; others in the profile: %u\n", count[0],
              count[1], count[2], missing, others);
  return count[0] + count[1] + count[2] == 0 ? -1 : count[2] == 0;
}

}  // namespace

int main(int argc, char** argv) {
  kernel const kernels[] = {transpose_tiled(), saxpy_strided(), daxpy_kernel(), staged_tile()};
  if (argc == 1) {
    std::printf("\"Kernel Name\",\"Instruction\",\"Metric Name\",\"Metric Value\",\"May Be\",\"Noise\"\n");
    for (kernel const& one : kernels) write(one);
    return 0;
  }
  kernel const* asked = nullptr;
  for (kernel const& one : kernels)
    if (one.name == argv[1]) asked = &one;
  if (argc != 3 || asked == nullptr) {
    std::fprintf(stderr, "expected_counters [transpose_tiled|saxpy_strided|daxpy_kernel|staged_tile PROFILE.csv]\n");
    return 2;
  }
  std::ifstream file(argv[2]);
  if (!file) {
    std::fprintf(stderr, "%s cannot be read\n", argv[2]);
    return 2;
  }
  int result = 2;
  try {
    for (launch const& one : read_profile(file))
      if (one.kernel.find(asked->name) != std::string::npos)
        if (int const agrees = compare(*asked, one); agrees != -1 && result != 1) result = agrees == 1 ? 0 : 1;
  } catch (malformed const& why) {
    std::fprintf(stderr, "%s, %s\n", argv[2], why.what());
    return 2;
  }
  if (result == 2)
    std::fprintf(stderr, "%s has no launch of %s with one of its counters\n", argv[2], asked->name.c_str());
  return result;
}
