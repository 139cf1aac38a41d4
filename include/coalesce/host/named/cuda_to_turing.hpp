// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/named/cuda.hpp>
#include <coalesce/host/named/machines.hpp>

#include <vector>

// The instructions of the compute capabilities up to 7.5. Include this header, or host/named/every.hpp, in one source
// file.

namespace coalescing::detail {

void list_machines_of_cuda_to_turing(std::vector<named_machine>& machines) {
  detail::list_half_of_cuda<true>(machines);
}

}  // namespace coalescing::detail
