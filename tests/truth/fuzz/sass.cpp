// SPDX-License-Identifier: BSL-1.0
//
// Kernels in NVIDIA's text, whole and damaged: what they store and how many instructions access memory, as steps
// evaluated thread by thread; an answer that blanks and comments leave alone; a sentence, never a crash.
#include <coalesce/host/binary/nvidia.hpp>

#include "host/binary/nvidia/written.hpp"
#include "truth/fuzz/binaries.hpp"

#include <cstdio>

namespace {

using namespace coalescing_tests;
namespace co = coalescing;
using co::cuda::cc90;

std::string numbered(char const* name, unsigned number) { return name + std::to_string(number); }
/// A step that not every target has. The buffer at c[0x0][0x220] has no contents; c[0x0][0x228] is the number to divide
/// by.
std::vector<std::string> special_lines(kernel_step const& s, unsigned& labels) {
  using special = kernel_step::special;
  std::string const to = numbered("R", s.to + 2), a = numbered("R", s.a + 2), b = numbered("R", s.b + 2),
                    c = numbered("R", s.c + 2), by = "c[0x0][0x228]";
  auto const label = [&labels] { return numbered(".LS_", ++labels); };
  auto const go = [](std::string const& on) { return "BRA `(" + on + ")"; };
  switch (s.how) {
    case special::none:
      break;
    case special::data_branch: {
      std::string const on = label(), other = label();
      return {"ISETP.LT.U32.AND P3, PT, R0, 0x40, PT",
              "@P3 " + go(on),
              "LDC.64 R10, c[0x0][0x220]",
              "LDG.E R8, desc[UR4][R10.64]",
              "ISETP.EQ.AND P4, PT, R8, 0x7, PT",
              "@P4 " + go(other),
              "BRX R8 -0x10",
              other + ":",
              "BRX R8 -0x10",
              on + ":"};
    }
    case special::quiet_branch: {
      std::string const on = label();
      return {"LDC.64 R10, c[0x0][0x220]",
              "LDG.E R8, desc[UR4][R10.64]",
              "ISETP.EQ.AND P4, PT, R8, 0x7, PT",
              "BSSY B0, `(" + on + ")",
              "@P4 " + go(on),
              "MOV R8, 0x1",
              on + ":",
              "BSYNC B0"};
    }
    case special::far_branch: {
      static constexpr char const* ends[] = {"BRX R8 -0x10",          "BRXU UR8 -0x10", "CALL.ABS.NOINC R8",
                                             "RET.ABS.NODEC R8 `(k)", "JMX R8",         "BPT.TRAP 0x1",
                                             "FROB P4, `(k)"};
      std::string const on = label();
      return {"ISETP.GE.U32.AND P3, PT, R0, 0x40, PT", "@P3 " + go(on), ends[s.number % 7], on + ":"};
    }
    case special::choose_by_wave: {
      std::string const first = label(), second = label(), on = label();
      return {"SHF.R.U32.HI R8, RZ, 0x5, R0",
              "ISETP.EQ.AND P3, PT, R8, RZ, PT",
              "@P3 " + go(first),
              "ISETP.EQ.AND P3, PT, R8, 0x1, PT",
              "@P3 " + go(second),
              "IADD3 " + to + ", " + c + ", 0x1, RZ",
              go(on),
              first + ":",
              "MOV " + to + ", " + a,
              go(on),
              second + ":",
              "MOV " + to + ", " + b,
              on + ":"};
    }
    case special::divide:  // as nvcc divides integers of 32 bits
      return {"I2F.U32.RP R8, " + by,
              "MUFU.RCP R8, R8",
              "IADD3 R8, R8, 0xffffffe, RZ",
              "F2I.FTZ.U32.TRUNC.NTZ R9, R8",
              "IMAD.MOV.U32 R8, RZ, RZ, RZ",
              "IADD3 R10, RZ, -R9, RZ",
              "IMAD R10, R10, " + by + ", RZ",
              "IMAD.HI.U32 R10, R9, R10, R8",
              "IMAD.HI.U32 R10, R10, " + a + ", RZ",
              "IADD3 R11, RZ, -R10, RZ",
              "IMAD R11, R11, " + by + ", " + a,
              "ISETP.GE.U32.AND P3, PT, R11, " + by + ", PT",
              "@P3 IADD3 R11, R11, -" + by + ", RZ",
              "@P3 IADD3 R10, R10, 0x1, RZ",
              "ISETP.GE.U32.AND P3, PT, R11, " + by + ", PT",
              "@P3 IADD3 R10, R10, 0x1, RZ",
              "MOV " + to + ", R10"};
    case special::unlisted:
      switch (s.number % 5) {
        case 0:
          return {"FROB R12, " + a};
        case 1:
          return {"FROB P5, PT, R12, " + a, "@P5 IADD3 R13, R13, 0x1, RZ"};
        case 2:
          return {"ISETP.LT.AND P4, PT, " + a + ", " + b + ", PT", "@P4 MATCH.ANY R12, " + a};
        case 3:
          return {"ISETP.LT.AND P4, PT, " + a + ", " + b + ", PT", "@!P4 FROB P5, R12, " + a, "FADD R13, R12, R12"};
        default:
          return {"REDUX UR8, " + a};
      }
    case special::indexed_write:
    case special::indexed_read: {  // as ptxas keeps an array in registers
      bool const writes = s.how == special::indexed_write;
      std::vector<std::string> lines = {"MOV R8, 0x" + std::to_string(s.number % kernel_registers), "MOV R9, " + a};
      for (unsigned k = 0; k != kernel_registers; ++k) {
        lines.push_back("ISETP.EQ.AND P3, PT, R8, 0x" + std::to_string(k) + ", PT");
        lines.push_back("@P3 MOV " + (writes ? numbered("R", k + 2) + ", R9" : "R9, " + numbered("R", k + 2)));
      }
      if (!writes) lines.push_back("MOV " + to + ", R9");
      return lines;
    }
  }
  return {};
}

/// Thread t's registers are R2 to R7. R0 is t, R1 is 4 t, R19 is 4, R8 to R15 are temporary.
std::vector<std::string> lines_of(kernel_steps const& steps) {
  using op = kernel_step::op;
  std::vector<std::string> lines = {"S2R R0, SR_TID.X", "ULDC.64 UR4, c[0x0][0x208]", "IMAD.SHL.U32 R1, R0, 0x4, RZ",
                                    "IMAD.MOV.U32 R19, RZ, RZ, 0x4"};
  char words[128];
  for (unsigned k = 0; k != kernel_registers; ++k) {
    std::snprintf(words, sizeof words, "IMAD R%u, R0, 0x%x, RZ", k + 2, k + 1);
    lines.push_back(words);
  }
  unsigned loops = 0, labels = 0;
  std::string guard;
  auto const say = [&](char const* line) { lines.push_back(guard + line); };
  auto const put = [&](char const* format, auto... of) {
    std::snprintf(words, sizeof words, format, of...), say(words);
  };
  for (kernel_step const& s : steps) {
    unsigned const to = s.to + 2, a = s.a + 2, b = s.b + 2, c = s.c + 2;
    if (s.how != kernel_step::special::none) {
      for (std::string const& line : special_lines(s, labels)) lines.push_back(line);
      continue;
    }
    switch (s.does) {
      case op::add:
        put("IADD3 R%u, R%u, R%u, RZ", to, a, b);
        break;
      case op::sub:
        put("IADD3 R%u, R%u, -R%u, RZ", to, a, b);
        break;
      case op::mul:
        put("IMAD R%u, R%u, R%u, RZ", to, a, b);
        break;
      case op::conjunction:
        put("LOP3.LUT R%u, R%u, R%u, RZ, 0xc0, !PT", to, a, b);
        break;
      case op::disjunction:
        put("LOP3.LUT R%u, R%u, R%u, RZ, 0xfc, !PT", to, a, b);
        break;
      case op::exclusive:
        put("LOP3.LUT R%u, R%u, R%u, RZ, 0x3c, !PT", to, a, b);
        break;
      case op::left:
        put("LOP3.LUT R8, R%u, 0x1f, RZ, 0xc0, !PT", b), put("SHF.L.U32 R%u, R%u, R8, RZ", to, a);
        break;
      case op::right:
        put("LOP3.LUT R8, R%u, 0x1f, RZ, 0xc0, !PT", b), put("SHF.R.U32.HI R%u, RZ, R8, R%u", to, a);
        break;
      case op::least:
        put("IMNMX.U32 R%u, R%u, R%u, PT", to, a, b);
        break;
      case op::most:
        put("IMNMX.U32 R%u, R%u, R%u, !PT", to, a, b);
        break;
      case op::constant:
        put("IMAD.MOV.U32 R%u, RZ, RZ, 0x%x", to, s.number);
        break;
      case op::choose:
        put("ISETP.LT.U32.AND P0, PT, R%u, R%u, PT", b, c), put("SEL R%u, R%u, R%u, P0", to, a, to);
        break;
      case op::load:
        put("LOP3.LUT R8, R%u, 0xff, RZ, 0xc0, !PT", a), say("IMAD.WIDE.U32 R10, R8, R19, c[0x0][0x210]");
        put("LDG.E R%u, desc[UR4][R10.64]", to);
        break;
      case op::store:
        put("IADD3 R8, R0, 0x%x, RZ", kernel_threads * s.number), say("IMAD.WIDE.U32 R10, R8, R19, c[0x0][0x218]");
        put("STG.E desc[UR4][R10.64], R%u", a);
        break;
      case op::exchange:
        put("STS [R1], R%u", a), say("BAR.SYNC.DEFER_BLOCKING 0x0");
        put("LOP3.LUT R8, R1, 0x%x, RZ, 0x3c, !PT", 4 * s.number), put("LDS R%u, [R8]", to);
        say("BAR.SYNC.DEFER_BLOCKING 0x0");
        break;
      case op::begin_if:
        put("ISETP.LT.U32.AND P1, PT, R%u, R%u, PT", a, b), guard = "@P1 ";
        break;
      case op::end_if:
        guard.clear();
        break;
      case op::begin_loop:
        put("IMAD.MOV.U32 R20, RZ, RZ, 0x%x", s.number), put(".L_%u:", ++loops);
        break;
      case op::end_loop:
        say("IADD3 R20, R20, -0x1, RZ"), say("ISETP.NE.AND P2, PT, R20, RZ, PT");
        put("@P2 BRA `(.L_%u)", loops);
        break;
    }
  }
  lines.push_back("EXIT");
  return lines;
}

std::string written(kernel_steps const& steps, fuzz_input& in) {
  std::string const head = in.one_in(2) ? ".target sm_90\n.section .text.k,\"ax\",@progbits\n.text.k:\n"
                                        : "\t\tcode for sm_90\n\t\tFunction : k\n\t.headerflags\t@\"EF_CUDA_SM90\"\n";
  return head + coalescing_tests::sass_code(lines_of(steps));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  auto const record = [](std::string const& text, co::binary_launch const& launch) {
    return co::sass::record<cc90>(text, launch);
  };
  static std::vector<std::string_view> const words = {"RZ",
                                                      "PT",
                                                      "!PT",
                                                      "R255",
                                                      "R999",
                                                      "UR4",
                                                      "UP0",
                                                      "SR_CLOCKLO",
                                                      "c[0x0][RZ]",
                                                      "c[0x0][0xffff]",
                                                      "c[0x3][R2]",
                                                      "0x7fffffffffffffff",
                                                      "-0x1",
                                                      "[R2+UR4+0x10]",
                                                      "[R2.X16]",
                                                      "desc[UR4][R2.64+-0x4]",
                                                      "R2.reuse",
                                                      "-R3",
                                                      "~R3",
                                                      "|R3|",
                                                      "1.5",
                                                      "+INF",
                                                      "`(.L_1)",
                                                      "`(k)",
                                                      "B0",
                                                      "PR",
                                                      "@!P0 ",
                                                      "@UP0 ",
                                                      "@!PT ",
                                                      "HFMA2.MMA R2, -RZ, RZ, 0, 2",
                                                      "LEA.HI.X R2, R3, R4, R5, 0x1f, P0",
                                                      "LOP3.LUT P0, R2, R3, 0x7, R4, 0xe8, !PT",
                                                      "IADD3 R2, P0, P1, R3, R4, R5",
                                                      "IADD3.X R2, R3, R4, R5, P0, P1",
                                                      "P2R R2, PR, RZ, 0x7f",
                                                      "R2P PR, R2, 0x7f",
                                                      "PRMT R2, R3, 0xba98, R4",
                                                      "SHFL.BFLY PT, R2, R3, 0x1f, 0x1f",
                                                      "VOTE.ALL R2, PT, P0",
                                                      "BSSY B0, `(.L_1)",
                                                      "BSYNC B0",
                                                      "WARPSYNC 0xffff",
                                                      "BRX R2 -0x10",
                                                      "CALL.REL.NOINC `(k)",
                                                      "RET.REL.NODEC R2 `(k)",
                                                      "LDG.E.128 R4, desc[UR4][R2.64]",
                                                      "LDGSTS.E.128 [R2], desc[UR4][R4.64]",
                                                      "LDSM.16.M88.4 R4, [R2]",
                                                      "ATOMG.E.ADD PT, R2, desc[UR4][R2.64], R3",
                                                      "RED.E.ADD desc[UR4][R2.64], R3",
                                                      "STL [R1], R2",
                                                      "HGMMA.64x64x16.F32 R24, gdesc[UR4], R24",
                                                      "LDTM R2, tmem[UR4]",
                                                      "UBLKCP [UR4], [UR6], UR8",
                                                      "EXIT",
                                                      ".L_1:",
                                                      "NOP",
                                                      "WARPSYNC.ALL",
                                                      "BAR.SYNC 0x1, 0x40",
                                                      "MUFU.RCP R2, R3",
                                                      "BRX R2 -0x10 (*\"BRANCH_TARGETS .L_1,.L_2\"*)",
                                                      "HMMA.16816.F32 R2, R4, R8, R12",
                                                      "I2F.F64.S64 R2, R4",
                                                      "LDL.64 R2, [R1]",
                                                      "STAS [R2.U32+UR5], R4",
                                                      "FROB R2, [R4]",
                                                      "FROB PR, R2",
                                                      "UR2UP UPR, UR4, 0x7f",
                                                      "SYNCS.EXCH.64 URZ, [UR4], UR6"};
  ask<cc90>(data, size, 32, record, written, " // a note", words, true);
  return 0;
}
