// SPDX-License-Identifier: BSL-1.0
//
// Questions about the 32 lanes of CC 9.0, with all their numbers, in the orders of any.cpp.
#include <coalesce/cuda.hpp>

namespace co = coalescing;
using co::cuda::cc90;

constexpr auto scrambled = [](unsigned lane) { return 4096ull * ((21 * lane + 11) % 32); };

constexpr auto dword = co::cost<cc90::load<32>>(co::linear{.stride = 4});
constexpr auto float4 = co::cost<cc90::load<128>>(co::linear{.stride = 16});
constexpr auto gather = co::cost<cc90::load<32>>(co::linear{.stride = 4096});
constexpr auto wide_gather = co::cost<cc90::load<128>>(co::linear{.stride = 65536});
constexpr auto shared = co::cost<cc90::shared_load<32>>(co::linear{.stride = 128});
constexpr auto wide_shared = co::cost<cc90::shared_load<128>>(co::linear{.stride = 16});
constexpr auto sectors = co::transactions<cc90::load<128>>(co::linear{.stride = 16});
