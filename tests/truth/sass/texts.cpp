// SPDX-License-Identifier: BSL-1.0
// Texts made by hand: what they cost by hand, what depends on data, what is refused and in which words. texts TEXT cuts
// and changes that text: an error, never a crash.
#include <coalesce/record/sass.hpp>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

namespace co = coalescing;
using co::binary_argument;

namespace {

unsigned failures = 0;
void expect(bool is, char const* what, std::string const& found = "") {
  if (!is) ++failures, std::printf("%s %s\n", what, found.c_str());
}
/// A kernel of these instructions, one a line.
std::string kernel(std::string const& code) {
  std::string all = ".target sm_90\n.text.made:\n";
  std::stringstream lines(code);
  unsigned offset = 0;
  for (std::string line; std::getline(lines, line); offset += 16) {
    char digits[16];
    std::snprintf(digits, sizeof(digits), "/*%04x*/ ", offset);
    all += digits + line + " ;\n";
  }
  return all;
}
/// Four parameters: a buffer of 4096 bytes with contents 0, 1, ...; one of 4096 bytes without; 5; 64 bits of 2.
co::binary_answer run(std::string const& text, unsigned threads = 32, std::uint64_t most = 100000) {
  co::binary_launch launch;
  std::vector<unsigned char> contents(4096);
  for (unsigned k = 0; k != 1024; ++k)
    contents[4 * k] = static_cast<unsigned char>(k), contents[4 * k + 1] = static_cast<unsigned char>(k >> 8);
  launch.block = {threads}, launch.most_instructions = most;
  launch.arguments = {binary_argument::buffer(4096, contents), binary_argument::buffer(4096), binary_argument::u32(5),
                      binary_argument::u64(2)};
  return co::sass::record<co::cuda::cc90>(text, launch);
}
void refuses(char const* words, std::string const& text, std::uint64_t most = 100000) {
  std::string found = "nothing";
  try {
    static_cast<void>(run(text, 32, most));
  } catch (co::binary_refused const& refused) {
    found = refused.what();
  }
  expect(found.find(words) != found.npos, words, "was expected, and not: " + found);
}

std::string const address = "LDC.64 R2, c[0x0][0x210]\nS2R R0, SR_TID.X\nIMAD.WIDE.U32 R2, R0, 0x4, R2\n";

void costs() {
  // 32 lanes, 4 bytes each, side by side: 128 bytes, 4 sectors of 32 bytes.
  auto const line = run(kernel(address + "LDG.E R4, desc[UR4][R2.64]\nSTS [R0.X4], R4\nEXIT"));
  expect(line.sites.size() == 2 && line.unknown.empty(), "a load and a store");
  expect(line.sites[0].cost.transactions == 4 && line.sites[0].cost.issued == 1, "4 sectors");
  expect(line.sites[1].cost.rounds == 1, "one round");
  // 128 bytes from lane to lane: all lanes in bank 0.
  auto const column = run(kernel("S2R R0, SR_TID.X\nSHF.L.U32 R0, R0, 0x7, RZ\nLDS R1, [R0]\nEXIT"));
  expect(column.sites.size() == 1 && column.sites[0].cost.rounds == 32, "32 rounds");
  // The predicate is true in lanes 0 to 4; PT inverted is true in none.
  auto const tail =
      run(kernel(address + "ISETP.LT.U32.AND P0, PT, R0, c[0x0][0x220], PT\n@P0 LDG.E R4, desc[UR4][R2.64]\n"
                           "@!PT LDS RZ, [RZ]\nEXIT"));
  expect(tail.sites.size() == 1 && tail.sites[0].cost.transactions == 1, "5 lanes, one sector");
}
/// The bits that a lane's atomic moves: its opcode names them, in several ways.
void widths_of_atomics() {
  struct {
    char const* opcode;
    unsigned bits;
    bool is_counted;
  } const rows[] = {{"RED.E.ADD.STRONG.GPU", 32, true},
                    {"REDG.E.ADD.F32.FTZ.RN.STRONG.GPU", 32, true},
                    {"REDG.E.ADD.F16x2.RN.STRONG.GPU", 32, true},
                    {"REDG.E.ADD.64.STRONG.GPU", 64, true},
                    {"RED.E.ADD.F64.RN.STRONG.GPU", 64, true},
                    {"RED.E.MAX.S64.STRONG.GPU", 64, true},
                    {"REDG.E.ADD.F16x4.RN.STRONG.GPU", 64, true},
                    {"REDG.E.ADD.F32x2.FTZ.RN.STRONG.GPU", 64, true},
                    {"REDG.E.ADD.BF16x8.RN.STRONG.GPU", 128, false},
                    {"REDG.E.ADD.F32x4.FTZ.RN.STRONG.GPU", 128, false}};
  for (auto const& row : rows) {
    auto const answer = run(kernel("LDC.64 R2, c[0x0][0x210]\nS2R R0, SR_TID.X\nIMAD.WIDE.U32 R2, R0, 0x10, R2\n" +
                                   std::string(row.opcode) + " desc[UR4][R2.64], R4\nEXIT"));
    expect(answer.sites.size() == 1 && answer.sites.begin()->bits == row.bits &&
               answer.sites.begin()->cost.is_counted == row.is_counted,
           "the width of", row.opcode);
  }
}
void depends_on_data() {
  // The second buffer has no contents: what is loaded from it steers an address, a predicate, a branch.
  std::string const unknown = "LDC.64 R2, c[0x0][0x218]\nLDG.E R4, desc[UR4][R2.64]\n";
  auto const at = run(kernel(unknown + "LDS R5, [R4]\nEXIT"));
  expect(at.sites.size() == 1 && at.unknown.size() == 1, "the load whose address is unknown");
  expect(at.unknown[0].why == "its address depends on data: line 4, LDG.E", "the reason:", at.unknown[0].why);
  auto const predicate = run(kernel(unknown + "ISETP.NE.AND P0, PT, R4, RZ, PT\n@P0 LDS R5, [RZ]\nEXIT"));
  expect(predicate.unknown.size() == 1, "the load whose predicate is unknown");
  auto const branch = run(kernel(unknown + "ISETP.NE.AND P0, PT, R4, RZ, PT\n@P0 BRA 0x50\nLDS R5, [RZ]\nEXIT"));
  expect(branch.unknown.size() == 2, "the branch that is unknown, and the load behind it");
  expect(branch.unknown[0].at.opcode == "BRA" && branch.unknown[0].issued == 1 &&
             branch.unknown[0].why == "warps end here: its predicate depends on data: line 4, LDG.E",
         "the reason:", branch.unknown[0].why);
  expect(branch.unknown[1].at.opcode == "LDS" && branch.unknown[1].issued == 0, "the load behind it");
  // Bits that do not depend on the data are known.
  auto const known = run(kernel(unknown + "LOP3.LUT R4, R4, 0x0, RZ, 0xc0, !PT\nLDS R5, [R4]\nEXIT"));
  expect(known.unknown.empty() && known.sites.size() == 2, "data AND 0 is 0");
  auto const matrix = run(kernel("HGMMA.64x64x16.F32 R24, gdesc[UR4], R24\nEXIT"));
  expect(matrix.unknown.size() == 1, "a matrix instruction that reads shared memory");
  auto const bfloat = run(kernel("HFMA2.BF16_V2 R4, -RZ, RZ, 1, 1\nLDS R5, [R4]\nEXIT"));
  expect(bfloat.unknown.size() == 1, "a number of bfloat16 is data");
  auto const passed = run(kernel("FROB R4, R5\nEXIT"));
  expect(passed.passed_over == 1 && passed.unknown.empty(), "an opcode that feeds nothing");
}
/// A barrier of two warps shows a write of the first one to the second one, and not to the third one.
void barriers_of_a_part() {
  std::string const code =
      "S2R R0, SR_TID.X\nSHF.R.U32.HI R1, RZ, 0x5, R0\nISETP.NE.AND P0, PT, R1, RZ, PT\nMOV R6, 0x40\n"
      "ISETP.LT.U32.AND P1, PT, R1, 0x2, PT\n@!P0 STS [RZ], R6\n@P1 BAR.SYNC 0x1, 0x40\nLDS R4, [RZ]\nLDS R5, "
      "[R4]\nEXIT";
  auto const part = run(kernel(code), 96);
  expect(part.unknown.size() == 1 && part.unknown[0].issued == 1, "the third warp sees no write of the first one");
  std::uint64_t issued = 0;
  for (co::site const& s : part.sites)
    if (s.offset == 0x80) issued = s.cost.issued;
  expect(issued == 2, "the first and the second warp do");
  // Where the write comes behind the arrival, the load of the second warp does not see it.
  auto const late = run(kernel("S2R R0, SR_TID.X\nSHF.R.U32.HI R1, RZ, 0x5, R0\nISETP.NE.AND P0, PT, R1, RZ, PT\n"
                               "MOV R6, 0x40\n@!P0 BAR.ARV 0x1, 0x40\n@!P0 STS [RZ], R6\n@P0 BAR.SYNC 0x1, 0x40\n"
                               "LDS R4, [RZ]\nLDS R5, [R4]\nEXIT"),
                        64);
  expect(late.unknown.size() == 1 && late.unknown[0].issued == 1, "a write behind the arrival is not ordered");
  // An atomic leaves a value that is unknown, even to its own warp.
  auto const atomic =
      run(kernel("STS [RZ], RZ\nATOMS.ADD R3, [RZ], R0\nLDS R4, [RZ]\nLDS R5, [R4]\nLDS R5, [R3]\nEXIT"));
  expect(atomic.unknown.size() == 2 && atomic.sites.size() == 3, "what an atomic leaves and returns is unknown");
}
/// One kernel as several options of the disassemblers print it.
void other_texts() {
  char const* const texts[] = {
      // nvdisasm -c
      "\t.target\tsm_90\n\t.section\t.text.k,\"ax\",@progbits\nk:\n.text.k:\n"
      "        /*0000*/                   S2R R0, SR_TID.X ;\n        /*0010*/                   STS.U8 [R0], RZ ;\n"
      "        /*0020*/                   EXIT ;\n.L_x_0:\n        /*0030*/                   BRA `(.L_x_0);\n",
      // nvdisasm -c -hex
      "\t.target\tsm_90\n\t.section\t.text.k,\"ax\",@progbits\nk:\n.text.k:\n"
      "        /*0000*/                   S2R R0, SR_TID.X ;       /* 0x0000000000007919 */\n"
      "                                                            /* 0x000e2e0000002100 */\n"
      "        /*0010*/                   STS.U8 [R0], RZ ;           /* 0x000000ff00007388 */\n"
      "                                                            /* 0x0001e20000000800 */\n"
      "        /*0020*/                   EXIT ;                   /* 0x000000000000794d */\n",
      // nvdisasm -c -gi
      "\t.target\tsm_90a\n.text.k:\n\t//## File \"/k.cu\", line 7\n        /*0000*/   S2R R0, SR_TID.X ;\n"
      "\t//## File \"/k.cu\", line 8\n        /*0010*/   STS.U8 [R0], RZ ;\n        /*0020*/   EXIT ;\n",
      // cuobjdump -sass
      "\n\tcode for sm_90\n\t.target\tsm_90\n\n\t\tFunction : k\n\t.headerflags\t@\"EF_CUDA_SM90\"\r\n"
      "        /*0000*/                   S2R R0, SR_TID.X ;       /* 0x0000000000007919 */\n"
      "                                                            /* 0x000e2e0000002100 */\n"
      "        /*0010*/                   STS.U8 [R0], RZ ;           /* 0x000000ff00007388 */\n"
      "        /*0020*/                   EXIT ;                   /* 0x000000000000794d */\n\t\t..........\n"};
  for (char const* text : texts) {
    auto const answer = run(text);
    expect(answer.sites.size() == 1 && answer.sites.stores("shared").rounds == 1, "the store of", text);
  }
  refuses("This is like PTX, which ptxas compiles", ".version 9.0\n.target sm_90\n.visible .entry k()\n{ ret; }\n");
  refuses("This is like what `nvdisasm -json` prints", "[{\"ELF\":{\"layout-id\":4}, \"SM\":{}}]");
  refuses("This is like what `nvdisasm -cfg` prints", "digraph f {\n node [fontname=\"Courier\"];\n}\n");
  refuses("This is like what `nvdisasm -plr` prints", ".text.k:     // |        |\n  /*0000*/ EXIT ;   // |  |\n");
  refuses("This is like what `cuobjdump -elf` prints", "64bit elf: type=2\n.nv.info.k\n");
  refuses("This is like the text of an AMD GPU", "\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\n");
  refuses("This is like the text of an AMD GPU", "0000 <k>:\n\ts_endpgm // 000: BF810000\n");
}
void refusals() {
  refuses(
      "line 3: the opcode FROB.X (or a form of it) is not in the tables, and its address depends on it: line 4, LDS",
      kernel("FROB.X R4, R5\nLDS R5, [R4]\nEXIT"));
  refuses("the opcode FROB (or a form of it) is not in the tables, and its predicate depends on it",
          kernel("FROB P0, PT, R5\n@P0 BRA 0x0\nEXIT"));
  // A form that the tables do not have may mean something else: two sums of 16 bits.
  refuses("the opcode VIADD.16x2 (or a form of it) is not in the tables, and its address depends on it: line 4, LDS",
          kernel("VIADD.16x2 R4, R0, R0\nLDS R5, [R4]\nEXIT"));
  refuses("the opcode PRMT.F4E (or a form of it)", kernel("PRMT.F4E R4, RZ, 0x1, RZ\nLDS R5, [R4]\nEXIT"));
  refuses("the opcode LEA.HI (or a form of it)", kernel("LEA.HI R4, -R0, RZ, RZ, 0x1\nLDS R5, [R4]\nEXIT"));
  refuses("the text has no kernel: it must be what", "hello\n");
  refuses("the text has no kernel: it must be what", "");
  refuses("line 3: the line is cut off", ".target sm_90\n.text.a:\n/*0000*/ EXIT\n");
  refuses("the text is of sm_80, and the machine is cc90", ".target sm_80\n.text.a:\n/*0000*/ EXIT ;\n");
  refuses("the text has 2 kernels: name one of them", kernel("EXIT") + ".text.other:\n/*0000*/ EXIT ;\n");
  refuses("which lies in no buffer: arg0 has 4096 bytes, and this is byte 4096",
          kernel("LDC.64 R2, c[0x0][0x210]\nLDG.E R4, desc[UR4][R2.64+0x1000]\nEXIT"));
  refuses("the kernel reads byte 35 of its parameters, and the launch has 32 bytes of them",
          kernel("LDC R2, c[0x0][0x230]\nEXIT"));
  refuses("warps wait at a barrier in vain: barrier 1 has 32 threads of 64", kernel("BAR.SYNC 0x1, 0x40\nEXIT"));
  refuses("warps wait at a barrier in vain: barrier 0 has 16 threads, and not all of the block",
          kernel("S2R R0, SR_TID.X\nISETP.LT.U32.AND P0, PT, R0, 0x10, PT\n@P0 BAR.SYNC 0x0\nBAR.SYNC 0x1\nEXIT"));
  refuses("BAR.SCAN: this form of a barrier is not followed", kernel("BAR.SCAN 0x0\nEXIT"));
  refuses("BAR.ARV: this form of a barrier is not followed", kernel("BAR.ARV 0x1\nEXIT"));
  refuses("BAR.SYNC: this form of a barrier is not followed", kernel("BAR.SYNC R4, R5\nEXIT"));
  refuses("executes more than 1000 instructions: a loop without an end?", kernel("BRA 0x0\nEXIT"), 1000);
  refuses("a warp runs past the end of the kernel: is EXIT missing?", kernel("NOP"));
  refuses("the address has a form that is not known", kernel("LDS R0, [Q7]\nEXIT"));
  refuses("lane 0 accesses byte 1048576 of shared memory", kernel("LDS R0, [RZ+0x100000]\nEXIT"));
}

/// Cut at any byte, or with bytes changed: an answer or an error.
void garbled(std::string const& text) {
  std::mt19937 random(28);
  unsigned answered = 0, refused = 0;
  for (unsigned k = 0; k != 400; ++k) {
    std::string changed = text.substr(0, k % 2 == 0 ? text.size() : random() % text.size());
    for (unsigned n = 0; n != k % 7 && !changed.empty(); ++n)
      changed[random() % changed.size()] = static_cast<char>(32 + random() % 95);
    try {
      static_cast<void>(run(changed, 64, 3000)), ++answered;
    } catch (co::binary_refused const&) {
      ++refused;
    }
  }
  expect(answered != 0 && refused != 0, "some garbled texts are answered, and some refused");
}

}  // namespace

int main(int count, char** arguments) {
  costs(), widths_of_atomics(), barriers_of_a_part(), other_texts(), depends_on_data(), refusals();
  if (count > 1) {
    std::ifstream file(arguments[1]);
    std::stringstream text;
    text << file.rdbuf();
    // The kernel `copy` alone: its three parameters begin as those of run do.
    std::string const all = text.str();
    auto const from = all.find(".text._Z4copy"), to = all.find(".section", from);
    garbled(".target sm_90\n" + all.substr(from, to - from));
  }
  std::printf("%u failures\n", failures);
  return failures == 0 ? 0 : 1;
}
