// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cuda.hpp>
#include <coalesce/host/named/replay.hpp>

void coalescing::detail::list_replays_of_cuda_from_ampere(std::vector<named_replay>& machines) {
  cuda::every_machine::each([&]<class Device>() {
    if constexpr (Device::identity.capability >= 80)
      detail::list_replay<Device>(machines, std::string("cuda::") + Device::name);
  });
}
