// SPDX-License-Identifier: BSL-1.0
#include "../replay.hpp"

#include <coalesce/rdna.hpp>

replay_function replay_on_waves_of_32(std::string const& machine) {
  replay_function found = nullptr;
  coalescing::rdna::every_machine::each(
      [&]<class Chip>() { find_replay<Chip>(found, std::string("rdna::") + Chip::name, machine); });
  return found;
}
