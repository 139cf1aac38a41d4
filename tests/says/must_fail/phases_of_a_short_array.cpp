// SPDX-License-Identifier: BSL-1.0
// EXPECT: the array of addresses has fewer elements than the instruction has lanes
#include <coalesce/cuda.hpp>
namespace co = coalescing;

constexpr unsigned addresses[31] = {};
static_assert(co::phases<co::cuda::cc90::shared_load<32>>(addresses).size() == 1);
