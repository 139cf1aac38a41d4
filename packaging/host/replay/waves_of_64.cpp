// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/host/named/replay.hpp>
#include <coalesce/rdna.hpp>

namespace coalescing {
namespace {

/// Whether the chip has waves of 64 lanes. (It is an error to name Chip::wave64 of a chip that has none.)
template <class Chip>
constexpr bool has_wave64 = false;
template <rdna::chip Chip>
requires(!rdna::is_only_named<Chip>) constexpr bool has_wave64<rdna::machine<Chip>> = rdna::row<Chip>::wave64.value;

}  // namespace

void detail::list_replays_of_waves_of_64(std::vector<named_replay>& machines) {
  detail::list_replay<gcn::machine>(machines, "gcn");
  cdna::every_machine::each(
      [&]<class Chip>() { detail::list_replay<Chip>(machines, std::string("cdna::") + Chip::name); });
  rdna::every_machine::each([&]<class Chip>() {
    if constexpr (has_wave64<Chip>)
      detail::list_replay<typename Chip::wave64>(machines, std::string("rdna::") + Chip::name + "::wave64");
  });
}

}  // namespace coalescing
