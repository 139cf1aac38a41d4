// SPDX-License-Identifier: BSL-1.0
#include "../replay.hpp"

#include <coalesce/cdna.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/rdna.hpp>

namespace {

/// Whether the chip has waves of 64 lanes. (To name those of another one is an error.)
template <class Chip>
constexpr bool has_wave64 = false;
template <coalescing::rdna::chip Chip>
requires(!coalescing::rdna::is_only_named<Chip>) constexpr bool has_wave64<coalescing::rdna::machine<Chip>> =
    coalescing::rdna::row<Chip>::wave64.value;

}  // namespace

replay_function replay_on_waves_of_64(std::string const& machine) {
  replay_function found = nullptr;
  find_replay<coalescing::gcn::machine>(found, "gcn", machine);
  coalescing::cdna::every_machine::each(
      [&]<class Chip>() { find_replay<Chip>(found, std::string("cdna::") + Chip::name, machine); });
  coalescing::rdna::every_machine::each([&]<class Chip>() {
    if constexpr (has_wave64<Chip>)
      find_replay<typename Chip::wave64>(found, std::string("rdna::") + Chip::name + "::wave64", machine);
  });
  return found;
}
