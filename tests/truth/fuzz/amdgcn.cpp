// SPDX-License-Identifier: BSL-1.0
//
// Kernels in AMD's text, as a compiler or a disassembler writes them, whole and damaged: what they store and how many
// instructions access memory, as steps evaluated thread by thread; an answer that blanks and comments leave alone; a
// sentence, never a crash.
#include <coalesce/host/binary/amd.hpp>

#include "truth/fuzz/binaries.hpp"

#include <cstdio>

namespace {

using namespace coalescing_tests;
namespace co = coalescing;
using gfx942 = co::cdna::gfx942;

/// A step that not every target has. The words s[16:17] point to have no contents; s20 is the number to divide by.
std::vector<std::string> special_lines(kernel_step const& s, unsigned& labels) {
  using special = kernel_step::special;
  auto const v = [](unsigned k) { return "v" + std::to_string(k + 2); };
  auto const label = [&labels] { return ".LBB0_" + std::to_string(++labels); };
  std::string const to = v(s.to), a = v(s.a), b = v(s.b), c = v(s.c), index = std::to_string(s.number % 6);
  std::string const wave = "v_readfirstlane_b32 s14, v0";
  switch (s.how) {
    case special::none:
      break;
    case special::data_branch: {
      std::string const on = label(), other = label();
      return {wave,
              "s_cmp_lt_u32 s14, 64",
              "s_cbranch_scc1 " + on,
              "s_load_dword s15, s[16:17], 0x0",
              "s_waitcnt lgkmcnt(0)",
              "s_cmp_eq_u32 s15, 7",
              "s_cbranch_scc1 " + other,
              "s_setpc_b64 s[18:19]",
              other + ":",
              "s_setpc_b64 s[18:19]",
              on + ":"};
    }
    case special::quiet_branch: {
      std::string const on = label();
      return {"s_load_dword s15, s[16:17], 0x0",
              "s_waitcnt lgkmcnt(0)",
              "s_cmp_eq_u32 s15, 7",
              "s_cbranch_scc1 " + on,
              "v_mov_b32_e32 v12, 1",
              on + ":"};
    }
    case special::far_branch: {
      std::string const on = label();
      return {wave, "s_cmp_ge_u32 s14, 64", "s_cbranch_scc1 " + on, "s_setpc_b64 s[18:19]", on + ":"};
    }
    case special::choose_by_wave: {
      std::string const first = label(), second = label(), on = label();
      return {wave,
              "s_lshr_b32 s14, s14, 6",
              "s_cmp_eq_u32 s14, 0",
              "s_cbranch_scc1 " + first,
              "s_cmp_eq_u32 s14, 1",
              "s_cbranch_scc1 " + second,
              "v_add_u32_e32 " + to + ", 1, " + c,
              "s_branch " + on,
              first + ":",
              "v_mov_b32_e32 " + to + ", " + a,
              "s_branch " + on,
              second + ":",
              "v_mov_b32_e32 " + to + ", " + b,
              on + ":"};
    }
    case special::divide:  // as LLVM 22 divides integers of 32 bits
      return {"v_mov_b32_e32 v10, s20",
              "v_cvt_f32_u32_e32 v8, v10",
              "v_rcp_iflag_f32_e32 v8, v8",
              "v_mul_f32_e32 v8, 0x4f7ffffe, v8",
              "v_cvt_u32_f32_e32 v8, v8",
              "v_sub_u32_e32 v9, 0, v10",
              "v_mul_lo_u32 v9, v9, v8",
              "v_mul_hi_u32 v9, v8, v9",
              "v_add_u32_e32 v8, v8, v9",
              "v_mul_hi_u32 v8, " + a + ", v8",
              "v_mul_lo_u32 v9, v8, v10",
              "v_sub_u32_e32 v9, " + a + ", v9",
              "v_add_u32_e32 v11, 1, v8",
              "v_cmp_le_u32_e32 vcc, v10, v9",
              "v_cndmask_b32_e32 v8, v8, v11, vcc",
              "v_sub_u32_e32 v11, v9, v10",
              "v_cndmask_b32_e32 v9, v9, v11, vcc",
              "v_add_u32_e32 v11, 1, v8",
              "v_cmp_le_u32_e32 vcc, v10, v9",
              "v_cndmask_b32_e32 " + to + ", v8, v11, vcc"};
    case special::unlisted:
      switch (s.number % 4) {
        case 0:
          return {"v_exp_f32_e32 v12, " + a};
        case 1:
          return {"v_div_scale_f32 v12, s[22:23], " + a + ", " + a + ", " + a};
        case 2:
          return {"v_cmp_class_f32_e64 s[22:23], " + a + ", " + b};
        default:
          return {"s_getreg_b32 s22, hwreg(HW_REG_MODE)"};
      }
    case special::indexed_write:
      return {"s_mov_b32 s22, " + index, "s_set_gpr_idx_on s22, gpr_idx(DST)", "v_mov_b32_e32 v2, " + a,
              "s_set_gpr_idx_off"};
    case special::indexed_read:
      return {"s_mov_b32 s22, " + index, "s_set_gpr_idx_on s22, gpr_idx(SRC0)", "v_mov_b32_e32 " + to + ", v2",
              "s_set_gpr_idx_off"};
  }
  return {};
}

/// Thread t's registers are v2 to v7. v0 is t, v1 is 4 t, v[8:12] are temporary.
std::vector<std::string> lines_of(kernel_steps const& steps) {
  using op = kernel_step::op;
  std::vector<std::string> lines = {"s_load_dwordx4 s[4:7], s[0:1], 0x0", "s_load_dwordx2 s[16:17], s[0:1], 0x10",
                                    "s_load_dword s20, s[0:1], 0x18", "s_waitcnt lgkmcnt(0)",
                                    "v_lshlrev_b32_e32 v1, 2, v0"};
  for (unsigned k = 0; k != kernel_registers; ++k)
    lines.push_back("v_mul_lo_u32 v" + std::to_string(k + 2) + ", v0, " + std::to_string(k + 1));
  unsigned labels = 0, loop = 0, skipped = 0;
  for (kernel_step const& s : steps) {
    auto const v = [](unsigned k) { return "v" + std::to_string(k + 2); };
    std::string const to = v(s.to), a = v(s.a), b = v(s.b), c = v(s.c);
    auto const two = [&](char const* opcode) { lines.push_back(std::string(opcode) + ' ' + to + ", " + a + ", " + b); };
    if (s.how != kernel_step::special::none) {
      for (std::string const& line : special_lines(s, labels)) lines.push_back(line);
      continue;
    }
    switch (s.does) {
      case op::add:
        two("v_add_u32_e32");
        break;
      case op::sub:
        two("v_sub_u32_e32");
        break;
      case op::mul:
        two("v_mul_lo_u32");
        break;
      case op::conjunction:
        two("v_and_b32_e32");
        break;
      case op::disjunction:
        two("v_or_b32_e32");
        break;
      case op::exclusive:
        two("v_xor_b32_e32");
        break;
      case op::left:
        lines.push_back("v_lshlrev_b32_e32 " + to + ", " + b + ", " + a);
        break;
      case op::right:
        lines.push_back("v_lshrrev_b32_e32 " + to + ", " + b + ", " + a);
        break;
      case op::least:
        two("v_min_u32_e32");
        break;
      case op::most:
        two("v_max_u32_e32");
        break;
      case op::constant:
        lines.push_back("v_mov_b32_e32 " + to + ", " + std::to_string(s.number));
        break;
      case op::choose:
        lines.push_back("v_cmp_lt_u32_e32 vcc, " + b + ", " + c);
        lines.push_back("v_cndmask_b32_e32 " + to + ", " + to + ", " + a + ", vcc");
        break;
      case op::load:
        lines.push_back("v_and_b32_e32 v8, 0xff, " + a);
        lines.push_back("v_lshlrev_b32_e32 v8, 2, v8");
        lines.push_back("global_load_dword " + to + ", v8, s[4:5]");
        break;
      case op::store:
        lines.push_back("v_add_u32_e32 v8, " + std::to_string(4 * kernel_threads * s.number) + ", v1");
        lines.push_back("global_store_dword v8, " + a + ", s[6:7]");
        break;
      case op::exchange:
        lines.push_back("ds_write_b32 v1, " + a);
        lines.push_back("s_barrier");
        lines.push_back("v_xor_b32_e32 v8, " + std::to_string(4 * s.number) + ", v1");
        lines.push_back("ds_read_b32 " + to + ", v8");
        lines.push_back("s_barrier");
        break;
      case op::begin_if:
        lines.push_back("v_cmp_lt_u32_e64 s[12:13], " + a + ", " + b);
        lines.push_back("s_and_saveexec_b64 s[10:11], s[12:13]");
        lines.push_back("s_cbranch_execz .LBB0_" + std::to_string(skipped = ++labels));
        break;
      case op::end_if:
        lines.push_back(".LBB0_" + std::to_string(skipped) + ":");
        lines.push_back("s_or_b64 exec, exec, s[10:11]");
        break;
      case op::begin_loop:
        lines.push_back("s_mov_b32 s8, " + std::to_string(s.number));
        lines.push_back(".LBB0_" + std::to_string(loop = ++labels) + ":");
        break;
      case op::end_loop:
        lines.push_back("s_sub_i32 s8, s8, 1");
        lines.push_back("s_cmp_lg_u32 s8, 0");
        lines.push_back("s_cbranch_scc1 .LBB0_" + std::to_string(loop));
        break;
    }
  }
  lines.push_back("s_endpgm");
  return lines;
}

std::string written(kernel_steps const& steps, fuzz_input& in) {
  auto const lines = lines_of(steps);
  std::string const start =
      ".amdhsa_kernel k\n\t.amdhsa_kernarg_size 28\n\t.amdhsa_group_segment_fixed_size 512\n"
      "\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n\t.amdhsa_system_sgpr_workgroup_id_x 1\n.end_amdhsa_kernel\n";
  std::string text;
  if (in.one_in(2)) {
    for (auto const& line : lines) text += (line.back() == ':' ? "" : "\t") + line + '\n';
    return "k:\n" + text + ".Lfunc_end0:\n" + start;
  }
  // A disassembly has no labels: a branch prints how many dwords it skips. Each instruction has 4 bytes here.
  auto const index_of = [&](std::string const& label) {
    int index = 0;
    for (auto const& line : lines) {
      if (line == label + ":") break;
      index += line.back() != ':';
    }
    return index;
  };
  int index = 0;
  for (auto const& line : lines) {
    if (line.back() == ':') continue;
    char place[64];
    std::snprintf(place, sizeof place, " // %012X: 00000000\n", static_cast<unsigned>(0x1f00 + 4 * index));
    auto const label = line.find(".LBB");
    std::string const words =
        label == line.npos
            ? line
            : line.substr(0, label) + std::to_string((index_of(line.substr(label)) - index - 1) & 0xffff);
    text += '\t' + words + place, ++index;
  }
  return start + "Disassembly of section .text:\n\n0000000000001f00 <k>:\n" + text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  auto const record = [](std::string const& text, co::binary_launch const& launch) {
    return co::amdgcn::record<gfx942>(text, launch);
  };
  static std::vector<std::string_view> const words = {"exec",
                                                      "vcc",
                                                      "s[0:3]",
                                                      "v999",
                                                      "v[2:5]",
                                                      "null",
                                                      "off",
                                                      "scc",
                                                      "m0",
                                                      "0xffffffffffffffff",
                                                      "-1",
                                                      "1.0",
                                                      "s105",
                                                      " offset:65536",
                                                      " offset:-8",
                                                      " row_shr:1",
                                                      " quad_perm:[3,2,1,0]",
                                                      " row_mask:0x5",
                                                      " dst_sel:BYTE_9",
                                                      " src0_sel:WORD_1",
                                                      " op_sel:[1,1]",
                                                      " clamp",
                                                      " glc",
                                                      " lds",
                                                      " offen",
                                                      " gds",
                                                      "s_and_saveexec_b64 s[0:1]",
                                                      "v_readlane_b32 s0, v1, 99",
                                                      "v_writelane_b32 v0, s0, s1",
                                                      "v_readfirstlane_b32 s9, v3",
                                                      "v_swap_b32 v1, v2",
                                                      "ds_bpermute_b32 v2, v3, v4",
                                                      "ds_permute_b32 v2, v3",
                                                      "ds_read2_b64 v[2:5], v1 offset0:1 offset1:255",
                                                      "buffer_load_dword v2, v3, s[4:7], 0 offen",
                                                      "global_atomic_add v2, v3, s[4:5]",
                                                      "flat_load_dword v2, v[2:3]",
                                                      "v_pk_add_u16 v2, v3, v4",
                                                      "v_bfe_i32 v2, v3, v4, v5",
                                                      "v_perm_b32 v2, v3, v4, v5",
                                                      "v_bitop3_b32 v2, v3, v4, v5",
                                                      "v_mfma_f32_32x32x1_2b_f32 v[2:33], v1, v2, 0",
                                                      "s_setpc_b64 s[0:1]",
                                                      "s_branch 0",
                                                      "s_cbranch_scc0 65535",
                                                      "v_dual_mov_b32 v2, v3 :: v_dual_mov_b32 v4, v5",
                                                      ".long 0x12345678",
                                                      "v_cmpx_lt_u32_e32 v2, v3",
                                                      "s_bfe_i64 s[4:5], s[6:7], s8",
                                                      "v_mbcnt_lo_u32_b32 v2, -1, 0",
                                                      "s_endpgm",
                                                      ".LBB0_1",
                                                      ".LBB0_1:",
                                                      "k:",
                                                      "global_load_lds_dword v[2:3], off",
                                                      "v_pk_mov_b32 v[2:3], v[4:5], v[6:7] op_sel:[1,0]",
                                                      "s_load_dword s9, s[0:1], 0x7f"};
  ask<gfx942>(data, size, 64, record, written, "; a note", words, true);
  return 0;
}
