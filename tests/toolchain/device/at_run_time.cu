// SPDX-License-Identifier: BSL-1.0
//
// A question at run time in device code, about a pattern of each kind: none may link, and the name that is missing says
// why. nvcc would compile calls of host functions, as those of std::array, to nothing.
#include <coalesce/coalesce.hpp>

#include <array>

#ifndef __global__
#define __global__ __attribute__((global))
#endif

namespace co = coalescing;

#if defined(COALESCE_LINEAR)
using pattern = co::linear;
#elif defined(COALESCE_ARRAY)
struct pattern {
  unsigned long long of[32];
};
#elif defined(COALESCE_STD_ARRAY)
using pattern = std::array<unsigned long long, 32>;
#endif

__global__ void kernel(unsigned long long* out, pattern asked) {
#if defined(COALESCE_ARRAY)
  out[0] = co::cost<co::cuda::cc90::load<32>>(asked.of).transactions;
#elif defined(COALESCE_FOOTPRINT)
  out[0] = co::footprint<128, 32>(asked, 4);
#else
  out[0] = co::transactions<co::cuda::cc90::load<32>>(asked).size();
#endif
}
