// SPDX-License-Identifier: BSL-1.0
//
// Random kernels of both vendors whose addresses, guards and branches are made of the block's index in any way. A
// launch of all blocks must give the answer, byte for byte, that it gives where each block is named and so runs, with
// any number of threads; and it must run fewer blocks where it can.
//
//   coalesce.binary.blocks NUMBER [--break]    so many kernels of each vendor; --break compares with one block less
#include <coalesce/host/binary.hpp>

#include "host/binary/nvidia/written.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace {

namespace co = coalescing;

std::mt19937_64 engine(39);
unsigned below(unsigned count) { return static_cast<unsigned>(engine() % count); }
std::string one_of(std::initializer_list<std::string> const& all) {
  return all.begin()[below(static_cast<unsigned>(all.size()))];
}
std::string hexadecimal(std::uint32_t number) { return co::detail::hexadecimal(number); }
/// A number as kernels add and multiply: small, a power of two, near one, negative, or any.
std::uint32_t number() {
  auto const power = std::uint32_t{1} << below(32);
  switch (below(8)) {
    case 6:
    case 7:
      return 0 - below(40);
    case 0:
      return below(8);
    case 1:
      return power;
    case 2:
      return power - 1 + below(3);
    case 3:
      return 0 - below(600);
    case 4:
      return 32 * below(300);
    default:
      return static_cast<std::uint32_t>(engine()) >> below(32);
  }
}

/// R0 is the thread's index, R1 to R3 that of the block. Steps write R4 to R6.
std::string of_nvidia() {
  std::vector<std::string> lines = {"S2R R0, SR_TID.X", "S2R R1, SR_CTAID.X", "S2R R2, SR_CTAID.Y",
                                    "S2R R3, SR_CTAID.Z", "ULDC.64 UR4, c[0x0][0x208]"};
  auto const any = [] { return "R" + std::to_string(below(4) == 0 ? below(4) : 4 + below(3)); };
  auto const made = [] { return "R" + std::to_string(4 + below(3)); };
  bool const is_tame = below(3) != 0;
  lines.push_back("IMAD R4, R1, " + hexadecimal(32u << below(4)) + ", R0");
  for (unsigned k = 5; k != 7; ++k)
    lines.push_back("IMAD R" + std::to_string(k) + ", " + one_of({"R1", "R2", "R0", "R3"}) + ", " +
                    hexadecimal(is_tame ? 16 * below(64) : number()) + ", " + one_of({"R0", "R4"}));
  unsigned labels = 0;
  for (unsigned k = 1 + below(8); k != 0; --k) switch (below(is_tame ? 9 : 16)) {
      case 0:
        lines.push_back("IADD3 " + made() + ", " + any() + ", " + hexadecimal(number()) + ", RZ");
        break;
      case 1:
        lines.push_back("IADD3 " + made() + ", " + any() + ", " + any() + ", " + any());
        break;
      case 2:
      case 3:
        lines.push_back("@" + one_of({"", "!"}) + "P0 EXIT");
        lines.insert(lines.end() - 1, "ISETP." + one_of({"GE", "LT", "GT", "NE"}) + one_of({".U32", ""}) +
                                          ".AND P0, PT, " + any() + ", " +
                                          one_of({hexadecimal(number()), hexadecimal(below(2000)), any()}) + ", PT");
        break;
      case 4:
        lines.push_back("IMAD.SHL.U32 " + made() + ", " + any() + ", " + hexadecimal(1u << below(8)) + ", RZ");
        break;
      case 5:
      case 6:
      case 7:
      case 8: {
        std::string const wide = one_of({"IMAD.WIDE R10, ", "IMAD.WIDE.U32 R10, "}),
                          step = hexadecimal(one_of({"a", "b"}) == "a" ? 4 : 4 * (1 + below(40)));
        lines.push_back(wide + any() + ", " + step + ", c[0x0][" + one_of({"0x210", "0x218"}) + "]");
        if (below(3) == 0) {
          lines.push_back("IADD3 R10, P1, R10, " + one_of({hexadecimal(number()), any()}) + ", RZ");
          lines.push_back("IADD3.X R11, R11, " + one_of({"RZ", "-0x1", "R15"}) + ", RZ, P1, !PT");
          lines.insert(lines.end() - 2, "SHF.R.S32.HI R15, RZ, 0x1f, " + any());
        }
        lines.push_back(one_of({"LDG.E R12, desc[UR4][R10.64]", "STG.E desc[UR4][R10.64], R0",
                                "LDG.E R12, desc[UR4][R10.64+0x40]", "ATOMG.E.ADD PT, R12, desc[UR4][R10.64], R0"}));
        break;
      }
      case 9:
        lines.push_back("SHF.R." + one_of({"U32", "S32"}) + ".HI " + made() + ", RZ, " + hexadecimal(below(32)) + ", " +
                        any());
        break;
      case 10:
        lines.push_back("LOP3.LUT " + made() + ", " + any() + ", " + hexadecimal(number()) + ", RZ, " +
                        one_of({"0xc0", "0xfc", "0x3c"}) + ", !PT");
        break;
      case 11:
        lines.push_back("ISETP.LT.AND P2, PT, " + any() + ", " + any() + ", PT");
        lines.push_back("SEL " + made() + ", " + any() + ", " + any() + ", P2");
        break;
      case 12: {
        std::string const on = ".L_" + std::to_string(++labels);
        lines.push_back("ISETP.EQ.AND P3, PT, " + one_of({"R1", "R2", "R5"}) + ", " + hexadecimal(below(9)) + ", PT");
        lines.push_back("@P3 BRA `(" + on + ")");
        lines.push_back("IADD3 " + made() + ", " + any() + ", 0x20, RZ");
        lines.push_back(on + ":");
        break;
      }
      case 13:
        lines.push_back("IMAD " + made() + ", " + any() + ", " + one_of({any(), hexadecimal(number())}) + ", " + any());
        break;
      case 14:
        lines.push_back("LOP3.LUT R14, " + any() + ", 0x3fc, RZ, 0xc0, !PT"), lines.push_back("STS [R14], " + any());
        lines.push_back("LDS " + made() + ", [R14]");
        break;
      default:
        lines.push_back("SHFL.BFLY PT, " + made() + ", " + any() + ", 0x1, 0x1f");
    }
  lines.push_back("EXIT");
  return ".target sm_90\n.section .nv.info.k,\"\"@\n.section .nv.shared.k,\"aw\",@nobits\n.zero 4096\n"
         ".section .text.k,\"ax\",@progbits\n.text.k:\n" +
         coalescing_tests::sass_code(lines);
}

/// v0 is the thread's index, s8 to s10 that of the block. Steps write v1 to v3 and s11 to s13.
std::string of_amd() {
  std::string text = "k:\n\ts_load_dwordx4 s[4:7], s[0:1], 0x0\n";
  auto const line = [&text](std::string const& words) { text += "\t" + words + "\n"; };
  auto const v = [] { return "v" + std::to_string(below(4)); };
  auto const to = [] { return "v" + std::to_string(1 + below(3)); };
  auto const s = [] { return "s" + std::to_string(8 + below(6)); };
  bool const is_tame = below(3) != 0;
  auto const step = [is_tame] { return std::to_string(is_tame ? 16 * below(64) : number()); };
  for (char const* each : {"s11", "s12", "s13"})
    line("s_mul_i32 " + std::string(each) + ", " + one_of({"s2", "s3", "s4"}) + ", " + step());
  text.replace(text.find("s_mul"), 0, "s_mov_b32 s8, s2\n\ts_mov_b32 s9, s3\n\ts_mov_b32 s10, s4\n\t");
  for (unsigned k = 1; k != 4; ++k) line("v_add_u32_e32 v" + std::to_string(k) + ", " + s() + ", v0");
  unsigned labels = 0;
  for (unsigned k = 2 + below(9); k != 0; --k) switch (below(is_tame ? 8 : 14)) {
      case 0:
        line("v_add_u32_e32 " + to() + ", " + one_of({s(), std::to_string(number()), v()}) + ", " + v());
        break;
      case 1:
        line("v_lshlrev_b32_e32 " + to() + ", " + std::to_string(below(6)) + ", " + v());
        break;
      case 2:
      case 3:
      case 4:
        line(one_of({"global_load_dword v12, ", "global_load_dwordx2 v[12:13], "}) + v() + ", s[" +
             one_of({"4:5", "6:7"}) + "]" + one_of({"", " offset:16"}));
        break;
      case 5:
        line("v_ashrrev_i32_e32 v9, 31, v8"), line("v_lshlrev_b64 v[8:9], 2, v[8:9]");
        text.insert(text.rfind("\tv_ashrrev"), "\tv_mov_b32_e32 v8, " + v() + "\n");
        line("v_mov_b32_e32 v11, s5"), line("v_add_co_u32_e32 v10, vcc, s4, v8");
        line("v_addc_co_u32_e32 v11, vcc, v11, v9, vcc"), line("global_store_dword v[10:11], v0, off");
        break;
      case 6:
        line("v_cmp_" + one_of({"gt", "le", "ne"}) + one_of({"_u32", "_i32"}) + "_e32 vcc, " +
             one_of({s(), std::to_string(below(3000)), v()}) + ", " + v());
        line("s_and_saveexec_b64 s[14:15], vcc"), line("global_load_dword v12, " + v() + ", s[4:5]");
        line("s_or_b64 exec, exec, s[14:15]");
        break;
      case 7:
        line("s_add_i32 s12, " + s() + ", " + one_of({s(), std::to_string(number())}));
        break;
      case 8:
        line("v_mul_lo_u32 " + to() + ", " + v() + ", " + one_of({s(), v()}));
        break;
      case 9:
        line("v_" + one_of({"and", "or", "xor"}) + "_b32_e32 " + to() + ", " + one_of({s(), std::to_string(number())}) +
             ", " + v());
        break;
      case 10:
        line("v_" + one_of({"lshrrev_b32", "ashrrev_i32"}) + "_e32 " + to() + ", " + std::to_string(below(32)) + ", " +
             v());
        break;
      case 11: {
        std::string const on = ".LBB0_" + std::to_string(++labels);
        line("s_cmp_" + one_of({"lt_u32", "eq_u32"}) + " " + s() + ", " + std::to_string(below(40)));
        line("s_cbranch_scc1 " + on), line("v_add_u32_e32 " + to() + ", 64, " + v()), text += on + ":\n";
        break;
      }
      case 12:
        line("v_and_b32_e32 v12, 0x3fc, " + v()), line("ds_write_b32 v12, " + v());
        line("ds_read_b32 " + to() + ", v12");
        break;
      default:
        line("v_readfirstlane_b32 s13, " + v());
    }
  return text +
         "\ts_endpgm\n.Lfunc_end0:\n.amdhsa_kernel k\n\t.amdhsa_kernarg_size 16\n"
         "\t.amdhsa_group_segment_fixed_size 1024\n\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
         "\t.amdhsa_system_sgpr_workgroup_id_x 1\n\t.amdhsa_system_sgpr_workgroup_id_y 1\n"
         "\t.amdhsa_system_sgpr_workgroup_id_z 1\n.end_amdhsa_kernel\n";
}

struct asked {
  std::string words;  ///< the answer as JSON, or the sentence that refuses
  std::uint64_t blocks_run = 0;
};
asked answer_of(bool is_amd, std::string const& text, co::binary_launch const& launch) {
  try {
    co::binary_answer const answer =
        is_amd ? co::amdgcn::record("gfx942", text, launch) : co::sass::record("sm_90", text, launch);
    std::string words = co::json(answer) + (answer.sites.blocks_alike ? "alike" : "");
    for (co::site const& each : answer.sites)
      for (std::uint64_t const address : each.worst_access.address) words += " " + std::to_string(address);
    for (co::binary::global_array const& each : answer.buffers)
      for (std::uint64_t k = 0; k != each.bytes.size(); ++k) words += " " + std::to_string(each.bytes.final_byte(k));
    return {words, answer.blocks_run};
  } catch (co::binary_refused const& why) {
    return {why.what()};
  }
}

}  // namespace

int main(int count, char** arguments) {
  int const kernels = count < 2 ? 0 : std::atoi(arguments[1]);
  bool const breaks = count == 3 && std::strcmp(arguments[2], "--break") == 0;
  std::uint64_t differ = 0, answered = 0, blocks = 0, blocks_run = 0, shared = 0;
  for (int k = 0; k != 2 * kernels; ++k) {
    bool const is_amd = k % 2 != 0;
    std::string const text = is_amd ? of_amd() : of_nvidia();
    co::binary_launch launch;
    launch.block = {1 + below(3) * 31 + below(3)};
    launch.grid = {1 + below(40), below(2) == 0 ? 1 : 1 + below(6), below(4) == 0 ? 1 + below(3) : 1};
    std::vector<unsigned char> const contents(below(4) == 0 ? 4096 : 0, 1);
    launch.arguments = {co::binary_argument::pointer(),
                        co::binary_argument::buffer(1 + (engine() >> (24 + below(20))))};
    if (!contents.empty()) launch.arguments[0] = co::binary_argument::buffer(std::uint64_t{1} << 20, contents);
    co::binary_launch each = launch;
    std::uint64_t const all = co::detail::count_of(launch.grid);
    for (std::uint64_t n = 0; n != all; ++n) each.blocks.push_back(co::detail::place_of(n, launch.grid));
    if (breaks && all > 1) each.blocks.pop_back();
    launch.every_block = true;
    asked const one = answer_of(is_amd, text, each), together = answer_of(is_amd, text, launch);
    launch.jobs = 3;
    asked const threads = answer_of(is_amd, text, launch);
    each.jobs = 2;
    asked const named = answer_of(is_amd, text, each);
    if (together.words != one.words || threads.words != one.words || named.words != one.words) {
      if (++differ < 3 && !breaks)
        std::printf("%s\n%s\n%s\n%s\n", text.c_str(), one.words.c_str(), together.words.c_str(), threads.words.c_str());
    }
    if (one.blocks_run == 0) continue;
    ++answered, blocks += all, blocks_run += together.blocks_run, shared += together.blocks_run < all;
  }
  std::printf("%d kernels, %llu answered, %llu with equal blocks; %llu of %llu blocks ran; %llu differ\n", 2 * kernels,
              static_cast<unsigned long long>(answered), static_cast<unsigned long long>(shared),
              static_cast<unsigned long long>(blocks_run), static_cast<unsigned long long>(blocks),
              static_cast<unsigned long long>(differ));
  return differ != 0 || 4 * shared < answered || 2 * answered < static_cast<unsigned>(kernels);
}
