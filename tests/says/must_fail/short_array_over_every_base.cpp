// SPDX-License-Identifier: BSL-1.0
// EXPECT: the array of addresses has fewer elements than the instruction has lanes
#include <coalesce/cuda.hpp>
#include <coalesce/total.hpp>
namespace co = coalescing;

constexpr unsigned addresses[31] = {};
constexpr auto cost = co::total<co::cuda::cc90::load<32>>(addresses, co::every_base{4});
