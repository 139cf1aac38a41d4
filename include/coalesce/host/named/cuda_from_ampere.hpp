// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/named/cuda.hpp>
#include <coalesce/host/named/machines.hpp>

#include <vector>

// The instructions of the compute capabilities from 8.0 on. Include this header, or host/named/every.hpp, in one source
// file.

namespace coalescing::detail {

void list_machines_of_cuda_from_ampere(std::vector<named_machine>& machines) {
  detail::list_half_of_cuda<false>(machines);
}

}  // namespace coalescing::detail
