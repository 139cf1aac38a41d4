// SPDX-License-Identifier: BSL-1.0
//
// The loads straight to LDS and the transpose loads that each chip has, and their largest offsets, against LLVM 22's
// assembler.
//   instructions PATH_OF_LLVM_MC WORK_FOLDER [--break]
// --break expects the opposite for one instruction, as a control.
// Exit status: 0 all equal, 1 mismatches, 2 the comparison itself went wrong.
#include <coalesce/cdna.hpp>

#include "run.hpp"

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <vector>

namespace cdna = coalescing::cdna;
using namespace coalescing_tests;

namespace {

/// A line of assembly, and whether the library has it.
struct instruction {
  std::string text;
  bool exists;
};

template <unsigned Bits, class Row>
void loads_to_lds(std::vector<instruction>& all, std::string const& name) {
  all.push_back({"global_load_lds_" + name + " v[2:3], off", cdna::rules::to_lds_form<Row, Bits, false>::exists});
  all.push_back({"buffer_load_" + name + " off, s[8:11], s3 lds", cdna::rules::to_lds_form<Row, Bits, true>::exists});
}
template <cdna::chip Chip, unsigned Bits, unsigned ElementBits>
void transpose_load(std::vector<instruction>& all) {
  constexpr bool exists = requires { sizeof(cdna::ds_read_tr_row<Chip, Bits, ElementBits>); };
  all.push_back({"ds_read_b" + std::to_string(Bits) + "_tr_b" + std::to_string(ElementBits) +
                     " v[0:" + std::to_string(Bits / 32 - 1) + "], v4",
                 exists});
}

template <cdna::chip Chip>
std::vector<instruction> instructions_of(cdna::machine<Chip>*) {
  using row = cdna::row<Chip>;
  std::vector<instruction> all;
  loads_to_lds<8, row>(all, "ubyte"), loads_to_lds<8, row>(all, "sbyte");
  loads_to_lds<16, row>(all, "ushort"), loads_to_lds<16, row>(all, "sshort");
  loads_to_lds<32, row>(all, "dword"), loads_to_lds<64, row>(all, "dwordx2");
  loads_to_lds<96, row>(all, "dwordx3"), loads_to_lds<128, row>(all, "dwordx4");
  transpose_load<Chip, 64, 16>(all), transpose_load<Chip, 64, 8>(all), transpose_load<Chip, 64, 4>(all);
  transpose_load<Chip, 96, 6>(all), transpose_load<Chip, 64, 6>(all), transpose_load<Chip, 96, 16>(all);
  for (std::string const name : {"ds_read2_b32 v[0:1], v4", "ds_read2_b64 v[0:3], v4", "ds_read2st64_b32 v[0:1], v4",
                                 "ds_read2st64_b64 v[0:3], v4"})
    for (unsigned const offset : {0u, row::pair_offset.value, row::pair_offset.value + 1})
      all.push_back({name + " offset1:" + std::to_string(offset), offset <= row::pair_offset.value});
  for (unsigned const offset : {row::lds_load_offset.value, row::lds_load_offset.value + 1})
    all.push_back({"global_load_lds_dword v[2:3], off offset:" + std::to_string(offset),
                   cdna::rules::to_lds_form<row, 32, false>::exists && offset <= row::lds_load_offset.value});
  return all;
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::string> const words(arguments, arguments + count);
  if (count != 3 && !(count == 4 && words[3] == "--break"))
    fail("usage: instructions PATH_OF_LLVM_MC WORK_FOLDER [--break]");
  std::filesystem::create_directories(words[2]);
  std::size_t compared = 0, mismatches = 0;
  auto const compare = [&](std::string const& chip, std::vector<instruction> all) {
    if (count == 4) all[0].exists = !all[0].exists;
    auto const file = words[2] + "/" + chip + ".s";
    std::ofstream out{file};
    for (auto const& one : all) out << one.text << '\n';
    out.close();
    if (!out) fail("cannot write " + file);

    // "FILE:3:1: error: ..." of a line that it does not accept, "... ; encoding: [...]" of one that it does.
    std::istringstream said{output_of("{ " + quoted(words[1]) + " -triple=amdgcn-amd-amdhsa -mcpu=" + chip +
                                      " -show-encoding " + quoted(file) + " 2>&1; true; }")};
    std::set<std::size_t> refused;
    std::size_t accepted = 0;
    for (std::string line; std::getline(said, line);) {
      if (line.starts_with(file + ":") && line.find(": error: ") != line.npos)
        refused.insert(std::stoul(line.substr(file.size() + 1)));
      accepted += line.find("encoding: [") != line.npos;
    }
    if (accepted + refused.size() != all.size()) fail("not every line was accepted or refused");
    for (std::size_t n = 0; n != all.size(); ++n) {
      ++compared;
      if (all[n].exists == !refused.contains(n + 1)) continue;
      ++mismatches;
      std::printf("%s, %s: we say that it %s\n", chip.c_str(), all[n].text.c_str(),
                  all[n].exists ? "exists" : "does not exist");
    }
  };
  cdna::every_machine::each([&]<class Chip>() { compare(Chip::name, instructions_of(static_cast<Chip*>(nullptr))); });
  std::printf("%zu instructions compared, %zu mismatches\n", compared, mismatches);
  return mismatches == 0 ? 0 : 1;
}
