// SPDX-License-Identifier: BSL-1.0
//
// rdna::waitcnt against LLVM 22's assembler: every value of the counters of each generation, as text, as 32-bit words,
// and back; the forms that the library reads and does not write (S_WAITCNT_VMCNT and its kin, S_WAIT_LOADCNT_DSCNT).
//   rdna_waitcnt PATH_OF_LLVM_MC WORK_FOLDER [--break]
// --break expects the bits of another value, as a control. Exit status: 0 all equal, 1 mismatches, 2 it went wrong.
#include <coalesce/rdna.hpp>

#include "run.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

namespace rdna = coalescing::rdna;
using namespace coalescing_tests;

namespace {

/// Lines of assembly, the waits that they are, and the words that the library gives.
template <class Chip>
struct lines {
  using waits = rdna::waitcnt<Chip>;

  std::string text;
  std::vector<waits> asked;
  std::vector<unsigned> words;  // the library's, or 0 where it only reads

  void writes(waits const& one) {
    auto const said = one.text();
    auto const made = one.encoding();
    text += std::string{said.c_str()} + '\n';
    if (made.size() != 1) fail("not one word: " + text);
    asked.push_back(one), words.push_back(made[0]);
  }
  void reads(std::string const& line, waits const& one) {
    text += line + '\n';
    asked.push_back(one), words.push_back(0);
  }
};

/// gfx10, gfx11.
template <class Chip>
requires requires(rdna::waitcnt<Chip> one) { one.vmcnt; }
void ask(lines<Chip>& all) {
  for (unsigned value = 0; value != 64 * 8 * 64; ++value)
    if (value + 1 != 64 * 8 * 64)  // the last waits for nothing
      all.writes({.vmcnt = value % 64, .expcnt = value / 64 % 8, .lgkmcnt = value / 512});
  for (unsigned value = 0; value != 64; ++value) {
    if (value != 63) all.writes({.vscnt = value});
    auto const alone = " null, " + std::to_string(value);
    all.reads("s_waitcnt_vmcnt" + alone, {.vmcnt = value});
    all.reads("s_waitcnt_lgkmcnt" + alone, {.lgkmcnt = value});
    if (value < 8) all.reads("s_waitcnt_expcnt" + alone, {.expcnt = value});
  }
}
template <class Chip>
void ask_joined(lines<Chip>& all) {
  for (unsigned first = 0; first != 64; ++first)
    for (unsigned second = 0; second != 64; ++second) {
      auto const number = " " + std::to_string(first * 256 + second);
      all.reads("s_wait_loadcnt_dscnt" + number, {.loadcnt = first, .dscnt = second});
      all.reads("s_wait_storecnt_dscnt" + number, {.storecnt = first, .dscnt = second});
    }
}
/// gfx12.
template <class Chip>
requires requires(rdna::waitcnt<Chip> one) { one.bvhcnt; }
void ask(lines<Chip>& all) {
  for (unsigned n = 0; n != 63; ++n) {
    all.writes({.loadcnt = n}), all.writes({.storecnt = n}), all.writes({.samplecnt = n}), all.writes({.dscnt = n});
    if (n < 31) all.writes({.kmcnt = n});
    if (n < 7) all.writes({.bvhcnt = n}), all.writes({.expcnt = n});
  }
  ask_joined(all);
}
/// gfx1250.
template <class Chip>
requires requires(rdna::waitcnt<Chip> one) { one.xcnt; }
void ask(lines<Chip>& all) {
  for (unsigned n = 0; n != 63; ++n) {
    all.writes({.loadcnt = n}), all.writes({.storecnt = n}), all.writes({.dscnt = n}), all.writes({.xcnt = n});
    all.writes({.asynccnt = n}), all.writes({.tensorcnt = n});
    if (n < 31) all.writes({.kmcnt = n});
  }
  ask_joined(all);
}

template <class Chip>
void compare(std::size_t& compared, std::size_t& mismatches, std::string const& processor,
             std::vector<std::string> const& arguments) {
  lines<Chip> all;
  ask(all);
  auto const file = arguments[2] + "/" + processor + ".s";
  std::ofstream out{file};
  out << all.text;
  out.close();
  if (!out) fail("cannot write " + file);

  // "s_wait_loadcnt 0x3   ; encoding: [0x03,0x00,0xc0,0xbf]": one word a line.
  std::istringstream said{output_of(quoted(arguments[1]) + " -triple=amdgcn-amd-amdhsa -mcpu=" + processor +
                                    " -show-encoding " + quoted(file))};
  std::size_t n = 0;
  for (std::string line; std::getline(said, line);) {
    auto const at = line.find("encoding: [");
    if (at == line.npos) continue;
    if (n == all.asked.size()) fail("more lines than asked for");
    unsigned word = 0;
    for (unsigned byte = 0; byte != 4; ++byte)
      word |= static_cast<unsigned>(std::stoul(line.substr(at + 11 + 5 * byte, 4), nullptr, 16)) << 8 * byte;
    if (arguments.size() == 4) word ^= 1;
    mismatches += (all.words[n] != 0 && word != all.words[n]) || rdna::waitcnt<Chip>::decode(word) != all.asked[n];
    ++n, ++compared;
  }
  if (n != all.asked.size()) fail("fewer lines than asked for");
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::string> const words(arguments, arguments + count);
  if (count != 3 && !(count == 4 && words[3] == "--break"))
    fail("usage: rdna_waitcnt PATH_OF_LLVM_MC WORK_FOLDER [--break]");
  std::filesystem::create_directories(words[2]);
  std::size_t compared = 0, mismatches = 0;
  rdna::every_machine::each([&]<class Chip>() {
    if constexpr (requires { Chip::row::wave64; }) {  // LLVM 22 does not know the others
      compare<Chip>(compared, mismatches, Chip::name, words);
    }
  });
  std::printf("%zu encodings compared, %zu mismatches\n", compared, mismatches);
  return mismatches == 0 ? 0 : 1;
}
