// SPDX-License-Identifier: BSL-1.0
//
// Binaries: the time for one block of 256 threads of a kernel of 10,000 instructions a wave, from text to costs, on one
// core (the goal is 0.1 s). 3 of 16 instructions access memory. The kernel is straight, or a loop; its global
// loads are costed (costs), or the text has none (computes).
//
// Grids: 1,024 blocks of 1,024 threads that differ by their base. Equal blocks run once (grid/equal; grid/one is a grid
// of one block), or each block is named, and so runs, on one thread or two (grid/named/jobs:2).
//
//   coalesce.bench.binaries [--benchmark_...]
#include <coalesce/host/binary/amd.hpp>
#include <coalesce/host/binary/nvidia.hpp>

#include <benchmark/benchmark.h>

#include <cstdio>
#include <string>

namespace co = coalescing;

namespace {

constexpr unsigned instructions = 10'000;

/// 16 instructions, with a number that makes them differ.
std::string amd_group(unsigned number, bool has_memory) {
  char start[128];
  std::snprintf(start, sizeof start, "\tv_add_u32_e32 v2, 0x%x, v1\n\ts_add_u32 s9, s8, 0x%x\n", 4 * number, number);
  return std::string(start) +
         "\tv_and_b32_e32 v2, 0xffff, v2\n"
         "\tv_mul_lo_u32 v4, v2, s8\n"
         "\tv_xor_b32_e32 v5, v4, v0\n"
         "\tv_bfe_u32 v6, v5, 4, 8\n"
         "\ts_cmp_lt_u32 s9, s8\n"
         "\ts_cselect_b32 s10, s9, s8\n"
         "\tv_cmp_gt_u32_e32 vcc, s10, v0\n"
         "\tv_cndmask_b32_e32 v7, v5, v6, vcc\n"
         "\tv_mad_u32_u24 v8, v7, 5, v2\n"
         "\tv_lshl_add_u32 v8, v8, 2, v1\n" +
         (has_memory ? "\tglobal_load_dword v9, v2, s[4:5]\n"
                       "\tds_write_b32 v1, v9\n"
                       "\tds_read_b32 v10, v1\n"
                     : "\tv_mov_b32_e32 v9, v2\n\tv_mov_b32_e32 v10, v2\n\tv_mov_b32_e32 v11, v2\n") +
         "\tv_add_f32_e32 v11, v10, v11\n";
}
std::string amd_text(bool is_loop, bool has_memory) {
  std::string text = "k:\n\ts_load_dwordx4 s[4:7], s[0:1], 0x0\n\ts_movk_i32 s8, 0x40\n\tv_lshlrev_b32_e32 v1, 2, v0\n";
  if (is_loop)
    text += "\ts_movk_i32 s11, " + std::to_string(instructions / 20) + "\n.LBB0_1:\n" + amd_group(1, has_memory) +
            "\ts_nop 0\n\ts_sub_i32 s11, s11, 1\n\ts_cmp_lg_u32 s11, 0\n\ts_cbranch_scc1 .LBB0_1\n";
  else
    for (unsigned k = 0; k != instructions / 16; ++k) text += amd_group(k, has_memory);
  return text +
         "\ts_endpgm\n.Lfunc_end0:\n.amdhsa_kernel k\n\t.amdhsa_kernarg_size 16\n"
         "\t.amdhsa_group_segment_fixed_size 1024\n\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n.end_amdhsa_kernel\n";
}

std::string nvidia_group(unsigned number, bool has_memory) {
  char start[128];
  std::snprintf(start, sizeof start, "IADD3 R3, R2, 0x%x, RZ ;\n", 4 * number);
  return std::string(start) +
         "LOP3.LUT R3, R3, 0xffff, RZ, 0xc0, !PT ;\n"
         "IMAD.WIDE.U32 R4, R3, 0x1, R14 ;\n"
         "ISETP.GT.U32.AND P0, PT, R3, R0, PT ;\n"
         "SEL R6, R3, R2, P0 ;\n"
         "SHF.R.U32.HI R7, RZ, 0x3, R6 ;\n"
         "LEA R8, R7, R2, 0x2 ;\n"
         "@P0 IADD3 R8, R8, 0x4, RZ ;\n"
         "IMAD R9, R8, 0x5, R3 ;\n"
         "PRMT R9, R9, 0x5410, RZ ;\n"
         "IMAD.MOV.U32 R13, RZ, RZ, R9 ;\n"
         "IADD3 R13, R13, R9, R8 ;\n" +
         (has_memory ? "LDG.E R10, desc[UR4][R4.64] ;\nSTS [R2], R10 ;\nLDS R11, [R2] ;\n"
                     : "MOV R10, R2 ;\nMOV R11, R3 ;\nMOV R16, R4 ;\n") +
         "FADD R12, R11, R12 ;\n";
}
std::string nvidia_text(bool is_loop, bool has_memory) {
  std::string lines =
      "S2R R0, SR_TID.X ;\nULDC.64 UR4, c[0x0][0x208] ;\nIMAD.SHL.U32 R2, R0, 0x4, RZ ;\n"
      "MOV R14, c[0x0][0x210] ;\nMOV R15, c[0x0][0x214] ;\n";
  if (is_loop)
    lines += "MOV R20, 0x1f4 ;\n.L_1:\n" + nvidia_group(1, has_memory) +
             "NOP ;\nIADD3 R20, R20, -0x1, RZ ;\nISETP.NE.AND P1, PT, R20, RZ, PT ;\n@P1 BRA `(.L_1) ;\n";
  else
    for (unsigned k = 0; k != instructions / 16; ++k) lines += nvidia_group(k, has_memory);
  lines += "EXIT ;\n";
  std::string text = ".target sm_90\n.section .text.k,\"ax\",@progbits\nk:\n.text.k:\n";
  unsigned offset = 0;
  for (std::size_t at = 0; at != lines.size();) {
    std::size_t const end = lines.find('\n', at) + 1;
    char place[32];
    std::snprintf(place, sizeof place, "        /*%04x*/ ", offset);
    if (lines[at] != '.') text += place, offset += 16;
    text.append(lines, at, end - at), at = end;
  }
  return text;
}

void time(benchmark::State& state, bool is_amd, bool is_loop, bool has_memory) {
  std::string const text = is_amd ? amd_text(is_loop, has_memory) : nvidia_text(is_loop, has_memory);
  co::binary_launch launch;
  launch.block = {256};
  launch.arguments = {co::binary_argument::buffer(1 << 20), co::binary_argument::buffer(1 << 20)};
  std::size_t const expected = !has_memory ? 0 : is_loop ? 3 : instructions / 16 * 3;
  for ([[maybe_unused]] auto const& _ : state) {
    auto const answer = co::binary_answer(is_amd ? co::amdgcn::record<co::cdna::gfx942>(text, launch)
                                                 : co::sass::record<co::cuda::cc90>(text, launch));
    if (answer.sites.size() != expected || !answer.unknown.empty()) state.SkipWithError("accesses are lost");
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * instructions);
}

/// Each thread loads a word and stores it.
std::string copying_text() {
  return ".target sm_90\n.section .text.k,\"ax\",@progbits\nk:\n.text.k:\n"
         "        /*0000*/ S2R R0, SR_TID.X ;\n"
         "        /*0010*/ S2R R1, SR_CTAID.X ;\n"
         "        /*0020*/ ULDC.64 UR4, c[0x0][0x208] ;\n"
         "        /*0030*/ IMAD R2, R1, 0x400, R0 ;\n"
         "        /*0040*/ MOV R14, c[0x0][0x210] ;\n"
         "        /*0050*/ MOV R15, c[0x0][0x214] ;\n"
         "        /*0060*/ IMAD.WIDE.U32 R4, R2, 0x4, R14 ;\n"
         "        /*0070*/ LDG.E R6, desc[UR4][R4.64] ;\n"
         "        /*0080*/ STG.E desc[UR4][R4.64], R6 ;\n"
         "        /*0090*/ EXIT ;\n";
}
void time_grid(benchmark::State& state, unsigned blocks, bool is_named, unsigned jobs) {
  std::string const text = copying_text();
  co::binary_launch launch;
  launch.grid = {blocks}, launch.block = {1024}, launch.jobs = jobs;
  launch.arguments = {co::binary_argument::buffer(4 << 20)};
  launch.every_block = !is_named;
  for (unsigned k = 0; is_named && k != blocks; ++k) launch.blocks.push_back({k, 0, 0});
  for ([[maybe_unused]] auto const& _ : state) {
    auto const answer = co::binary_answer(co::sass::record<co::cuda::cc90>(text, launch));
    if (answer.sites.size() != 2 || !answer.unknown.empty()) state.SkipWithError("accesses are lost");
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (bool const is_amd : {true, false})
    for (bool const is_loop : {false, true})
      for (bool const has_memory : {true, false}) {
        auto const name = std::string(is_amd ? "gfx942" : "sm_90") + (is_loop ? "/loop" : "/straight") +
                          (has_memory ? "/costs" : "/computes");
        benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
          time(state, is_amd, is_loop, has_memory);
        })->Unit(benchmark::kMillisecond);
      }
  auto const add_grid = [](char const* name, unsigned blocks, bool is_named, unsigned jobs) {
    benchmark::RegisterBenchmark(name, [=](benchmark::State& state) { time_grid(state, blocks, is_named, jobs); })
        ->Unit(benchmark::kMillisecond)
        ->MeasureProcessCPUTime()
        ->UseRealTime();
  };
  add_grid("grid/one", 1, false, 1);
  add_grid("grid/equal", 1024, false, 1);
  add_grid("grid/named/jobs:1", 1024, true, 1);
  add_grid("grid/named/jobs:2", 1024, true, 2);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
