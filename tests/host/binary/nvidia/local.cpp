// SPDX-License-Identifier: BSL-1.0
#include <coalesce/host/binary/nvidia.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>
#include "host/binary/nvidia/written.hpp"
#include "machinery/check.hpp"

// The lanes' local memory in NVIDIA's binaries: what its accesses cost, and the values that a kernel keeps there.

namespace co = coalescing;

namespace {

/// Where a target's launch puts the first parameter, the stack pointer, and the window of local memory.
struct places {
  char const* target;
  char const *parameters, *stack, *window;
};
constexpr places sm_90{"sm_90", "0x210", "0x28", "0x20"};
constexpr places all_places[] = {{"sm_75", "0x160", "0x28", "0x20"},
                                 {"sm_80", "0x160", "0x28", "0x20"},
                                 {"sm_86", "0x160", "0x28", "0x20"},
                                 {"sm_87", "0x160", "0x28", "0x20"},
                                 {"sm_88", "0x160", "0x28", "0x20"},
                                 {"sm_89", "0x160", "0x28", "0x20"},
                                 sm_90,
                                 {"sm_100", "0x380", "0x37c", "0x2f8"},
                                 {"sm_103", "0x380", "0x37c", "0x2f8"},
                                 {"sm_107", "0x380", "0x37c", "0x2f8"},
                                 {"sm_110", "0x380", "0x37c", "0x2f8"},
                                 {"sm_120", "0x380", "0x37c", "0x2f8"},
                                 {"sm_121", "0x380", "0x37c", "0x2f8"}};

using words = std::array<unsigned, 32>;
words constexpr zeros = {};

std::string in_hex(unsigned long number) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%lx", number);
  return text;
}
/// Runs a body of 32 threads with 256 bytes of local memory, which begins at R1. R0 is the thread's number, R4 its word
/// of a buffer, R6 one of a buffer without contents, R[10:11] the address of its word of `out`.
co::binary_answer run(std::string const& body, words const& word = zeros, places const& at = sm_90) {
  auto const parameter = [&](unsigned long offset) {
    return "c[0x0][" + in_hex(std::stoul(at.parameters, nullptr, 16) + offset) + "]";
  };
  std::string const all = "LDC R1, c[0x0][" + std::string(at.stack) +
                          "]\nIADD3 R1, R1, -0x100, RZ\nS2R R0, SR_TID.X\n" + "LDC.64 R2, " + parameter(8) +
                          "\nIMAD.WIDE.U32 R2, R0, 0x4, R2\n" + "LDG.E R4, desc[UR4][R2.64]\nLDC.64 R2, " +
                          parameter(16) + "\nIMAD.WIDE.U32 R2, R0, 0x4, R2\nLDG.E R6, desc[UR4][R2.64]\nLDC.64 R10, " +
                          parameter(0) + "\nIMAD.WIDE.U32 R10, R0, 0x4, R10\nIADD3 R5, R1, R4, RZ\n" + body + "EXIT";
  std::vector<unsigned char> contents(128);
  for (unsigned k = 0; k != 128; ++k) contents[k] = static_cast<unsigned char>(word[k / 4] >> k % 4 * 8);
  co::binary_launch launch;
  launch.block = {32};
  launch.arguments = {co::binary_argument::buffer(4096, std::vector<unsigned char>(4096), "out"),
                      co::binary_argument::buffer(128, contents, "data"), co::binary_argument::buffer(128, {}, "other"),
                      co::binary_argument::unknown(4)};
  return co::sass::record(
      at.target, ".target " + std::string(at.target) + "\n.text.made:\n" + coalescing_tests::sass_code(all), launch);
}
std::string const out = "STG.E desc[UR4][R10.64], R8\n";
/// Whether all words of `out` that the threads store are known, and these.
bool leaves(co::binary_answer const& answer, words const& expected) {
  bool all = answer.unknown.empty();
  for (unsigned k = 0; k != 128; ++k)
    all = all && answer.buffers[0].bytes.final_byte(k) == static_cast<int>(expected[k / 4] >> k % 4 * 8 & 255);
  return all;
}
bool forgets(co::binary_answer const& answer) {
  bool any = false;
  for (unsigned k = 0; k != 128; ++k) any = any || answer.buffers[0].bytes.final_byte(k) < 0;
  return answer.unknown.empty() && any;
}
words made_of(auto const& of) {
  words made;
  for (unsigned lane = 0; lane != 32; ++lane) made[lane] = static_cast<unsigned>(of(lane));
  return made;
}

}  // namespace

TEST_CASE("sass: accesses to local memory cost what an H100 counted") {
  // H100 (CC 9.0), driver 580.159.04, ncu 2025.3.1, 26 November 2026: memory_l2_theoretical_sectors_local of one
  // instruction, and l1tex__t_requests_pipe_lsu_mem_local_op_ld and _st of the kernel. One warp of 32 lanes.
  struct {
    char const* opcode;
    bool are_apart;  ///< each lane has another offset; else all have one
    unsigned sectors, requests;
  } const rows[] = {{"STL.U8", false, 4, 1},  {"LDL.U8", false, 4, 1},   {"STL.U16", false, 4, 1},
                    {"LDL.U16", false, 4, 1}, {"STL", false, 4, 1},      {"LDL", false, 4, 1},
                    {"STL.64", false, 8, 2},  {"STL.128", false, 16, 4}, {"LDL.128", false, 16, 4},
                    {"LDL", true, 32, 1}};
  words const apart = made_of([](unsigned lane) { return 4 * lane; });
  for (places const& at : all_places)
    for (auto const& row : rows) {
      std::string const opcode = row.opcode;
      bool const loads = opcode[0] == 'L';
      auto const answer = run(opcode + (loads ? " R12, [R5]\n" : " [R5], R12\n"), row.are_apart ? apart : zeros, at);
      CAPTURE(at.target);
      CAPTURE(row.opcode);
      CHECK(answer.unknown.empty());
      auto const cost = loads ? answer.sites.loads("local") : answer.sites.stores("local");
      CHECK(cost.transactions == row.sectors);
      CHECK(cost.issued == row.requests);
      CHECK_FALSE(cost.at_most);
    }
}

TEST_CASE("sass: words of local memory alternate by lane") {
  // A lane's word k lies in row k, where 8 lanes' words are a sector. The control is another layout, in which each
  // lane's memory is in one piece: it gives other numbers.
  std::mt19937 random(5);
  constexpr std::pair<unsigned, char const*> widths[] = {{1, "U8"}, {2, "S16"}, {4, "32"}, {8, "64"}, {16, "128"}};
  unsigned differ = 0;
  for (unsigned n = 0; n != 200; ++n) {
    auto const [bytes, width] = widths[n % 5];
    unsigned const most = random() % 2 == 0 ? 240 : 32, lanes = 1 + random() % 32;
    words const offsets = made_of([&](unsigned) { return random() % most / bytes * bytes; });
    std::uint64_t sectors = 0;
    for (unsigned at = 0; at < bytes; at += 4) {  // a request for each word
      std::set<std::array<unsigned, 2>> rows;
      for (unsigned lane = 0; lane != lanes; ++lane) rows.insert({(offsets[lane] + at) / 4, lane / 8});
      sectors += rows.size();
    }
    std::set<std::array<unsigned, 2>> in_one_piece;
    for (unsigned lane = 0; lane != lanes; ++lane)
      for (unsigned byte = 0; byte != bytes; ++byte) in_one_piece.insert({lane, (offsets[lane] + byte) / 32});
    bool const loads = random() % 2 == 0;
    std::string const opcode = (loads ? "LDL." : "STL.") + std::string(width),
                      body = "ISETP.LT.U32.AND P0, PT, R0, " + in_hex(lanes) + ", PT\n@P0 " + opcode +
                             (loads ? " R12, [R5]\n" : " [R5], R12\n");
    auto const answer = run(body, offsets);
    auto const found = loads ? answer.sites.loads("local") : answer.sites.stores("local");
    CAPTURE(body);
    CHECK(found.transactions == sectors);
    CHECK_FALSE(found.at_most);
    differ += found.transactions != in_one_piece.size();
  }
  CHECK(differ > 150);
}

TEST_CASE("sass: an offset that depends on data has an upper bound") {
  // R6 is data: each lane's word may lie in a row of its own, and 32 lanes then touch 32 sectors of each word.
  std::string const at = "LOP3.LUT R7, R6, 0xf0, RZ, 0xc0, !PT\nIADD3 R7, R7, R1, RZ\n";
  for (auto const& [access, most] :
       {std::pair{"LDL R12, [R7]\n", 32u}, {"LDL.U8 R12, [R7]\n", 32u}, {"STL.64 [R7], R12\n", 64u}}) {
    auto const cost = run(at + access).sites.of("local");
    CHECK(cost.at_most);
    CHECK(cost.transactions == most);
  }
  // A kernel's argument moves all lanes alike: 4 sectors, whatever it is.
  auto const moved = run("LDC R7, c[0x0][0x228]\nLEA R7, R7, R1, 0x2\nLDL R12, [R7]\n").sites.of("local");
  CHECK(moved.transactions == 4);
  // Data decide which lanes take part: at most those of all.
  auto const some = run("ISETP.NE.AND P0, PT, R6, RZ, PT\n@P0 LDL R12, [R5]\n").sites.of("local");
  CHECK(some.at_most);
  CHECK(some.transactions == 4);
}

TEST_CASE("sass: what a lane keeps in local memory is known again") {
  words const numbers = made_of([](unsigned lane) { return lane; });
  std::string const keep = "STL [R1+0x8], R0\n", load = "LDL R8, [R1+0x8]\n";
  for (places const& at : all_places) {
    CAPTURE(at.target);
    CHECK(leaves(run(keep + load + out, zeros, at), numbers));
  }
  CHECK(forgets(run(load + out)));  // nothing was stored there
  CHECK(forgets(run(keep + "LDL R8, [R1+0xc]\n" + out)));
  // Parts of a word, and words of an access.
  CHECK(leaves(run("MOV R9, 0x81\n" + keep + "STL.U8 [R1+0x9], R9\n" + load + out),
               made_of([](unsigned lane) { return lane | 0x8100; })));
  CHECK(leaves(run("MOV R9, 0x8123\n" + keep + "STL.U16 [R1+0xa], R9\nLDL.S16 R8, [R1+0xa]\n" + out),
               made_of([](unsigned) { return 0xffff8123u; })));
  CHECK(leaves(run("MOV R12, R0\nMOV R13, 0x7\nSTL.64 [R1], R12\nLDL R8, [R1+0x4]\n" + out),
               made_of([](unsigned) { return 7; })));
  CHECK(leaves(run("MOV R14, R0\nSTL.128 [R1], R12\nLDL.128 R4, [R1]\nMOV R8, R6\n" + out), numbers));
  CHECK(forgets(run("MOV R14, R0\nSTL.128 [R1], R12\nLDL.128 R4, [R1]\nMOV R8, R7\n" + out)));
  CHECK(forgets(run(keep + "STL.U8 [R1+0x9], R6\n" + load + out)));
  CHECK(leaves(run(keep + "STL.U8 [R1+0xc], R6\n" + load + out), numbers));
  // A store whose offset depends on data reaches any word; one that data may mask leaves what was there, or not.
  CHECK(forgets(run(keep + "LOP3.LUT R7, R6, 0xf0, RZ, 0xc0, !PT\nIADD3 R7, R7, R1, RZ\nSTL [R7], R0\n" + load + out)));
  std::string const half = "ISETP.NE.AND P0, PT, R6, RZ, PT\n@P0 STL [R1+0x8], ";
  CHECK(forgets(run(keep + half + "RZ\n" + load + out)));
  CHECK(leaves(run(keep + half + "R0\n" + load + out), numbers));
  // Each lane's own offset.
  CHECK(leaves(run("STL [R5], R0\nLDL R8, [R5]\n" + out, made_of([](unsigned lane) { return 4 * (lane * 7 % 32); })),
               numbers));
  // An opcode that is not in the tables may store there.
  CHECK(run(keep + "FROB [R4], R6\n" + load + out).buffers[0].bytes.final_byte(0) < 0);
}

TEST_CASE("sass: generic addresses of local memory") {
  words const numbers = made_of([](unsigned lane) { return lane; });
  for (places const& at : all_places) {
    CAPTURE(at.target);
    std::string const window = "LDC.64 R14, c[0x0][" + std::string(at.window) +
                               "]\nIADD3 R12, P0, R5, R14, RZ\nIADD3.X R13, RZ, R15, RZ, P0, !PT\n",
                      data = "IADD3 R12, P0, R6, R14, RZ\nIADD3.X R13, RZ, R15, RZ, P0, !PT\n";
    // They cost as LDL and STL do, and reach the same words.
    auto const both = run(window + "ST.E desc[UR4][R12.64], R0\nLDL R8, [R5]\n" + out, zeros, at);
    CHECK(leaves(both, numbers));
    CHECK(both.sites.stores("local").transactions == 4);
    CHECK(leaves(run(window + "STL [R5], R0\nLD.E R8, desc[UR4][R12.64]\n" + out, zeros, at), numbers));
    // An address that depends on data has no cost, as in other memory, and may be any word.
    auto const any =
        run(window + "STL [R5], R0\n" + data + "ST.E desc[UR4][R12.64], R0\nLDL R8, [R5]\n" + out, zeros, at);
    CHECK(any.unknown.size() == 1);
    CHECK(any.buffers[0].bytes.final_byte(0) < 0);
    // Lanes in local and in global memory.
    auto const mixed = run(window +
                               "ISETP.LT.U32.AND P1, PT, R0, 0x10, PT\n@P1 MOV R12, R10\n@P1 MOV R13, R11\n"
                               "ST.E desc[UR4][R12.64], R0\n",
                           zeros, at);
    CHECK(mixed.unknown.size() == 1);
  }
}

TEST_CASE("sass: a comparison of two sums that may wrap around is not known, nor whether lanes part at it") {
  // R7 is 8 times the data. If that wraps around, (R7 + 8) / 8 is not R7 / 8 + 1. `word` is R4, whose contents are
  // known, or R6, which has none.
  auto const body = [](std::string const& word, std::string const& then) {
    return "IMAD.SHL.U32 R7, " + word +
           ", 0x8, RZ\nIADD3 R8, R7, 0x8, RZ\nSHF.R.U32.HI R8, RZ, 0x3, R8\nSHF.R.U32.HI R9, RZ, 0x3, R7\n"
           "IADD3 R9, R9, 0x1, RZ\nISETP.NE.AND P0, PT, R8, R9, PT\n" +
           then;
  };
  std::string const store = "@P0 STG.E desc[UR4][R10.64], R0\n";
  auto const any = run(body("R6", store)).sites.stores("out");
  for (unsigned const is : {0u, 1u, 0x1fffffffu, 0x3fffffffu, 0xffffffffu}) {
    auto const known = run(body("R4", store), made_of([is](unsigned) { return is; }));
    CHECK(known.unknown.empty());
    auto const stores = known.sites.stores("out");
    CHECK(stores.issued == (is == 0x1fffffff || is == 0x3fffffff || is == 0xffffffff ? 1 : 0));
    CHECK(stores.issued <= any.issued);
    CHECK((stores.issued == 0 ? 0 : stores.transactions) <= any.transactions);
  }
  CHECK(any.at_most);
  // The control: the same sum twice decides the comparison.
  auto const same = [](std::string const& then) {
    return "IADD3 R8, R6, 0x8, RZ\nIADD3 R9, R6, 0x4, RZ\nIADD3 R9, R9, 0x4, RZ\nISETP.NE.AND P0, PT, R8, R9, PT\n" +
           then;
  };
  CHECK(run(same(store)).sites.stores("out").issued == 0);
}
