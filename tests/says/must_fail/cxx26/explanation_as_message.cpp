// SPDX-License-Identifier: BSL-1.0
// EXPECT: cuda::cc90::load<128>: 32 lanes.*transactions 32, ideal 16: 2 times.*Why: lanes 0 and 1 are 65,536 bytes
// apart
#include <coalesce/cuda.hpp>
#include <coalesce/explain.hpp>
namespace co = coalescing;

using load = co::cuda::cc90::load<128>;
constexpr co::linear column{.stride = 65536};
static_assert(co::cost<load>(column) == co::ideal<load>, co::explain<load>(column));
