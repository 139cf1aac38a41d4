// SPDX-License-Identifier: BSL-1.0
#include "truth/instructions/rdna.hpp"

#include <cstdio>

#include "questions.hpp"

namespace recompute {

namespace {

namespace rdna = co::rdna;

/// Most about clocks, of which there are few; more about LDS, whose phases differ, than about lines.
struct asker_of_rdna {
  template <class Instruction>
  void operator()(std::string const& machine, std::string const& name) const {
    unsigned questions = 8;
    if (Instruction::level == co::level::lds) questions = 24;
    if constexpr (requires(typename Instruction::cost_type cost) { cost.clocks; }) questions = 150;
    asker{questions}.template operator()<Instruction>(machine, name);
  }
};

/// About kernels, of which some use more than there is.
template <class Wave, class Generation>
void ask_occupancy(std::string const& machine, unsigned questions) {
  random_numbers random(machine + std::to_string(Wave::lanes_per_wave));
  auto const below = [&](unsigned bound) { return static_cast<unsigned>(random.below(bound)); };
  for (unsigned k = 0; k != questions; ++k) {
    unsigned const limits[] = {Wave::lds_bytes, Wave::lds_bytes / 4, Wave::lds_bytes / 16, 2048, 1};
    rdna::kernel_resources kernel{.vgprs = below(Wave::vgprs_of_a_wave + 1), .lds_bytes = below(limits[below(5)] + 1)};
    kernel.work_group_size = random.one_in(2) ? 32 * (1 + below(32)) : 1 + below(1024);
    if (random.one_in(3)) kernel.work_group_size = 1 + below(130);  // so small that their number is limited
    if (random.one_in(3)) kernel.lds_bytes = kernel.lds_bytes / 512 * 512;
    if (kernel.lds_bytes == 0 && random.one_in(4)) kernel.work_group_size = 0;
    if (random.one_in(20)) kernel.vgprs += 250;
    if (random.one_in(20)) kernel.work_group_size += 1000;
    if (random.one_in(20)) kernel.lds_bytes += Wave::lds_bytes;
    bool const cu_mode = random.one_in(2), raw = random.one_in(3), by_llvm = random.one_in(3);
    std::string line = machine + " occupancy lanes=" + std::to_string(Wave::lanes_per_wave) +
                       " vgprs=" + std::to_string(kernel.vgprs) + " lds=" + std::to_string(kernel.lds_bytes) +
                       " group=" + std::to_string(kernel.work_group_size) + " cu=" + (cu_mode ? "1" : "0") +
                       " raw=" + (raw ? "1" : "0") + " llvm=" + (by_llvm ? "1" : "0") + " :";
    try {
      auto const found = Wave::occupancy(kernel, rdna::environment<Generation>{.cu_mode = cu_mode},
                                         raw ? rdna::lds_counting::raw_bytes : rdna::lds_counting::by_granule,
                                         by_llvm ? rdna::group_counting::by_llvm : rdna::group_counting::by_guide);
      line += " by_vgprs=" + std::to_string(found.by_vgprs) + " by_lds=" + std::to_string(found.by_lds) +
              " waves=" + std::to_string(found.waves);
    } catch (co::misuse const&) {
      line += " refused=kernel";
    }
    std::puts(line.c_str());
  }
}
template <class Chip>
void ask_occupancies(std::string const& machine, unsigned questions) {
  ask_occupancy<Chip, typename co::rdna::generation_of<Chip>::type>(machine, questions);
  if constexpr (Chip::row::wave64.value)
    ask_occupancy<typename Chip::wave64, typename co::rdna::generation_of<Chip>::type>(machine, questions);
}

}  // namespace

void ask_rdna() {
  coalescing_tests::each_instruction_of_rdna(asker_of_rdna{});
  rdna::every_machine::each([]<class Chip>() {
    // Half of the questions about chips without a mode are refused for it.
    if constexpr (!coalescing_tests::lists("gfx1170 gfx1171 gfx1172 gfx1310", Chip::name))
      ask_occupancies<Chip>(Chip::name, coalescing_tests::lists("gfx1250 gfx1251", Chip::name) ? 200 : 50);
  });
}

}  // namespace recompute
