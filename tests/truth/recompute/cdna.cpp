// SPDX-License-Identifier: BSL-1.0
#include "truth/instructions/cdna.hpp"

#include <cstdio>

#include "questions.hpp"

namespace recompute {

namespace {

namespace cdna = co::cdna;

/// About kernels, of which some use more than there is.
template <class Chip>
void ask_occupancies(std::string const& machine, unsigned questions) {
  random_numbers random(machine + " occupancy");
  auto const below = [&](unsigned bound) { return static_cast<unsigned>(random.below(bound)); };
  for (unsigned k = 0; k != questions; ++k) {
    unsigned const limits[] = {Chip::lds_bytes, Chip::lds_bytes / 4, Chip::lds_bytes / 16, 2048, 1};
    cdna::kernel_resources kernel{.arch_vgprs = below(257),
                                  .acc_vgprs = random.one_in(2) ? 0 : below(257),
                                  .sgprs = below(109),
                                  .lds_bytes = below(limits[below(5)] + 1)};
    kernel.work_group_size = random.one_in(2) ? 64 * (1 + below(16)) : 1 + below(1024);
    if (random.one_in(3)) kernel.lds_bytes = kernel.lds_bytes / Chip::lds_granule * Chip::lds_granule;
    if (random.one_in(3)) kernel.arch_vgprs /= 8, kernel.acc_vgprs /= 8;  // so few that something else limits
    if (kernel.lds_bytes == 0 && random.one_in(4)) kernel.work_group_size = 0;
    if (random.one_in(20)) kernel.arch_vgprs += 200;
    if (random.one_in(20)) kernel.acc_vgprs += 200;
    if (random.one_in(20)) kernel.sgprs += 60;
    if (random.one_in(20)) kernel.work_group_size += 1000;
    if (random.one_in(20)) kernel.lds_bytes += Chip::lds_bytes;
    bool const raw = random.one_in(3);
    std::string line = machine + " occupancy arch=" + std::to_string(kernel.arch_vgprs) +
                       " acc=" + std::to_string(kernel.acc_vgprs) + " sgprs=" + std::to_string(kernel.sgprs) +
                       " lds=" + std::to_string(kernel.lds_bytes) + " group=" + std::to_string(kernel.work_group_size) +
                       " raw=" + (raw ? "1" : "0") + " :";
    try {
      auto const found = Chip::occupancy(kernel, raw ? cdna::lds_counting::raw_bytes : cdna::lds_counting::by_granule);
      line += " by_vgprs=" + std::to_string(found.by_vgprs) + " by_sgprs=" + std::to_string(found.by_sgprs) +
              " by_lds=" + std::to_string(found.by_lds) + " waves=" + std::to_string(found.waves);
    } catch (co::misuse const&) {
      line += " refused=kernel";
    }
    std::puts(line.c_str());
  }
}

}  // namespace

void ask_cdna() {
  coalescing_tests::each_instruction_of_cdna(asker{50});
  cdna::every_machine::each([]<class Chip>() { ask_occupancies<Chip>(Chip::name, 300); });
}

}  // namespace recompute
