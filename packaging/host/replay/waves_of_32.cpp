// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cuda.hpp>
#include <coalesce/host/named/replay.hpp>
#include <coalesce/rdna.hpp>

void coalescing::detail::list_replays_of_waves_of_32(std::vector<named_replay>& machines) {
  cuda::every_machine::each(
      [&]<class Device>() { detail::list_replay<Device>(machines, std::string("cuda::") + Device::name); });
  rdna::every_machine::each(
      [&]<class Chip>() { detail::list_replay<Chip>(machines, std::string("rdna::") + Chip::name); });
}
