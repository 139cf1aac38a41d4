// SPDX-License-Identifier: BSL-1.0
//
// cdna::waitcnt against LLVM 22's assembler: every value of the three counters, as text and as the 16 bits of the
// instruction.
//   waitcnt PATH_OF_LLVM_MC WORK_FOLDER [--break]
// --break expects the bits of another value, as a control. Exit status: 0 all equal, 1 mismatches, 2 it went wrong.
#include <coalesce/cdna.hpp>

#include "run.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

namespace cdna = coalescing::cdna;
using namespace coalescing_tests;

int main(int count, char** arguments) {
  std::vector<std::string> const words(arguments, arguments + count);
  if (count != 3 && !(count == 4 && words[3] == "--break"))
    fail("usage: waitcnt PATH_OF_LLVM_MC WORK_FOLDER [--break]");
  std::filesystem::create_directories(words[2]);
  auto const file = words[2] + "/waitcnt.s";

  std::vector<unsigned> expected;
  std::ofstream out{file};
  for (unsigned vm = 0; vm != 64; ++vm)
    for (unsigned exp = 0; exp != 8; ++exp)
      for (unsigned lgkm = 0; lgkm != 16; ++lgkm) {
        cdna::waitcnt const wait{.vmcnt = vm, .expcnt = exp, .lgkmcnt = lgkm};
        auto const text = wait.text();
        out << text.c_str() << '\n';
        expected.push_back(count == 4 ? wait.simm16() ^ 1 : wait.simm16());
      }
  out.close();
  if (!out) fail("cannot write " + file);

  // "s_waitcnt vmcnt(3)   ; encoding: [0x73,0x0f,0x8c,0xbf]": the immediate is in the low half.
  std::istringstream lines{
      output_of(quoted(words[1]) + " -triple=amdgcn-amd-amdhsa -mcpu=gfx942 -show-encoding " + quoted(file))};
  std::size_t compared = 0, mismatches = 0;
  for (std::string line; std::getline(lines, line);) {
    auto const at = line.find("encoding: [");
    if (at == line.npos) continue;
    auto const byte = [&](unsigned n) {
      return static_cast<unsigned>(std::stoul(line.substr(at + 11 + 5 * n, 4), nullptr, 16));
    };
    unsigned const word = byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24;
    if (compared == expected.size()) fail("more lines than asked for");
    mismatches += word != (0xbf8c0000u | expected[compared++]);
  }
  std::printf("%zu encodings compared, %zu mismatches\n", compared, mismatches);
  return compared != expected.size() ? 2 : mismatches == 0 ? 0 : 1;
}
