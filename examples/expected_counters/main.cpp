// SPDX-License-Identifier: BSL-1.0
//
// Describes kernels by their accesses, and compares the counters that a profiler should show with those that it shows.
//   expected_counters                      writes the counters of the kernels below, as CSV
//   expected_counters KERNEL PROFILE.csv   compares them with what ncu --csv or rocprofv3 wrote about that kernel,
//                                          instruction by instruction if that is ncu's Source page
// Exit status: 0 all agree or differ by known noise, 1 something else differs, an instruction has no counter, or a
// counter counts what the description lacks, 2 there is nothing to compare.

#include "../saxpy_sectors/layouts.hpp"
#include "compare.hpp"
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
  return may_be == co::deviation::more     ? "more"
         : may_be == co::deviation::fewer  ? "fewer"
         : may_be == co::deviation::either ? "either"
                                           : "";
}

void write(kernel const& one) {
  for (bool const alone : {false, true})
    for (expected_counter const& line : one.counters)
      if (line.instruction.empty() != alone)
        std::printf("\"%s\",\"%s\",\"%s\",%" PRIu64 ",\"%s\",\"%s\"\n", one.name.c_str(), line.instruction.c_str(),
                    line.name.c_str(), line.value, words(line.may_be), line.noise.c_str());
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
  } catch (std::runtime_error const& why) {  // malformed, or a sum past 2^64
    std::fprintf(stderr, "%s, %s\n", argv[2], why.what());
    return 2;
  }
  if (result == 2)
    std::fprintf(stderr, "%s has no launch of %s with one of its counters\n", argv[2], asked->name.c_str());
  return result;
}
