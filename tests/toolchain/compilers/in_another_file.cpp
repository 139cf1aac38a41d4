// SPDX-License-Identifier: BSL-1.0
//
// The other half of everything.cpp.
#include <every_header.hpp>

namespace co = coalescing;

std::uint64_t in_another_file(std::int64_t stride);

std::uint64_t in_another_file(std::int64_t stride) {
  co::linear const pattern{.base = 1 << 20, .stride = stride};
  return co::cost<co::cuda::cc90::load<32>>(pattern).transactions + co::cost<co::gcn::buffer_load<32>>(pattern).clocks;
}
