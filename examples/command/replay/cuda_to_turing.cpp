// SPDX-License-Identifier: BSL-1.0
#include "../replay.hpp"

#include <coalesce/cuda.hpp>

replay_function replay_on_cuda_to_turing(std::string const& machine) {
  replay_function found = nullptr;
  coalescing::cuda::every_machine::each([&]<class Device>() {
    if constexpr (Device::identity.capability < 80)
      find_replay<Device>(found, std::string("cuda::") + Device::name, machine);
  });
  return found;
}
