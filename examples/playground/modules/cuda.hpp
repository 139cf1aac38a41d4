// SPDX-License-Identifier: BSL-1.0
#pragma once
#include "../answers.hpp"

#include <coalesce/host/named/cuda.hpp>

/// Appends the compute capabilities from First to Last. (A module with all of them would be too large: pack.sh.)
template <unsigned First, unsigned Last>
void list_capabilities(std::vector<coalescing::named_machine>& machines) {
  coalescing::cuda::every_machine::each([&machines]<class Device>() {
    if constexpr (Device::identity.capability >= First && Device::identity.capability <= Last) {
      auto& made = machines.emplace_back(coalescing::named_machine{std::string("cuda::") + Device::name, {}});
      coalescing::detail::list_of_cuda<Device>{coalescing::detail::named_listing{made}}.all();
    }
  });
}
