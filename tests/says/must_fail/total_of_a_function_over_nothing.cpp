// SPDX-License-Identifier: BSL-1.0
// EXPECT: of other patterns say over what: a co::domain
#include <coalesce/cuda.hpp>
#include <coalesce/total.hpp>
namespace co = coalescing;

constexpr auto cost = co::total<co::cuda::cc90::load<32>>([](unsigned lane) { return 4 * lane; });
