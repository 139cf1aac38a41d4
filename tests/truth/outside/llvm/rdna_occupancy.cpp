// SPDX-License-Identifier: BSL-1.0
//
// rdna's occupancy against LLVM 22's: the comment "Occupancy" in the assembly of kernels with so many registers, so
// much LDS and such work-groups, on every chip, in both waves and both modes; of gfx1250 and gfx1251 every number of
// registers above 256 too. LLVM's counts of LDS and of work-groups are options.
//   rdna_occupancy PATH_OF_LLC WORK_FOLDER [--break]
// --break asks about a granule of registers more, as a control: there must be mismatches then.
// Exit status: 0 all equal, 1 mismatches, 2 the comparison itself went wrong. WORK_FOLDER keeps the .ll files.
#include <coalesce/rdna.hpp>

#include "occupancy.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace rdna = coalescing::rdna;
using namespace coalescing_tests;

namespace {

std::vector<rdna::kernel_resources> kernels(unsigned lds_bytes, unsigned seed) {
  std::vector<rdna::kernel_resources> all;
  std::mt19937 engine(seed);
  auto const below = [&](unsigned bound) { return static_cast<unsigned>(engine() % bound); };
  for (unsigned vgprs = 1; vgprs <= 256; vgprs += 1 + below(30)) all.push_back({.vgprs = vgprs});  // any work-group
  for (unsigned n = 0; n != 40; ++n) {
    unsigned const limits[] = {1, lds_bytes / 16, lds_bytes / 4, lds_bytes};
    all.push_back({.vgprs = 1 + below(below(2) == 0 ? 32 : 256),
                   .lds_bytes = below(limits[below(4)]),
                   .work_group_size = below(2) == 0 ? 32 * (1 + below(32)) : 1 + below(1024)});
  }
  return all;
}

struct comparison {
  std::string llc, folder;
  bool break_it;
  unsigned compared = 0, mismatches = 0;

  template <class Wave, class Mode>
  void compare(std::string const& name, std::string const& features, Mode const& mode) {
    auto const all = kernels(Wave::lds_bytes, compared);
    auto const path =
        folder + "/" + name + "_" + std::to_string(Wave::lanes_per_wave) + (mode.cu_mode ? "_cu" : "") + ".ll";
    std::ofstream file(path);
    for (std::size_t n = 0; n != all.size(); ++n)
      file << kernel_text(n, "~{v" + std::to_string(all[n].vgprs - 1) + "}", all[n].lds_bytes, all[n].work_group_size);
    file.close();
    std::string const assembly = output_of(coalescing_tests::quoted(llc) + " -mtriple=amdgcn-amd-amdhsa -mcpu=" + name +
                                           " -mattr=" + features + " -o - " + coalescing_tests::quoted(path));
    for (std::size_t n = 0; n != all.size(); ++n) {
      auto asked = all[n];
      auto const from = kernel_at(assembly, n);
      if (number_after(assembly, "; NumVgprs: ", from) != asked.vgprs ||
          number_after(assembly, "; LDSByteSize: ", from) != asked.lds_bytes)
        fail("kernel " + std::to_string(n) + " of " + path + " has other resources than asked for");
      if (break_it) asked.vgprs = asked.vgprs + Wave::vgpr_granule > 256 ? 1 : asked.vgprs + Wave::vgpr_granule;
      unsigned const expected = number_after(assembly, "; Occupancy: ", from), found = waves_of<Wave>(asked, mode);
      ++compared;
      if (found == expected) continue;
      if (++mismatches <= 10)
        std::printf("%s kernel %zu (%u VGPRs, %u bytes, %u lanes): LLVM %u, coalesce %u\n", path.c_str(), n,
                    asked.vgprs, asked.lds_bytes, asked.work_group_size, expected, found);
    }
  }
  template <class Wave, class Mode>
  static unsigned waves_of(rdna::kernel_resources const& kernel, Mode const& mode) {
    return Wave::occupancy(kernel, mode, rdna::lds_counting::raw_bytes, rdna::group_counting::by_llvm).waves;
  }
  /// Registers that no assembly in a program can name: a function of the machine's own for each.
  template <class Chip>
  void compare_above_256(std::string const& name) {
    auto const path = folder + "/" + name + "_above_256.mir";
    std::ofstream file(path);
    file << "--- |\n";
    for (unsigned vgprs = 257; vgprs <= 1024; ++vgprs)
      file << "  define amdgpu_kernel void @k" << vgprs
           << "() \"amdgpu-flat-work-group-size\"=\"32,32\" { ret void }\n";
    file << "...\n";
    for (unsigned vgprs = 257; vgprs <= 1024; ++vgprs)
      file << "---\nname: k" << vgprs
           << "\ntracksRegLiveness: false\nmachineFunctionInfo:\n  isEntryFunction: true\nbody: |\n  bb.0:\n    $vgpr"
           << vgprs - 1 << " = IMPLICIT_DEF\n    S_ENDPGM 0\n...\n";
    file.close();
    std::string const assembly = output_of(coalescing_tests::quoted(llc) + " -mtriple=amdgcn-amd-amdhsa -mcpu=" + name +
                                           " -start-before=si-insert-waitcnts -o - " + coalescing_tests::quoted(path));
    for (unsigned vgprs = 257; vgprs <= 1024; ++vgprs) {
      auto const from = kernel_at(assembly, vgprs);
      if (number_after(assembly, "; NumVgprs: ", from) != vgprs) fail("kernel has other registers than asked for");
      unsigned const asked = break_it ? 1 + vgprs % 256 : vgprs,
                     expected = number_after(assembly, "; Occupancy: ", from),
                     found = waves_of<Chip>({.vgprs = asked, .work_group_size = 32}, rdna::environment<Chip>{});
      ++compared;
      if (found == expected) continue;
      if (++mismatches <= 10) std::printf("%s, %u VGPRs: LLVM %u, coalesce %u\n", path.c_str(), vgprs, expected, found);
    }
  }
  template <class Chip>
  void compare(std::string const& name) {
    using mode = rdna::environment<typename Chip::generation>;
    compare<Chip>(name, "+wavefrontsize32,-cumode", mode{.cu_mode = false});
    compare<Chip>(name, "+wavefrontsize32,+cumode", mode{.cu_mode = true});
    compare<typename Chip::wave64>(name, "-wavefrontsize32,+wavefrontsize64,-cumode", mode{.cu_mode = false});
    compare<typename Chip::wave64>(name, "-wavefrontsize32,+wavefrontsize64,+cumode", mode{.cu_mode = true});
  }
};

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::string> const words(arguments, arguments + count);
  if (count != 3 && !(count == 4 && words[3] == "--break"))
    fail("usage: rdna_occupancy PATH_OF_LLC WORK_FOLDER [--break]");
  comparison all{words[1], words[2], count == 4};
  std::filesystem::create_directories(all.folder);
  rdna::every_machine::each([&]<class Chip>() {
    if constexpr (!requires { Chip::row::wave64; }) {
      std::printf("%s: left out, LLVM 22 does not know it\n", Chip::name);
    } else if constexpr (Chip::row::wave64.value) {
      all.compare<Chip>(Chip::name);
    } else {
      constexpr rdna::environment<Chip> only;
      all.compare<Chip>(Chip::name, "+cumode", only);
      all.compare_above_256<Chip>(Chip::name);
    }
  });
  std::printf("%u kernels compared, %u mismatches\n", all.compared, all.mismatches);
  if (all.compared < 2'000) return 2;
  return all.mismatches == 0 ? 0 : 1;
}
