// SPDX-License-Identifier: BSL-1.0
// Texts made by hand: what they cost by hand, what depends on data, what is refused and in which words. texts TEXT cuts
// and changes that text: an error, never a crash.
#include <coalesce/host/binary/nvidia.hpp>

#include "written.hpp"

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace co = coalescing;
using co::binary_argument;

namespace {

unsigned failures = 0;
void expect(bool is, char const* what, std::string const& found = "") {
  if (!is) ++failures, std::printf("%s %s\n", what, found.c_str());
}
/// A kernel of these instructions, one a line; a line with a colon at the end is a label.
std::string kernel(std::string const& code) {
  return ".target sm_90\n.text.made:\n" + coalescing_tests::sass_code(code);
}
/// Four parameters: a buffer of 4096 bytes with contents 0, 1, ...; one of 4096 bytes without; 5; 64 bits of 2.
template <class Machine = co::cuda::cc90>
co::binary_answer run(std::string const& text, unsigned threads = 32, std::uint64_t most = 100000) {
  co::binary_launch launch;
  std::vector<unsigned char> contents(4096);
  for (unsigned k = 0; k != 1024; ++k)
    contents[4 * k] = static_cast<unsigned char>(k), contents[4 * k + 1] = static_cast<unsigned char>(k >> 8);
  launch.block = {threads}, launch.most_instructions = most;
  launch.arguments = {binary_argument::buffer(4096, contents), binary_argument::buffer(4096), binary_argument::u32(5),
                      binary_argument::u64(2)};
  return co::sass::record<Machine>(text, launch);
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
                    {"REDG.E.ADD.BF16x4.RN.STRONG.GPU", 64, true},
                    {"REDG.E.ADD.F32x2.FTZ.RN.STRONG.GPU", 64, true},
                    {"REDG.E.ADD.F16x8.RN.STRONG.GPU", 128, false},
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
std::size_t bounds_in(co::binary_answer const& answer) {
  std::size_t all = 0;
  for (co::site const& s : answer.sites) all += s.at_most;
  return all;
}
/// Whether all accesses have a number, and only this one is a bound.
bool is_bound(co::binary_answer const& answer, std::size_t which) {
  bool fits = answer.unknown.empty() && which < answer.sites.size();
  for (std::size_t k = 0; k != answer.sites.size(); ++k) fits = fits && answer.sites[k].at_most == (k == which);
  return fits;
}
void depends_on_data() {
  // The second buffer has no contents: what is loaded from it steers an address, a predicate, a branch.
  std::string const unknown = "LDC.64 R2, c[0x0][0x218]\nLDG.E R4, desc[UR4][R2.64]\n";
  // All lanes load one word of shared memory, whichever it is: one round.
  auto const at = run(kernel(unknown + "LDS R5, [R4]\nEXIT"));
  expect(is_bound(at, 1) && at.sites[1].cost.rounds == 1, "the load whose address is unknown");
  auto const lanes = run(kernel(unknown + "S2R R0, SR_TID.X\nLEA R4, R0, R4, 0x3\nLDS R5, [R4]\nEXIT"));
  expect(is_bound(lanes, 1) && lanes.sites[1].cost.rounds == 2, "lanes 8 bytes apart, at an unknown address");
  auto const predicate = run(kernel(unknown + "ISETP.NE.AND P0, PT, R4, RZ, PT\n@P0 LDS R5, [RZ]\nEXIT"));
  expect(is_bound(predicate, 1) && predicate.assumed.empty(), "the load whose predicate is unknown");
  auto const branch = run(kernel(unknown + "ISETP.NE.AND P0, PT, R4, RZ, PT\n@P0 BRA 0x50\nLDS R5, [RZ]\nEXIT"));
  expect(is_bound(branch, 1), "the load after a branch that is unknown");
  expect(branch.unchecked.find("the text does not state the kernel's blocks") == 0, "code alone states no launches");
  expect(branch.assumed.size() == 1 &&
             branch.assumed[0] == "line 6, BRA: which way is taken depends on data: line 4, LDG.E",
         "what the bound rests on:", branch.assumed.empty() ? "" : branch.assumed[0]);
  // Bits that do not depend on the data are known.
  auto const known = run(kernel(unknown + "LOP3.LUT R4, R4, 0x0, RZ, 0xc0, !PT\nLDS R5, [R4]\nEXIT"));
  expect(known.unknown.empty() && known.sites.size() == 2, "data AND 0 is 0");
  auto const matrix = run(kernel("HGMMA.64x64x16.F32 R24, gdesc[UR4], R24\nEXIT"));
  expect(matrix.unknown.size() == 1, "a matrix instruction that reads shared memory");
  auto const bfloat = run(kernel("HFMA2.BF16_V2 R4, -RZ, RZ, 1, 1\nLDS R5, [R4]\nEXIT"));
  expect(is_bound(bfloat, 0) && bfloat.sites[0].cost.rounds == 32, "a number of bfloat16 is data");
  auto const passed = run(kernel("FROB R4, R5\nEXIT"));
  expect(passed.passed_over == 1 && passed.unknown.empty(), "an opcode that feeds nothing");
  // It writes one register, if its name and parts do not say more.
  auto const beside = run(kernel("MOV R5, 0x40\nFROB R4, R6\nLDS R7, [R5]\nEXIT"));
  expect(beside.sites.size() == 1 && bounds_in(beside) == 0 && beside.unknown.empty(),
         "the register beside its result");
  for (char const* wide : {"FROB.64", "FROB.F64", "FROB2", "DFROB", "FROB.WIDE", "FROBMMA"})
    refuses("not in the tables, and its address depends on it: line 5, LDS",
            kernel("MOV R5, 0x40\n" + std::string(wide) + " R4, R6\nLDS R7, [R5]\nEXIT"));
}
/// A switch of two cases: the even lanes store 4 bytes apart, the odd ones 8. `index`: what puts the case into R1.
std::string switched(std::string const& index, std::string const& table) {
  return (table.empty() ? ""
                        : ".section .nv.constant2.made,\"a\",@progbits\n.nv.constant2.made:\n/*0000*/ .byte " + table +
                              "\n.section .text.made,\"ax\",@progbits\n") +
         kernel(address + index +
                "SHF.L.U32 R1, R1, 0x2, RZ\n"
                "LDC R4, c[0x2][R1]\n"
                "BRX R4 -0x80       (*\"BRANCH_TARGETS .L_x_1,.L_x_2\"*)\n"
                ".L_x_1:\nSTG.E desc[UR4][R2.64], RZ\nEXIT\n"
                ".L_x_2:\nIMAD.WIDE.U32 R2, R0, 0x4, R2\nSTG.E desc[UR4][R2.64], RZ\nEXIT");
}
void jump_tables() {
  std::string const by_lane = "LOP3.LUT R1, R0, 0x1, RZ, 0xc0, !PT\nNOP\n",
                    by_data = "LDG.E R1, desc[UR4][R2.64]\nLOP3.LUT R1, R1, 0x1, RZ, 0xc0, !PT\n",
                    table = "0x80, 0x00, 0x00, 0x00, 0xa0, 0x00, 0x00, 0x00";
  auto const known = run(switched(by_lane, table));
  expect(known.unknown.empty() && known.sites.size() == 2 && bounds_in(known) == 0 && known.assumed.empty(),
         "each lane goes to its case");
  expect(known.sites[0].cost.transactions == 4 && known.sites[0].cost.bytes_used == 64 &&
             known.sites[1].cost.transactions == 8,
         "the stores of the cases");
  auto const no_table = run(switched(by_lane, ""));
  expect(no_table.unknown.empty() && no_table.sites.size() == 2 && bounds_in(no_table) == 2 &&
             no_table.sites[0].cost.bytes_used == 128 && no_table.assumed.size() == 1 &&
             no_table.assumed[0].find("BRX: which way is taken") != std::string::npos,
         "without a table each lane may go to each case");
  std::string data = switched(by_data, table);
  data.replace(data.find("c[0x0][0x210]"), 13, "c[0x0][0x218]");
  expect(bounds_in(run(data)) == 2 && run(data).unknown.empty(), "a case that depends on data");
  auto const elsewhere = run(switched(by_lane, "0x80, 0x00, 0x00, 0x00, 0x90, 0x00, 0x00, 0x00"));
  expect(elsewhere.unknown.size() == 3 && elsewhere.unknown[0].at.opcode == std::string("BRX") &&
             elsewhere.unknown[0].why == "warps end here: its target is none of those that the text names",
         "a table that leads elsewhere");
}
/// Two branches on data lead to one routine, and nothing brings the lanes together between them.
void routines() {
  auto const calls = [](std::string const& second, std::string const& within = "") {
    return run(
        kernel("S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x218]\nIMAD.WIDE.U32 R2, R0, 0x4, R2\n"
               "LDG.E R4, desc[UR4][R2.64]\nISETP.NE.AND P0, PT, R4, RZ, PT\n@P0 BRA `(.L_x_1)\n"
               "MOV R8, 0x80\nCALL.REL.NOINC `(slow)\n"
               ".L_x_1:\nISETP.GT.AND P1, PT, R4, 0x5, PT\n@P1 BRA `(.L_x_2)\n" +
               second +
               "CALL.REL.NOINC `(slow)\n"
               ".L_x_2:\nSTG.E desc[UR4][R2.64], R4\nEXIT\n"
               "slow:\nFADD R9, R9, R9\n" +
               within + "MOV R9, RZ\nRET.REL.NODEC R8 `(made)"));
  };
  auto const both = calls("MOV R8, 0xc0\n");
  expect(both.unknown.empty() && both.sites.size() == 2, "a routine that two places call");
  auto const paused = calls("MOV R8, 0xc0\n", "BPT.INT 0x1\n");  // __brkpt()
  expect(paused.unknown.empty() && paused.sites.size() == 2, "and a routine goes on after a breakpoint");
  auto const lost = calls("MOV R8, R4\n");
  expect(!lost.unknown.empty() && lost.unknown[0].why == "warps end here: its target is not known",
         "a return to a place that depends on data");
}
/// A loop that data may end: after 100 rounds at most where a known condition ends it, too.
void loops() {
  auto const answer = [](std::string const& last) {
    return run(
        kernel("LDC.64 R2, c[0x0][0x218]\nMOV R6, RZ\n"
               ".L_x_1:\nLDG.E R4, desc[UR4][R2.64]\nISETP.NE.AND P0, PT, R4, RZ, PT\n@P0 BRA `(.L_x_2)\n"
               "IADD3 R6, R6, 0x1, RZ\nISETP.LT.AND P1, PT, R6, " +
               last + ", PT\n@P1 BRA `(.L_x_1)\n.L_x_2:\nEXIT"));
  };
  auto const counted = answer("0x64"), open = answer("R4");
  expect(is_bound(counted, 0) && counted.sites[0].per_iteration == 0 && counted.sites[0].cost.issued == 100,
         "a loop of at most 100 rounds");
  expect(is_bound(open, 0) && open.sites[0].per_iteration != 0, "a loop that data alone ends");
}
/// R7 is 8 after each exchange, so lane k loads word 8k: 8 rounds.
void exchanges() {
  struct {
    char const *what, *from;  // R6 of each lane
  } const rows[] = {{"REDUX.MIN UR8, R6\nMOV R7, UR8", "IADD3 R6, R0, 0x8, RZ"},
                    {"REDUX.MIN.S32 UR8, R6\nMOV R7, UR8", "IADD3 R6, R0, 0x8, RZ"},
                    {"REDUX.MAX.S32 UR8, R6\nMOV R7, UR8", "IADD3 R6, R0, -0x17, RZ"},
                    {"REDUX.OR UR8, R6\nMOV R7, UR8", "LOP3.LUT R6, R0, 0x8, RZ, 0xc0, !PT"},
                    {"REDUX UR8, R6\nMOV R7, UR8", "LOP3.LUT R6, R0, 0x8, RZ, 0xfc, !PT"},
                    {"REDUX.XOR UR8, R6\nMOV R7, UR8", "ISETP.EQ.AND P1, PT, R0, RZ, PT\nSEL R6, RZ, 0x8, !P1"},
                    {"REDUX.SUM UR8, R6\nMOV R7, UR8", "ISETP.LT.U32.AND P1, PT, R0, 0x8, PT\nSEL R6, RZ, 0x1, !P1"},
                    {"MATCH.ANY R6, R6\nPOPC R7, R6", "SHF.R.U32.HI R6, RZ, 0x3, R0"},
                    {"MATCH.ALL P1, R6, R6\nSEL R7, RZ, 0x8, !P1", "MOV R6, 0x3"}};
  for (auto const& row : rows) {
    auto const answer = run(kernel("S2R R0, SR_TID.X\n" + std::string(row.from) + "\n" + row.what +
                                   "\nIMAD R1, R0, R7, RZ\nLDS R5, [R1.X4]\nEXIT"));
    expect(answer.sites.size() == 1 && bounds_in(answer) == 0 && answer.sites[0].cost.rounds == 8, row.what);
  }
  auto const unequal = run(kernel(
      "S2R R0, SR_TID.X\nMATCH.ALL P1, R6, R0\nSEL R7, RZ, 0x8, !P1\nIMAD R1, R0, R7, RZ\nLDS R5, [R1.X4]\nEXIT"));
  expect(unequal.sites.size() == 1 && bounds_in(unequal) == 0 && unequal.sites[0].cost.rounds == 1,
         "MATCH.ALL of lanes");
  // Whether a lane takes part depends on data; and a form without a meaning.
  auto const perhaps =
      run(kernel("LDC.64 R2, c[0x0][0x218]\nLDG.E R4, desc[UR4][R2.64]\nISETP.NE.AND P0, PT, R4, RZ, PT\n"
                 "S2R R0, SR_TID.X\n@P0 REDUX.MAX UR8, R0\nLDS R5, [UR8]\nEXIT"));
  expect(is_bound(perhaps, 1), "a reduction of lanes that may take part");
  auto const form = run(kernel("S2R R0, SR_TID.X\nCREDUX.MIN.F32 UR8, R0\nLDS R5, [UR8]\nEXIT"));
  expect(is_bound(form, 0), "a reduction of floating-point numbers");
}
/// A load of two words whose address is in one of the registers that it writes: both words are of the same parameter.
void constants_over_their_address() {
  std::string const load = "S2R R0, SR_TID.X\nIMAD.WIDE.U32 R2, R0, 0x4, R2\nLDG.E R4, desc[UR4][R2.64]\nEXIT";
  auto const general = run(kernel("MOV R2, 0x8\nLDC.64 R2, c[0x0][R2+0x210]\n" + load));
  expect(general.sites.loads("arg1").transactions == 4, "LDC.64 over its address");
  std::string const code = "UMOV UR4, 0x8\nLDCU.64 UR4, c[0x0][UR4+0x380]\nMOV R2, UR4\nMOV R3, UR5\n";
  std::string text = kernel(code + load);
  text.replace(text.find("sm_90"), 5, "sm_100");
  auto const uniform = run<co::cuda::cc100>(text);
  expect(uniform.sites.loads("arg1").transactions == 4, "LDCU.64 over its address");
  // Two words that are not known are two numbers: the even lanes load at one of them, the odd ones at the other.
  auto const two =
      run(kernel("S2R R0, SR_TID.X\nULDC.64 UR4, c[0x3][0x0]\nLOP3.LUT R1, R0, 0x1, RZ, 0xc0, !PT\n"
                 "ISETP.NE.AND P0, PT, R1, RZ, PT\nSEL R1, RZ, 0x1, P0\n"
                 "MOV R6, UR4\nMOV R7, UR5\nSEL R8, R6, R7, P0\nLDS R5, [R8]\nEXIT"));
  expect(is_bound(two, 0) && two.sites[0].cost.rounds > 1, "two words of a uniform pair");
}
/// ELECT gives a predicate to each lane: it is true in the leader alone.
void elected() {
  for (char const* to : {"URZ", "UR8"}) {
    std::string const code = address + "ISETP.GE.AND P0, PT, R0, RZ, PT\nELECT P0, " + to + ", PT\n";
    auto const leader = run(kernel(code + "@P0 LDG.E R4, desc[UR4][R2.64]\nEXIT")),
               others = run(kernel(code + "@!P0 LDG.E R4, desc[UR4][R2.64]\nEXIT"));
    expect(leader.sites.size() == 1 && bounds_in(leader) == 0 && leader.sites[0].cost.bytes_used == 4,
           "ELECT: the leader,", to);
    expect(others.sites.size() == 1 && bounds_in(others) == 0 && others.sites[0].cost.bytes_used == 124,
           "ELECT: the others,", to);
  }
  auto const within = run(kernel(address + "ISETP.GE.AND P0, PT, R0, 0x4, PT\nISETP.GE.AND P1, PT, R0, RZ, PT\n"
                                           "@P0 ELECT P1, URZ, PT\n@P1 LDG.E R4, desc[UR4][R2.64]\nEXIT"));
  expect(within.sites.size() == 1 && bounds_in(within) == 0 && within.sites[0].cost.bytes_used == 20,
         "ELECT in lanes 4 to 31 leaves the predicates of lanes 0 to 3");
  refuses("the opcode R2UR (or a form of it) is not in the tables",
          kernel(address + "ISETP.GE.AND P0, PT, R0, 0x10, PT\nR2UR P0, URZ, R0\n@P0 BRA 0x60\nNOP\nEXIT"));
}
/// Barriers that count: each result is a number of its own, and lanes that may have exited may be missing.
void counting_barriers() {
  std::string const unknown = address + "LDG.E R4, desc[UR4][R2.64]\n";
  auto data = [&](std::string const& code) {
    std::string text = kernel(unknown + code);
    text.replace(text.find("c[0x0][0x210]"), 13, "c[0x0][0x218]");
    return run(text);
  };
  std::string const twice =
      "MOV R8, RZ\nMOV R5, RZ\n.L_x_1:\nMOV R6, R5\nISETP.GT.AND P0, PT, R4, R8, PT\n"
      "BAR.RED.POPC.DEFER_BLOCKING 0x0, P0\nB2R.RESULT R5\nIADD3 R8, R8, 0x1, RZ\n"
      "ISETP.LT.AND P1, PT, R8, 0x2, PT\n@P1 BRA `(.L_x_1)\n";
  auto const one = data(twice + "LDS R10, [R5.X4]\nEXIT");
  expect(is_bound(one, 1) && one.sites[1].cost.rounds == 1, "all lanes have one result");
  auto const two = data(twice +
                        "LOP3.LUT R7, R0, 0x1, RZ, 0xc0, !PT\nISETP.NE.AND P2, PT, R7, RZ, PT\n"
                        "SEL R9, R5, R6, P2\nLDS R10, [R9.X4]\nEXIT");
  expect(is_bound(two, 1) && two.sites[1].cost.rounds > 1, "two results of one instruction");

  auto const exited = data(
      "ISETP.NE.AND P0, PT, R4, RZ, PT\n@P0 EXIT\nBAR.RED.POPC.DEFER_BLOCKING 0x0, PT\n"
      "B2R.RESULT R5\nISETP.EQ.AND P1, PT, R5, 0x20, PT\n@P1 EXIT\n"
      "STG.E desc[UR4][R2.64], R4\nEXIT");
  expect(exited.sites.stores("arg1").transactions == 4 && bounds_in(exited) == 1, "lanes may be missing at BAR.RED");
}
/// LDGSTS writes zeros where its last predicate is false. Word 7 of the buffer is 7.
void copies_that_may_write_zeros() {
  auto const answer =
      run(kernel("LDC.64 R2, c[0x0][0x210]\nLDC.64 R4, c[0x0][0x218]\nLDG.E R6, desc[UR4][R4.64]\n"
                 "ISETP.NE.AND P0, PT, R6, RZ, PT\nISETP.NE.AND P1, PT, R6, 0x1, PT\nMOV R8, 0x7\nSTS [RZ], R8\n"
                 "@P0 LDGSTS.E.ZFILL [RZ], desc[UR4][R2.64+0x1c], P1\nLDGDEPBAR\nDEPBAR.LE SB0, 0x0\n"
                 "LDS R9, [RZ]\nISETP.EQ.AND P2, PT, R9, 0x7, PT\n@P2 EXIT\nSTG.E desc[UR4][R2.64], RZ\nEXIT"));
  expect(answer.sites.stores("arg0").transactions == 1, "a copy that may write zeros");
}
/// Targets that take the places of their parameters from a neighbour.
template <class Machine>
void reads_target(char const* name, char const* block, char const* parameters) {
  std::string text = kernel("LDC.64 R2, c[0x0][" + std::string(parameters) + "]\nMOV R4, c[0x0][" + block +
                            "]\nS2R R0, SR_TID.X\nIMAD R0, R0, R4, RZ\nIMAD.WIDE.U32 R2, R0, 0x1, R2\n"
                            "STG.E desc[UR4][R2.64], RZ\nEXIT");
  text.replace(text.find("sm_90"), 5, name);
  auto const answer = run<Machine>(text);  // lanes 32 bytes apart: blocks of 32 threads
  expect(answer.unknown.empty() && answer.sites.stores("arg0").transactions == 32, "a text of", name);
}
void targets() {
  reads_target<co::cuda::cc86>("sm_86", "0x0", "0x160"), reads_target<co::cuda::cc87>("sm_87", "0x0", "0x160");
  reads_target<co::cuda::cc88>("sm_88", "0x0", "0x160"), reads_target<co::cuda::cc100>("sm_100", "0x360", "0x380");
  reads_target<co::cuda::cc103>("sm_103", "0x360", "0x380"), reads_target<co::cuda::cc107>("sm_107", "0x360", "0x380");
  reads_target<co::cuda::cc110>("sm_110", "0x360", "0x380"), reads_target<co::cuda::cc121>("sm_121", "0x360", "0x380");
}
/// Of two warps, warp 0 comes to a place where it is not followed, and both store a column: warp 0 ends, and is listed.
void warps_that_end() {
  std::string const tests =
      "S2R R0, SR_TID.X\nSHF.L.U32 R1, R0, 0x5, RZ\nISETP.GT.U32.AND P1, PT, R0, 0x1f, PT\nLDC.64 R2, c[0x0][0x218]\n";
  std::string const stores = "STS [R1], RZ\nEXIT\n";
  struct {
    std::string end;  // at offset 0x60
    char const *opcode, *why;
    unsigned warps;
  } const rows[] = {
      {"NOP\nNOP\n@!P1 BRA `(nowhere)\nNOP\n", "BRA", "warps end here: its target is not a place of the kernel", 1},
      {"NOP\nNOP\n@!P1 BRX R4 -0x10\nNOP\n", "BRX", "warps end here: a branch to a place in a register is not followed",
       1},
      {"NOP\nNOP\n@!P1 BRXU UR4 -0x10\nNOP\n", "BRXU", "warps end here: a branch to a place in a register", 1},
      {"NOP\nNOP\n@!P1 CALL.ABS.NOINC `(other)\nNOP\n", "CALL.ABS.NOINC", "warps end here: a branch to a place", 1},
      {"NOP\nNOP\n@!P1 CALL.REL.NOINC R4 0x80\nNOP\n", "CALL.REL.NOINC", "warps end here: a branch to a place", 1},
      {"NOP\nNOP\nRET.ABS.NODEC R4 `(made)\nNOP\n", "RET.ABS.NODEC", "warps end here: a branch to a place", 2},
      {"NOP\nNOP\n@!P1 FROB P0, `(made)\nNOP\n", "FROB",
       "warps end here: the opcode is not in the tables, and names a place of the kernel", 1},
      {"NOP\nNOP\n@!P1 BPT.TRAP 0x1\nNOP\n", "BPT.TRAP", "warps end here: a trap", 1},
      {"NOP\nNOP\n@!P1 WARPSYNC.COLLECTIVE R4, `(made)\nNOP\n", "WARPSYNC.COLLECTIVE", "warps end here: its form", 1},
      {"@!P1 LDG.E R4, desc[UR4][R2.64]\nNOP\n@!P1 BMOV.32 B0, R4\nNOP\n", "BMOV.32",
       "warps end here: its mask depends on data: line 7, LDG.E", 1},
      // Two warps of 64 threads meet at barrier 1: the second one goes on without the first.
      {"@!P1 LDG.E R4, desc[UR4][R2.64]\nNOP\n@!P1 BAR.SYNC R4\n@P1 BAR.SYNC 0x1, 0x40\n", "BAR.SYNC",
       "warps end here: its number depends on data: line 7, LDG.E", 1},
  };
  for (auto const& row : rows) {
    auto const answer = run(kernel(tests + row.end + stores), 64);
    std::uint64_t ended = 0, stored = 0;
    for (auto const& each : answer.unknown)
      if (each.why.find(row.why) == 0 && each.at.opcode == row.opcode) ended += each.issued;
    for (co::site const& s : answer.sites)
      if (s.space == co::memory_space::shared) stored += s.cost.issued;
    expect(ended == row.warps, "warps that end:", row.end);
    expect(stored == 2 - row.warps, "the other warp goes on:", row.end);
  }
  // What ended may have stored: the contents of arg0 are unknown. A kernel that does not store leaves them.
  std::string const loads = "LDC.64 R6, c[0x0][0x210]\n@P1 LDG.E R5, desc[UR4][R6.64]\n@P1 LDS R5, [R5]\n";
  auto const stored = run(kernel(tests + rows[1].end + loads + stores), 64);
  auto const kept = run(kernel(tests + rows[1].end + loads + "EXIT"), 64);
  auto const has_bound = [](co::binary_answer const& answer) {
    bool found = false;
    for (co::site const& s : answer.sites) found = found || (std::string(s.opcode) == "LDS" && s.at_most);
    return found;
  };
  expect(has_bound(stored), "what it may have stored is unknown");
  expect(!has_bound(kept), "a kernel without a store leaves its buffers");
  // A predicate that is not known chooses between two addresses: lane k's are 32 k and 32 k + 128 bytes.
  auto const chosen = run(kernel(tests + "LDG.E R4, desc[UR4][R2.64]\nISETP.NE.AND P0, PT, R4, RZ, PT\n"
                                         "@P0 IADD3 R1, R1, 0x80, RZ\nLDS R5, [R1]\nEXIT"));
  expect(has_bound(chosen), "an address of two");
}
/// Opcodes that have to do with memory: each is a site or is listed, and none is passed over.
void opcodes_of_memory() {
  for (char const* line :
       {"REDAS.ADD.S32 [R4.U32+UR5], R6", "STAS [R4.U32+UR5], R6", "TXD.B P0, R4, R6, R8, R10, 1D, 0x0",
        "TMML.B.LOD R4, R6, R8, 1D, 0x0", "SUATOM.D.BA.1D.ADD.IGN PT, R4, [R6], R8", "SURED.D.BA.1D.ADD.IGN [R6], R8",
        "ARRIVES.LDGSTSBAR.64 [UR4]", "UTCBAR [UR4], URZ", "UMEMSETS.64 [UR4], URZ, UR6",
        "UGETNEXTWORKID.SELFCAST [UR4], [UR6]", "ISBERD R4, [R6]",
        "UTCOMMA gdesc[UR4], gdesc[UR6], tmem[UR8], tmem[UR10], idesc[UR11], UPT", "FROB R4, [R6]", "FROB [R6], R4",
        "FROB R4, tmem[UR6]", "FROB", "LDG.E.96 R4, desc[UR4][R2.64]", "LDSM.8.M864.2 R4, [RZ]"}) {
    auto const answer = run(kernel("LDC.64 R2, c[0x0][0x210]\n" + std::string(line) + "\nEXIT"));
    expect(answer.unknown.size() == 1 && answer.unknown[0].issued == 1 && answer.sites.size() == 0 &&
               answer.passed_over == 0,
           "is listed:", line);
  }
  // No access: an opcode of the tables, and one that leaves a result.
  for (char const* line : {"CCTL.IVALL", "UTMACMDFLUSH", "QSPC.S P0, RZ, [R4]"})
    expect(run(kernel(std::string(line) + "\nEXIT")).unknown.empty(), "is no access:", line);
  // What is listed may write: a word of shared memory is known before, and not after it. An mbarrier has 8 bytes.
  auto const listed_behind = [](char const* line) {
    auto const answer = run(
        kernel("MOV R6, 0x40\nSTS [RZ+0x10], R6\n" + std::string(line) + "\nLDS R4, [RZ+0x10]\nLDS R5, [R4]\nEXIT"));
    return answer.unknown.size() + bounds_in(answer);
  };
  expect(listed_behind("LDL R8, [RZ+0x10]") == 0 && listed_behind("STL [RZ+0x10], R8") == 0,
         "local memory is another one");
  expect(listed_behind("UTMALDG.1D [UR4], [UR6]") == 2 && listed_behind("FROB [R4], R6") == 2, "a copy may write");
  expect(listed_behind("SYNCS.EXCH.64 URZ, [URZ+0x18], UR4") == 1, "a barrier beside the word");
  expect(listed_behind("SYNCS.EXCH.64 URZ, [URZ+0x10], UR4") == 2, "a barrier that is the word");
  // Lane 0 stores to a known word, and lanes of which data tell the address may store there after it.
  auto const stored_to = [](std::string const& word) {
    return bounds_in(
        run(kernel("LDC.64 R2, c[0x0][0x218]\nS2R R0, SR_TID.X\nLDG.E R4, desc[UR4][R2.64]\n"
                   "IMAD R4, R4, R0, RZ\nLOP3.LUT R4, R4, 0xc, RZ, 0xc0, !PT\nMOV R6, 0x40\nSTS " +
                   word + ", R6\nLDS R5, [RZ]\nLDS R7, [R5]\nEXIT")));
  };
  expect(stored_to("[R4]") == 2 && stored_to("[RZ]") == 0, "a lane may overwrite what another one stored");
  expect(listed_behind("ST.E desc[UR4][R8.64], R6") == 2, "a generic address may be shared memory's");
}
/// How many registers a result takes: the last one is data, and the next one is not. As ptxas and nvdisasm have it; the
/// second of a pair by the names of its types.
void widths_of_results() {
  struct {
    char const* opcode;
    unsigned registers;
  } const rows[] = {{"HMMA.884.F16.F16.STEP0", 2},
                    {"HMMA.884.F32.F16.STEP3", 2},
                    {"HMMA.1688.F16", 2},
                    {"HMMA.1688.F32", 4},
                    {"HMMA.1684.F32.TF32", 4},
                    {"HMMA.16816.F16", 2},
                    {"HMMA.16816.F32.BF16", 4},
                    {"IMMA.8816.S8.S8", 2},
                    {"IMMA.8832.S4.S4", 2},
                    {"IMMA.16816.S8.S8", 4},
                    {"IMMA.16864.S4.S4", 4},
                    {"BMMA.88128.XOR.POPC", 2},
                    {"BMMA.168128.AND.POPC", 4},
                    {"BMMA.168256.AND.POPC", 4},
                    {"DMMA.884", 4},
                    {"DMMA.8x8x4", 4},
                    {"DMMA.16x8x4", 8},
                    {"DMMA.16x8x16", 8},
                    {"QMMA.16832.F16.E4M3.E4M3", 2},
                    {"QMMA.SF.16832.F32.E4M3.E4M3.E8", 4},
                    {"OMMA.SF.16864.F32.E2M1.E2M1.E8", 4},
                    {"HGMMA.64x8x16.F32", 4},
                    {"HGMMA.64x8x16.F16", 2},
                    {"HGMMA.64x64x8.F32.TF32", 32},
                    {"HGMMA.64x256x16.F32", 128},
                    {"HGMMA.64x256x16.F16", 64},
                    {"IGMMA.64x64x32.S8.S8", 32},
                    {"QGMMA.64x64x32.F16.E4M3.E4M3", 16},
                    {"F2I.S64.F64.TRUNC", 2},
                    {"F2I.U64.TRUNC", 2},
                    {"F2I.F64.TRUNC", 1},
                    {"F2I.U32.F64.TRUNC", 1},
                    {"I2F.F64", 2},
                    {"I2F.F64.S64", 2},
                    {"I2F.S64", 1},
                    {"I2F.U64.RP", 1},
                    {"F2F.F64.F32", 2},
                    {"F2F.F32.F64", 1},
                    {"F2F.FTZ.F64.BF16", 2},
                    {"FRND.F64.FLOOR", 2},
                    {"FRND.FLOOR", 1},
                    {"DADD", 2},
                    {"MUFU.RCP64H", 1}};
  for (auto const& row : rows)
    for (unsigned after : {0u, 1u}) {
      std::string const last = "R" + std::to_string(8 + row.registers - 1 + after);
      auto const answer =
          run(kernel("MOV " + last + ", 0x40\n" + row.opcode + " R8, R160, R164, R168\nLDS R5, [" + last + "]\nEXIT"));
      bool is_known = false;
      for (co::site const& s : answer.sites) is_known = is_known || (s.space == co::memory_space::shared && !s.at_most);
      expect(is_known == (after == 1), after == 1 ? "the register after" : "the last register of", row.opcode);
    }
}
/// Opcodes that write two groups of registers: 32 bytes of a lane (sm_100), and textures.
void two_results() {
  auto const of = [](char const* parameter, std::string const& code) {
    std::string all = kernel(
        "S2R R0, SR_TID.X\nSHF.L.U32 R1, R0, 0x3, RZ\nLDC.64 R2, " + std::string(parameter) +
        "\nIMAD.WIDE.U32 R2, R0, 0x20, R2\nMOV R4, 0x40\nMOV R7, 0x40\nMOV R8, 0x80\nMOV R12, 0x40\n" + code + "EXIT");
    all.replace(all.find("sm_90"), 5, "sm_100");
    return run<co::cuda::cc100>(all);
  };
  auto const shared = [](co::binary_answer const& answer) {
    std::size_t all = 0;
    for (co::site const& s : answer.sites) all += s.space == co::memory_space::shared && !s.at_most;
    return answer.unknown.empty() ? all : 0;
  };
  // Lane t loads the words 8 t to 8 t + 7. A register that does not have its word makes an address outside of memory.
  std::string const load = "LDG.E.ENL2.256 R8, R4, desc[UR4][R2.64]\n",
                    store = "\nSHF.L.U32 R20, R20, 0x18, RZ\nSTS [R20], RZ\n";
  char const* const words[][2] = {{"R4", "-0x0"}, {"R7", "-0x3"}, {"R8", "-0x4"}, {"R11", "-0x7"}};
  for (auto const& [name, less] : words) {
    std::string const differs = "IADD3 R20, -R1, " + std::string(less) + ", " + name;
    expect(shared(of("c[0x0][0x380]", load + differs + store)) == 1, "the word in", name);
    auto const lost = of("c[0x0][0x388]", load + "STS [" + name + "], RZ\n");
    expect(lost.unknown.empty() && bounds_in(lost) == 1, "data, and not an old value:", name);
  }
  expect(shared(of("c[0x0][0x388]", load + "STS [R12], RZ\n")) == 1, "the register after both is an old one");
  expect(shared(of("c[0x0][0x380]", "LDG.E.ENL2.256 RZ, R4, desc[UR4][R2.64]\nIADD3 R20, -R1, -0x3, R7" + store)) == 1,
         "one group alone");
  // A store names words 0 to 3 first: they are 64, and words 4 to 7 are 128.
  for (auto const& [at, is] : {std::pair{"0x0", "-0x40"}, std::pair{"0x10", "-0x80"}})
    expect(shared(of("c[0x0][0x380]", "STG.E.ENL2.256 desc[UR4][R2.64], R4, R8\nLDG.E R20, desc[UR4][R2.64+" +
                                          std::string(at) + "]\nIADD3 R20, R20, " + is + ", RZ" + store)) == 1,
           "the word that was stored at", at);
  std::string refused = "nothing";
  try {
    static_cast<void>(of("c[0x0][0x380]", "LDG.E.256 R8, desc[UR4][R2.64]\n"));
  } catch (co::binary_refused const& why) {
    refused = why.what();
  }
  expect(refused.find("the operands of LDG.E.256 are not understood") != refused.npos,
         "one group of 32 bytes:", refused);
  // Textures: two registers each, of which RZ is none. (R12 and R8 are other registers.)
  for (char const* opcode :
       {"TLD.LZ RZ, R4, R0, UR4, 0x0, 1D, 0x1", "TEX.LL RZ, R4, R0, R0, UR4, 2D, 0x1", "TEX.LL R7, R4, R0, R0, UR4, 2D",
        "TLD4.G R7, R4, R0, R0, UR4, 2D", "TLD.LZ R4, R7, R0, UR4, 0x0, 1D", "TXD.B P0, R4, R7, R0, R0, 1D"}) {
    auto const result = of("c[0x0][0x388]", std::string(opcode) + "\nSTS [R4], RZ\nSTS [R12], RZ\n");
    expect(result.unknown.size() == 1 && result.sites.size() == 2 && bounds_in(result) == 1,
           "a result of a texture:", opcode);
  }
}
/// A barrier of two warps shows a write of the first one to the second one, and not to the third one.
void barriers_of_a_part() {
  std::string const code =
      "S2R R0, SR_TID.X\nSHF.R.U32.HI R1, RZ, 0x5, R0\nISETP.NE.AND P0, PT, R1, RZ, PT\nMOV R6, 0x40\n"
      "ISETP.LT.U32.AND P1, PT, R1, 0x2, PT\n@!P0 STS [RZ], R6\n@P1 BAR.SYNC 0x1, 0x40\nLDS R4, [RZ]\nLDS R5, "
      "[R4]\nEXIT";
  expect(bounds_in(run(kernel(code), 96)) == 1, "the third warp sees no write of the first one");
  expect(bounds_in(run(kernel(code), 64)) == 0, "the first and the second warp do");
  // Where the write comes behind the arrival, the load of the second warp does not see it.
  auto const late = run(kernel("S2R R0, SR_TID.X\nSHF.R.U32.HI R1, RZ, 0x5, R0\nISETP.NE.AND P0, PT, R1, RZ, PT\n"
                               "MOV R6, 0x40\n@!P0 BAR.ARV 0x1, 0x40\n@!P0 STS [RZ], R6\n@P0 BAR.SYNC 0x1, 0x40\n"
                               "LDS R4, [RZ]\nLDS R5, [R4]\nEXIT"),
                        64);
  expect(late.unknown.empty() && bounds_in(late) == 1, "a write after the arrival is not ordered");
  // An atomic leaves a value that is unknown, even to its own warp.
  auto const atomic =
      run(kernel("STS [RZ], RZ\nATOMS.ADD R3, [RZ], R0\nLDS R4, [RZ]\nLDS R5, [R4]\nLDS R5, [R3]\nEXIT"));
  expect(atomic.unknown.empty() && bounds_in(atomic) == 2, "what an atomic leaves and returns is unknown");
}
/// Stores that nothing orders: where their values differ, the byte is unknown after a barrier, too.
void races_of_stores() {
  std::string const begin =
      "S2R R0, SR_TID.X\nSHF.R.U32.HI R1, RZ, 0x5, R0\nISETP.NE.AND P0, PT, R1, RZ, PT\nSHF.L.U32 R2, R1, 0x2, RZ\n"
      "SHF.L.U32 R3, R0, 0x2, RZ\nMOV R6, 0x40\nMOV R7, 0x80\n";
  std::string const end = "BAR.SYNC 0x0\nLDS R4, [RZ]\nLDS R5, [R4]\nEXIT";
  struct {
    char const* stores;
    bool is_known;
  } const rows[] = {
      {"STS [RZ], R2\n", false},                                      // two warps, 0 and 4
      {"STS [RZ], R6\n", true},                                       // equal values
      {"@P0 STS [RZ], R6\n@!P0 STS [RZ], R7\n", false},               // one warp each
      {"@P0 STS [RZ], R6\n", true},                                   // one warp alone
      {"@!P0 STS [RZ], R6\nBAR.SYNC 0x0\n@P0 STS [RZ], R7\n", true},  // the barrier orders them
      {"STS [RZ], R6\n@!P0 STS [RZ], R7\n", false},                   // equal ones, then another one of warp 0
      {"STS [RZ], R6\n@P0 STS [RZ], R7\n", false},                    // or of warp 1
      {"STS [RZ], R2\nBAR.SYNC 0x0\nSTS [RZ], R6\n", true},           // a later value, which is ordered
      {"@!P0 STS [RZ], R3\n", false},                          // 32 lanes of an instruction, with values of their own
      {"@!P0 STS [RZ], R3\n@!P0 STS [RZ], R6\n", true},        // and the same warp's next store
      {"@P0 STS [RZ], R6\nUTMALDG.1D [UR4], [UR6]\n", false},  // what is not followed
  };
  for (auto const& row : rows) {
    auto const answer = run(kernel(begin + row.stores + end), 64);
    bool const is_known = bounds_in(answer) == 0;
    expect(is_known == row.is_known, row.is_known ? "is known:" : "is unknown:", row.stores);
  }
}
/// The answer about a kernel with these parameters.
template <class Machine = co::cuda::cc90>
co::binary_answer run_with(std::vector<binary_argument> arguments, std::string const& text, unsigned threads = 32) {
  co::binary_launch launch;
  launch.block = {threads}, launch.arguments = std::move(arguments);
  return co::sass::record<Machine>(text, launch);
}
binary_argument any() { return binary_argument::buffer(1 << 20); }
binary_argument zeros() { return binary_argument::buffer(4096, std::vector<unsigned char>(4096)); }
/// Whether the loads from an array cost this much, exactly or at most.
void costs(char const* what, co::binary_answer const& answer, char const* array, std::uint64_t sectors,
           bool is_at_most) {
  auto const cost = answer.sites.loads(array);
  expect(answer.unknown.empty() && cost.transactions == sectors && cost.at_most == is_at_most, what,
         "has " + std::string(cost.at_most ? "<= " : "") + std::to_string(cost.transactions));
}
/// Lane k loads word R + k of the table at this parameter: 4 sectors if R is 0, 5 if it is 1, at most 5 if it is one
/// number for all lanes, and at most 32 if each lane may have its own.
std::string table(char const* r, char const* parameter) {
  return "IADD3 R30, " + std::string(r) + ", R0, RZ\nLDC.64 R32, c[0x0][" + parameter +
         "]\nIMAD.WIDE R32, R30, 0x4, R32\nLDG.E R31, desc[UR4][R32.64]\n";
}
std::string const data_of_lane =
    "S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nIMAD.WIDE.U32 R2, R0, 0x4, R2\nLDG.E R5, desc[UR4][R2.64]\n"
    "ISETP.NE.AND P0, PT, R5, RZ, PT\n";

/// A store whose address is unknown may be one to any byte: the next warp's store to a byte of it may come first.
void stores_to_unknown_addresses() {
  auto const after = [](char const* first, char const* between) {
    return run_with({any(), any()},
                    kernel("S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nLDG.E R4, desc[UR4][R2.64]\nMOV R5, 0x1\n"
                           "ISETP.GE.U32.AND P0, PT, R0, 0x20, PT\nSHF.L.U32 R6, R4, 0x2, RZ\n" +
                           std::string(first) + between + "@P0 STS [RZ], RZ\nBAR.SYNC 0x0\nLDS R8, [RZ]\n" +
                           table("R8", "0x218") + "EXIT"),
                    64);
  };
  // Two warps, 4 sectors each where the word is 0, and 5 where it may be 1.
  costs("a store to any word before one to word 0", after("@!P0 STS [R6], R5\n", ""), "arg1", 10, true);
  costs("and one to another word", after("@!P0 STS [0x4], R5\n", ""), "arg1", 8, false);
  costs("and with a barrier between them", after("@!P0 STS [R6], R5\n", "BAR.SYNC 0x0\n"), "arg1", 8, false);
}
/// A store that may not take place leaves a pointer into one buffer or into another.
void pointers_that_data_choose() {
  auto const after = [](std::string const& stores) {
    return run_with({any(), zeros(), zeros(), any()},
                    kernel(data_of_lane + "LDC.64 R6, c[0x0][0x218]\nIMAD.WIDE.U32 R6, R0, 0x4, R6\n" +
                           "LDC.64 R8, c[0x0][0x220]\nIMAD.WIDE.U32 R8, R0, 0x4, R8\nSHF.L.U32 R4, R0, 0x3, RZ\n" +
                           "MOV R12, 0x1\n" + stores + "LDS.64 R10, [R4]\nSTG.E desc[UR4][R10.64], R12\n" +
                           "LDG.E R14, desc[UR4][R6.64]\n" + table("R14", "0x228") + "EXIT"));
  };
  // R14 is word k of the first buffer: 1 if the store went there, and 0 if not.
  auto const either = after("STS.64 [R4], R6\n@P0 STS.64 [R4], R8\n");
  costs("a pointer into one of two buffers", either, "arg3", 32, true);
  expect(either.sites.stores("arg1").issued == 0 && either.sites.stores("arg2").issued == 0,
         "it is not known in which buffer the store is");
  costs("a pointer that data leave", after("STS.64 [R4], R6\n@P0 STS.64 [R4], R6\n"), "arg3", 5, false);
  costs("a pointer into the second buffer", after("STS.64 [R4], R6\nSTS.64 [R4], R8\n"), "arg3", 4, false);
  auto const moved = after("IMAD.WIDE.U32 R8, R5, 0x4, R8\nSTS.64 [R4], R8\n");
  expect(moved.sites.stores("arg2").issued == 1 && moved.sites.stores("arg2").at_most, "its place there is data");
  costs("a pointer to a place of data in the second buffer", moved, "arg3", 4, false);
}
/// Warp 0 waits for a flag, and then reads what warp 1 stored before it. It runs first here, and reads the old word.
void loads_after_a_flag() {
  auto const global = [](char const* stored) {
    return run_with({zeros(), any(), any()},
                    kernel("S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nLDC.64 R4, c[0x0][0x218]\n"
                           "ISETP.GE.U32.AND P0, PT, R0, 0x20, PT\n@P0 BRA `(.L_x_2)\n"
                           ".L_x_1:\nLDG.E.STRONG.GPU R6, desc[UR4][R4.64]\nISETP.EQ.AND P1, PT, R6, RZ, PT\n"
                           "@P1 BRA `(.L_x_1)\nLDG.E.STRONG.GPU R7, desc[UR4][R2.64]\n" +
                           table("R7", "0x220") + "EXIT\n.L_x_2:\nMOV R11, " + stored +
                           "\nSTG.E desc[UR4][R2.64], R11\nMEMBAR.SC.GPU\nSTG.E.STRONG.GPU desc[UR4][R4.64], R11\n"
                           "EXIT"),
                    64);
  };
  costs("a word that is 1 after the flag", global("0x1"), "arg2", 5, true);
  costs("a word that stays 0", global("RZ"), "arg2", 4, false);
  auto const shared = [](char const* between) {
    return run_with({any()},
                    kernel("S2R R0, SR_TID.X\nISETP.GE.U32.AND P0, PT, R0, 0x20, PT\nMOV R11, 0x1\n"
                           "@!P0 STS [RZ], RZ\nBAR.SYNC 0x0\nMOV R7, RZ\n@!P0 LDS R7, [RZ]\n" +
                           std::string(between) + "@P0 STS [RZ], R11\n" + table("R7", "0x210") + "EXIT"),
                    64);
  };
  costs("a word of shared memory", shared(""), "arg0", 9, true);
  costs("and with a barrier before the store", shared("BAR.SYNC 0x0\n"), "arg0", 8, false);
  // Each warp reads the other's words, and after a barrier its own ones, which it then overwrites.
  auto const in_place =
      run(kernel("S2R R0, SR_TID.X\nSHF.L.U32 R1, R0, 0x2, RZ\nSTS [R1], R1\nBAR.SYNC 0x0\n"
                 "LOP3.LUT R2, R1, 0x80, RZ, 0x3c, !PT\nLDS R3, [R2]\nBAR.SYNC 0x0\nLDS R4, [R1]\n"
                 "IADD3 R5, R3, R4, RZ\nSTS [R1], R5\nBAR.SYNC 0x0\nLDS R6, [R3]\nLDS R6, [R4]\nEXIT"),
          64);
  expect(in_place.unknown.empty() && bounds_in(in_place) == 0, "a sum in place, between barriers");
}
/// A uniform register that is written under a predicate of data: any lane's number may be the one, or the old one.
void uniform_registers_of_data() {
  auto const after = [](char const* write) {
    return run_with(
        {any(), any()},
        kernel(data_of_lane + "SHF.L.U32 R8, R0, 0x2, RZ\nMOV R9, RZ\nUMOV UR8, URZ\nUMOV UR9, URZ\n" + write +
               "LDC.64 R6, c[0x0][0x218]\nIMAD.WIDE.U32 R6, R0, 0x4, R6\n" + "LDG.E R9, desc[UR4][R6.64+UR8]\nEXIT"));
  };
  costs("the first lane that takes part", after("@P0 R2UR UR8, R8\n"), "arg1", 5, true);  // 4 bytes, if it is lane 1
  costs("the number that was there", after("@P0 R2UR UR8, R9\n"), "arg1", 4, false);
}
/// Numbers of 64 bits in two registers: where one half is the same in all lanes, the other one need not be.
void names_of_pairs() {
  auto const compared = [](char const* upper) {
    std::string text = kernel(
        "S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x380]\nIMAD.WIDE.U32 R2, R0, 0x4, R2\n"
        "LDG.E R5, desc[UR4][R2.64]\nMOV R4, RZ\nLDC.64 R6, c[0x0][0x388]\n" +
        std::string(upper) + "ISETP.GE.U64.AND P0, PT, R4, R6, PT\nMOV R17, 0x1000\n" + "SEL R16, R17, RZ, P0\n" +
        table("R16", "0x390") + "EXIT");
    text.replace(text.find("sm_90"), 5, "sm_100");
    return run_with<co::cuda::cc100>({any(), binary_argument::unknown(8), any()}, text);
  };
  // Each lane's word is in one of two sectors. R16 is a multiple of 4096 words: 4 sectors if it is the same for all.
  costs("ISETP.U64", compared(""), "arg2", 32, true);
  costs("ISETP.U64 of one number", compared("MOV R5, 0x7\n"), "arg2", 4, true);
  auto const multiplied = [](char const* upper) {
    return run_with({any(), binary_argument::unknown(4), binary_argument::unknown(4), any()},
                    kernel(data_of_lane + "MOV R4, RZ\n" + upper + "LDC R6, c[0x0][0x218]\nLDC R7, c[0x0][0x21c]\n" +
                           "IMAD.HI.U32 R8, R6, R7, R4\nSHF.L.U32 R8, R8, 0x5, RZ\n" + table("R8", "0x220") + "EXIT"));
  };
  costs("IMAD.HI", multiplied("LDG.E.U8 R5, desc[UR4][R2.64]\n"), "arg3", 32, true);
  costs("IMAD.HI of one number", multiplied("MOV R5, 0x7\n"), "arg3", 4, true);
}
/// Lanes leave a loop that data end, each in an iteration of its own, so that R20 and P2 are a lane's own after it. The
/// table has a row of 32 words for each number: 4 sectors if all lanes have one number, and 32 if each has its own.
void lanes_that_leave_a_loop() {
  std::string const begin =
      "S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nIMAD.WIDE.U32 R2, R0, 0x4, R2\nLDC.64 R6, c[0x0][0x218]\n"
      "LDG.E R22, desc[UR4][R6.64]\nISETP.NE.AND P3, PT, R22, RZ, PT\nMOV R20, 0xffffffff\nMOV R17, 0x1000\n";
  std::string const of_lane =
      "IMAD.WIDE R8, R20, 0x80, R2\nLDG.E R10, desc[UR4][R8.64]\n"  // each lane has its own word
      "ISETP.EQ.AND P0, PT, R10, RZ, PT\n";
  std::string const of_warp =
      "IMAD.WIDE R8, R20, 0x4, R6\nLDG.E R11, desc[UR4][R8.64]\n"  // all lanes have one
      "ISETP.EQ.AND P1, PT, R11, RZ, PT\nISETP.EQ.OR P1, PT, R20, RZ, P1\n";
  std::string const row = "SHF.L.U32 R16, R20, 0x5, RZ\n" + table("R16", "0x220");
  auto const after = [&](std::string const& code) { return run_with({any(), any(), any()}, kernel(begin + code)); };
  std::string const next = "IADD3 R20, R20, 0x1, RZ\n";

  costs("lanes part by their own word, and leave by a common one",
        after("BSSY B0, `(.L_x_2)\n.L_x_1:\n" + next + of_lane + "@P0 BRA `(.L_x_1)\n" + of_warp +
              "@P1 BRA `(.L_x_1)\n.L_x_2:\nBSYNC B0\n" + row + "EXIT"),
        "arg2", 32, true);
  costs("and the others come together in between",
        after("BSSY B0, `(.L_x_3)\nBRA `(.L_x_2)\n.L_x_1:\nBSYNC B1\n.L_x_2:\n" + next + "BSSY B1, `(.L_x_1)\n" +
              of_lane + "@P0 BRA `(.L_x_1)\n" + of_warp + "@P1 BRA `(.L_x_1)\nBREAK B1\n.L_x_3:\nBSYNC B0\n" + row +
              "EXIT"),
        "arg2", 32, true);
  costs("all come together, and leave together",
        after(".L_x_1:\n" + next + "BSSY B1, `(.L_x_2)\n" + of_lane + "@P0 BRA `(.L_x_2)\nIADD3 R21, R21, 0x1, RZ\n" +
              ".L_x_2:\nBSYNC B1\n" + of_warp + "@P1 BRA `(.L_x_1)\n" + row + "EXIT"),
        "arg2", 4, true);
  costs("lanes part before the loop alone",
        after("MOV R20, RZ\n" + of_lane + "MOV R20, 0xffffffff\nBSSY B0, `(.L_x_2)\n@P0 BRA `(.L_x_2)\n.L_x_1:\n" +
              next + of_warp + "@P1 BRA `(.L_x_1)\n" + row + ".L_x_2:\nBSYNC B0\nEXIT"),
        "arg2", 4, true);
  auto const chosen = [&](std::string const& predicate) {
    return after("BSSY B0, `(.L_x_2)\n.L_x_1:\n" + next + "ISETP.GT.AND P2, PT, R20, 0x8, PT\n" + of_lane +
                 "ISETP.EQ.OR P0, PT, R20, RZ, P0\n@P0 BRA `(.L_x_1)\n.L_x_2:\nBSYNC B0\nSEL R16, R17, RZ, " +
                 predicate + "\n" + table("R16", "0x220") + "EXIT");
  };
  costs("a predicate of the counter", chosen("P2"), "arg2", 32, true);
  costs("a predicate that the loop leaves alone", chosen("P3"), "arg2", 4, true);
}
/// A jump table's register that data choose for each lane: lanes have results of their own after the cases.
void jumps_of_data() {
  auto const after = [](char const* guard) {
    return run_with({any(), any()},
                    kernel(data_of_lane + "MOV R8, 0x80\n" + guard + "MOV R8, 0xa0\n" +
                           "BRX R8 -0x80       (*\"BRANCH_TARGETS .L_x_1,.L_x_2\"*)\n"
                           ".L_x_1:\nMOV R10, 0x1000\nBRA `(.L_x_3)\n.L_x_2:\nMOV R10, RZ\nBRA `(.L_x_3)\n.L_x_3:\n" +
                           table("R10", "0x218") + "EXIT"));
  };
  costs("a case for each lane", after("@P0 "), "arg1", 32, true);
  costs("one case for all", after(""), "arg1", 4, false);
}
/// Lanes 0 to 15 wait at B1, or another barrier, when lanes 16 to 31 leave it. All come together at B0.
void lanes_that_break() {
  auto const text = [](std::string const& breaks, std::string const& barrier = "B1") {
    return kernel("S2R R0, SR_TID.X\nISETP.GE.U32.AND P0, PT, R0, 0x10, PT\nBSSY B0, `(.L_x_3)\nBSSY " + barrier +
                  ", `(.L_x_1)\n@P0 BRA `(.L_x_2)\n.L_x_1:\nBSYNC " + barrier + "\nBRA `(.L_x_3)\n.L_x_2:\n" + breaks +
                  ".L_x_3:\nBSYNC B0\nSTS [R0.X4], RZ\nEXIT");
  };
  for (std::string const barrier : {"B1", "B15"}) {
    auto const answer = run(text("BREAK " + barrier + "\n", barrier));
    expect(answer.unknown.empty() && answer.sites.size() == 1 && answer.sites[0].cost.issued == 1, "one store of all",
           barrier);
  }
  refuses("lanes of a warp wait for lanes that never come", text("NOP\n"));
  refuses("lanes of a warp wait for lanes that never come", text("BREAK B2\n"));
}
/// Data choose which lanes B0 waits for: all, or the upper 16. The upper lanes come to it first. They wait for all
/// lanes that it may wait for.
void lanes_that_a_barrier_may_have() {
  std::string const upper = "MOV R5, 0xffff0000\nBMOV.32 B0, R5\n";
  auto const issued = [](std::string const& one_way, std::string const& other_way) {
    auto const answer = run(kernel(
        "S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x218]\nLDG.E R6, desc[UR4][R2.64]\nISETP.NE.AND P0, PT, R6, RZ, PT\n"
        "ISETP.LT.U32.AND P1, PT, R0, 0x10, PT\nBSSY B0, `(.L_x_3)\n@P0 BRA `(.L_x_1)\n" +
        one_way + "BRA `(.L_x_2)\n.L_x_1:\n" + other_way +
        ".L_x_2:\n@P1 BRA `(.L_x_4)\n.L_x_3:\nBSYNC B0\nSTS [R0.X4], RZ\nEXIT\n.L_x_4:\nBRA `(.L_x_3)"));
    return answer.unknown.empty() && answer.sites.size() == 2 ? answer.sites[1].cost.issued : 0;
  };
  expect(issued(upper, "NOP\n") == 1 && issued("NOP\n", upper) == 1, "all lanes together, on either way");
  expect(issued(upper, upper) == 2, "the upper lanes alone");
}
/// Warps arrive at a barrier as a whole, also where lanes have exited or the block lacks them.
void barriers_of_whole_warps() {
  std::string const meet = "S2R R0, SR_TID.X\nISETP.GE.U32.AND P0, PT, R0, 0x28, PT\n@P0 EXIT\nBAR.SYNC 0x1, ";
  expect(run(kernel(meet + "0x40\nEXIT"), 64).unknown.empty(), "lanes 40 to 63 have exited");
  expect(run(kernel(meet + "0x40\nBAR.SYNC 0x1, 0x40\nEXIT"), 48).unknown.empty(), "48 threads, twice");
  refuses("barrier 1 has 32 threads of 64", kernel("BAR.SYNC 0x1, 0x40\nEXIT"));
  // A barrier counts threads, here 40. Lanes 40 bytes apart fall on 16 banks: 2 rounds of a warp, 1 of 8 lanes.
  auto const counted = run(kernel(meet + "0x40\nBAR.RED.POPC.DEFER_BLOCKING 0x0, PT\nB2R.RESULT R5\n"
                                         "IMAD R1, R0, R5, RZ\nLDS R6, [R1]\nEXIT"),
                           64);
  expect(counted.unknown.empty() && bounds_in(counted) == 0 && counted.sites[0].cost.rounds == 3, "40 threads");
}
/// Results that hold data, and what an instruction does beyond the text.
void results_of_data() {
  auto const shared = [](std::string const& code) {
    std::size_t all = 0;
    for (co::site const& s : run(kernel(code)).sites) all += s.space == co::memory_space::shared && !s.at_most;
    return all;
  };
  for (char const* line : {"IDP.4A.S8.S8 R4, R0, R7, R14", "VABSDIFF4.U8 R4, R13, R12, RZ"}) {
    expect(shared("MOV R4, 0x40\n" + std::string(line) + "\nSTS [R4], RZ\nEXIT") == 0, "the result of", line);
    expect(shared("MOV R5, 0x40\n" + std::string(line) + "\nSTS [R5], RZ\nEXIT") == 1, "the register after", line);
  }
  std::string const test = "UISETP.EQ.AND UP0, UPT, URZ, 0x1, UPT\n", stores = "@UP0 STS [RZ], RZ\nSTS [RZ], RZ\nEXIT";
  auto const tried = run(kernel(test + "USETMAXREG.TRY_ALLOC.CTAPOOL UP0, 0xe8\n" + stores));
  expect(tried.unknown.empty() && bounds_in(tried) == 1, "whether registers were had is unknown");
  expect(run(kernel(test + "USETMAXREG.DEALLOC.CTAPOOL 0x28\n" + stores)).unknown.empty(), "nothing is asked");
  // A kernel that does not store: what it calls may, and a branch out of it may not.
  for (auto const& [end, byte] : {std::pair{"CALL.ABS.NOINC `(other)", -1}, std::pair{"BRX R4 -0x10", 0}})
    expect(run(kernel(std::string(end) + "\nEXIT")).buffers[0].bytes.final_byte(0) == byte, "what is left after", end);
}
/// A cluster's blocks: the rank is 0 in the first one, and not known in the others.
void ranks() {
  std::string const code = kernel("S2UR UR5, SR_CgaCtaId\nULEA UR4, UR5, URZ, 0x18\nSTS [UR4], RZ\nEXIT");
  std::string const stated =
      "\t.section\t.nv.info.made,\"\",@\"SHT_CUDA_INFO\"\n\t//----- nvinfo : EIATTR_CTA_PER_CLUSTER\n"
      "\t.word\t0x00000002\n\t.word\t0x00000001\n\t.word\t0x00000001\n";
  auto const bounds = [](std::string const& text, unsigned block) {
    co::binary_launch launch;
    launch.grid = {4}, launch.block = {32}, launch.blocks = {{block, 0, 0}};
    return bounds_in(co::sass::record<co::cuda::cc90>(text, launch));
  };
  for (unsigned block : {0u, 1u, 2u, 3u}) {
    expect(bounds(stated + "\t.section\t.nv.shared.made,\"aw\",@nobits\n\t.zero\t1152\n" + code, block) == block % 2,
           "the rank of block", std::to_string(block));
    expect(bounds(code, block) == 0, "no cluster");
  }
}
/// Shared memory past what a block may have: 232,448 bytes on sm_90, besides 1,024 that it reserves.
void shared_memory() {
  std::string const sections =
      "\t.section\t.nv.info.made,\"\",@\"SHT_CUDA_INFO\"\n"
      "\t.section\t.nv.shared.made,\"aw\",@nobits\n\t.zero\t1280\n";
  struct {
    std::string text;
    std::uint64_t dynamic;
    bool is_refused;
  } const rows[] = {{sections + kernel("EXIT"), 232448 - 256, false},
                    {sections + kernel("EXIT"), 232448 - 255, true},
                    {sections + kernel("EXIT"), ~std::uint64_t{0}, true},
                    {kernel("EXIT"), 232448, false},
                    {kernel("EXIT"), 232449, true}};
  for (auto const& row : rows) {
    std::string found;
    try {
      co::binary_launch launch;
      launch.block = {32}, launch.dynamic_shared = row.dynamic;
      static_cast<void>(co::sass::record<co::cuda::cc90>(row.text, launch));
    } catch (co::binary_refused const& refused) {
      found = refused.what();
    }
    expect(row.is_refused == (found.find("and the machine allows 232448") != found.npos),
           "too much shared memory:", found);
    expect(row.is_refused || found.empty(), "as much as there is:", found);
  }
}
/// The kernel's parameters, where the text states their bytes. The launch has 8 + 8 + 4, and 8 at a multiple of 8: 32.
void parameters() {
  auto const text = [](char const* bytes) {
    return "\t.section\t.nv.info.made,\"\",@\"SHT_CUDA_INFO\"\n\t//----- nvinfo : "
           "EIATTR_CBANK_PARAM_SIZE\n\t.align\t\t4\n"
           "        /*0044*/ \t.byte\t0x03, 0x19\n        /*0046*/ \t.short\t" +
           std::string(bytes) + "\n\t//----- nvinfo : EIATTR_MAXREG_COUNT\n\t.short\t0x00ff\n" + kernel("EXIT");
  };
  expect(run(text("0x0020")).unknown.empty(), "as many bytes");
  refuses("the kernel has 28 bytes of parameters, and the launch has 32", text("0x001c"));
  refuses("the kernel has 48 bytes of parameters, and the launch has 32", text("0x0030"));
  refuses("the kernel has 0 bytes of parameters, and the launch has 32", text("0x0000"));
  // 12 bytes in a class of 16: what aligns it is no parameter.
  co::binary_launch launch;
  launch.block = {32}, launch.arguments = {binary_argument::u64(1), binary_argument::u32(1)};
  expect(co::sass::record<co::cuda::cc90>(text("0x0010"), launch).unknown.empty(), "alignment at the end");
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
  // An opcode that is not in the tables is to blame through a predicate, a predicated move, a vote and data.
  refuses("line 3: the opcode FROB (or a form of it) is not in the tables, and its address depends on it: line 6, STS",
          kernel("FROB R4, R0\nISETP.NE.AND P0, PT, R4, RZ, PT\n@P0 IADD3 R0, R0, 0x80, RZ\nSTS [R0], RZ\nEXIT"));
  refuses(
      "line 3: the opcode FROB (or a form of it) is not in the tables, and its address depends on it: line 6, STS",
      kernel(
          "FROB P0, PT, R0, R4\n@P0 LOP3.LUT P1, RZ, R0, R4, RZ, 0xc0, !PT\nSEL R0, R0, R4, P1\nSTS [R0], RZ\nEXIT"));
  refuses("line 3: the opcode FROB (or a form of it) is not in the tables, and its address depends on it: line 5, STS",
          kernel("FROB P0, PT, R0, R4\n@P0 VOTE.ANY R4, PT, PT\nSTS [R4], RZ\nEXIT"));
  refuses("line 3: the opcode FROB (or a form of it) is not in the tables, and its address depends on it: line 6, STS",
          kernel("FROB R4, R0\nFADD R5, R4, R4\nF2I.TRUNC R6, R5\nSTS [R6], RZ\nEXIT"));
  refuses("line 3: the opcode UFROB (or a form of it) is not in the tables, and its address depends on it: line 5, STS",
          kernel("UFROB UPR, UR4, 0x7f\n@UP2 UMOV UR4, 0x40\nSTS [UR4], RZ\nEXIT"));
  refuses("the text is of sm_80, and the machine is cc90",
          "\t.headerflags\t@\"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_64BIT_ADDRESS EF_CUDA_SM80 "
          "EF_CUDA_VIRTUAL_SM(EF_CUDA_SM80)\"\n.text.a:\n/*0000*/ EXIT ;\n");
  refuses("the text is of sm_80, and the machine is cc90",
          "\t\tFunction : a\n\t.headerflags\t@\"EF_CUDA_SM80\"\n/*0000*/ EXIT ;\n");
  refuses("the text has no kernel: it must be what", "hello\n");
  refuses("the text has no kernel: it must be what", "");
  // A line that is missing, or damaged.
  refuses("line 4: the instruction's offset is 0x20, and 0x10 was expected: the text must have each instruction",
          ".target sm_90\n.text.a:\n/*0000*/ NOP ;\n/*0020*/ EXIT ;\n");
  refuses("line 3: the instruction's offset is 0x10, and 0x0 was expected",
          ".target sm_90\n.text.a:\n/*0010*/ EXIT ;\n");
  refuses("line 4: the instruction's offset is 0x0, and 0x10 was expected",
          ".text.a:\n/*0000*/ NOP ;\n.L_x_0:\n/*0000*/ EXIT ;\n");
  refuses("line 2: the offset of the instruction is not a hexadecimal number", ".text.a:\n/*00g0*/ NOP ;\n");
  refuses("line 4: the instruction's offset is 0x20, and 0x10 was expected",
          ".text.a:\n/*0000*/ NOP ;\n*0010*/ NOP ;\n/*0020*/ EXIT ;\n");
  refuses("the text is of sm_61, and the machine is cc90", ".target sm_61\n.text.a:\n/*0008*/ EXIT ;\n");
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
  costs(), widths_of_atomics(), warps_that_end(), jump_tables(), routines(), loops(), exchanges(),
      constants_over_their_address(), elected(), counting_barriers(), copies_that_may_write_zeros(), targets(),
      opcodes_of_memory(), widths_of_results(), two_results(), barriers_of_a_part(), races_of_stores(),
      stores_to_unknown_addresses(), pointers_that_data_choose(), loads_after_a_flag(), uniform_registers_of_data(),
      names_of_pairs(), lanes_that_leave_a_loop(), jumps_of_data(), lanes_that_break(), lanes_that_a_barrier_may_have(),
      barriers_of_whole_warps(), results_of_data(), ranks(), shared_memory(), parameters(), other_texts(),
      depends_on_data(), refusals();
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
