// SPDX-License-Identifier: BSL-1.0
//
// rdna::issued_operations against LLVM 22's pass that inserts waits (si-insert-waitcnts): random programs of one wave
// on every chip, FLAT included, and the wait that LLVM puts before the use of one result. Samples and BVH are left out.
//   rdna_issued PATH_OF_LLC WORK_FOLDER [--break]
// --break asks a tenth, about the next operation that has a result, as a control.
// Exit status: 0 all equal, 1 mismatches, 2 the comparison itself went wrong.
#include <coalesce/rdna.hpp>

#include "run.hpp"

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <type_traits>
#include <vector>

namespace rdna = coalescing::rdna;
using namespace coalescing_tests;
using rdna::issued;

namespace {

struct operation {
  issued kind;
  std::string result;  // "v" or "s": the kind of register that holds the result; empty: it has no result
  std::string code;
};
std::vector<operation> const operations = {
    {issued::vector_load, "v", "GLOBAL_LOAD_DWORD $vgpr0_vgpr1, 0, 0, implicit $exec"},
    {issued::vector_store, "", "GLOBAL_STORE_DWORD $vgpr0_vgpr1, $vgpr2, 0, 0, implicit $exec"},
    {issued::vector_atomic, "", "GLOBAL_ATOMIC_ADD $vgpr0_vgpr1, $vgpr2, 0, 0, implicit $exec"},
    {issued::vector_atomic_return, "v", "GLOBAL_ATOMIC_ADD_RTN $vgpr0_vgpr1, $vgpr2, 0, 1, implicit $exec"},
    {issued::lds, "v", "DS_READ_B32_gfx9 $vgpr0, 0, 0, implicit $exec"},
    {issued::lds, "", "DS_WRITE_B32_gfx9 $vgpr0, $vgpr2, 0, 0, implicit $exec"},
    {issued::flat_load, "v", "FLAT_LOAD_DWORD $vgpr0_vgpr1, 0, 0, implicit $exec, implicit $flat_scr"},
    {issued::flat_load, "v", "FLAT_ATOMIC_ADD_RTN $vgpr0_vgpr1, $vgpr2, 0, 1, implicit $exec, implicit $flat_scr"},
    {issued::flat_store, "", "FLAT_STORE_DWORD $vgpr0_vgpr1, $vgpr2, 0, 0, implicit $exec, implicit $flat_scr"},
    {issued::flat_store, "", "FLAT_ATOMIC_ADD $vgpr0_vgpr1, $vgpr2, 0, 0, implicit $exec, implicit $flat_scr"},
    {issued::scalar, "s", "S_LOAD_DWORD_IMM $sgpr0_sgpr1, 0, 0"},
    {issued::message, "", "S_SENDMSG 1, implicit $exec, implicit $m0"},
    // gfx12, gfx1250
    {issued::invalidate, "", "GLOBAL_INV 16, implicit $exec"},
    {issued::write_back, "", "GLOBAL_WB 16, implicit $exec"},
};

/// Whether the generation has an instruction for each counter.
template <class Chip>
constexpr bool has_a_wait_a_counter = requires(rdna::waitcnt<Chip> one) {
  one.loadcnt;
};

/// The waits between the last operation and the use: "S_WAITCNT 1015", "S_WAIT_LOADCNT 2".
template <class Chip>
rdna::waitcnt<Chip> waits_of(std::string const& lines) {
  rdna::waitcnt<Chip> found;
  std::istringstream words{lines};
  std::string name;
  for (unsigned number = 0; words >> name >> number;) {
    if constexpr (has_a_wait_a_counter<Chip>) {
      if (name == "S_WAIT_LOADCNT_DSCNT")
        found.loadcnt = number >> 8, found.dscnt = number & 0xff;
      else if (name == "S_WAIT_LOADCNT")
        found.loadcnt = number;
      else if (name == "S_WAIT_DSCNT")
        found.dscnt = number;
      else if (name == "S_WAIT_KMCNT")
        found.kmcnt = number;
      else
        fail("not understood: " + lines);
    } else {
      if (name != "S_WAITCNT") fail("not understood: " + lines);
      std::uint32_t const opcode =
          std::is_same_v<typename rdna::generation_of<Chip>::type, rdna::gfx10> ? 0xbf8c'0000 : 0xbf89'0000;
      found = rdna::waitcnt<Chip>::decode(opcode | number);
    }
  }
  return found;
}

template <class Chip>
void compare(std::size_t& compared, std::size_t& mismatches, std::vector<std::string> const& arguments) {
  std::string const processor = Chip::name;
  auto const stem = arguments[2] + "/" + processor;
  std::mt19937 engine(5);
  std::vector<rdna::waitcnt<Chip>> ours;
  std::ofstream out{stem + ".mir"};
  for (unsigned n = 0; n != (arguments.size() == 4 ? 100 : 1000); ++n) {
    unsigned const size = 2 + static_cast<unsigned>(engine() % 12), drawn = static_cast<unsigned>(engine() % 3),
                   kinds = drawn == 0                   ? 5
                           : drawn == 1                 ? 10
                           : has_a_wait_a_counter<Chip> ? 14
                                                        : 12;
    rdna::issued_operations<Chip> wave;
    std::vector<unsigned> results;  // operations that have one
    std::string code;
    std::vector<std::string> use;
    for (unsigned k = 0; k != size; ++k) {
      auto const& one = operations[k == 0 ? 0 : engine() % kinds];
      static_cast<void>(wave.issue(one.kind));
      auto const to = "$" + one.result + "gpr" + std::to_string(10 + k);
      code += "    " + (one.result.empty() ? "" : to + " = ") + one.code + '\n';
      if (one.result.empty()) continue;
      results.push_back(k);
      use.push_back(one.result == "v" ? "    $vgpr40 = V_MOV_B32_e32 " + to + ", implicit $exec\n"
                                      : "    $sgpr40 = S_MOV_B32 " + to + "\n");
    }
    auto const asked = engine() % results.size();
    auto const answered = arguments.size() == 4 ? (asked + 1) % results.size() : asked;
    ours.push_back(wave.weakest_wait(results[answered]));
    out << "---\nname: f" << n << "\ntracksRegLiveness: false\nbody: |\n  bb.0:\n"
        << code << use[asked] << "    S_ENDPGM 0\n...\n";
  }
  out.close();
  if (!out) fail("cannot write " + stem + ".mir");
  std::istringstream said{output_of(quoted(arguments[1]) + " -mtriple=amdgcn-amd-amdhsa -mcpu=" + processor +
                                    " -run-pass=si-insert-waitcnts " + quoted(stem + ".mir") + " -o -")};
  std::size_t n = 0;
  std::string waits;
  for (std::string line; std::getline(said, line);) {
    auto const at = line.find_first_not_of(' ');
    if (at == line.npos) continue;
    if (line.find("gpr40 = ") != line.npos) {
      if (n == ours.size()) fail("more functions than asked for");
      auto const llvm = waits_of<Chip>(waits);
      if (llvm != ours[n] && ++mismatches <= 10)
        std::printf("%s, function f%zu: LLVM waits for %s, we for %s\n", processor.c_str(), n, llvm.text().c_str(),
                    ours[n].text().c_str());
      ++n, ++compared;
    } else if (line.compare(at, 6, "S_WAIT") == 0) {
      waits += line + '\n';
      continue;
    }
    waits.clear();  // it stood before something else
  }
  if (n != ours.size()) fail("fewer functions than asked for");
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::string> const words(arguments, arguments + count);
  if (count != 3 && !(count == 4 && words[3] == "--break"))
    fail("usage: rdna_issued PATH_OF_LLC WORK_FOLDER [--break]");
  std::filesystem::create_directories(words[2]);
  std::size_t compared = 0, mismatches = 0;
  rdna::every_machine::each([&]<class Chip>() {
    if constexpr (requires { typename Chip::generation; })  // LLVM 22 does not know the others
      compare<Chip>(compared, mismatches, words);
  });
  std::printf("%zu waits compared, %zu mismatches\n", compared, mismatches);
  if (compared == 0) fail("no chip was asked");
  return mismatches == 0 ? 0 : 1;
}
