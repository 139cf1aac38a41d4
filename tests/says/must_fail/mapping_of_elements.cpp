// SPDX-License-Identifier: BSL-1.0
// EXPECT: this layout gives elements
#include <coalesce/cuda.hpp>
namespace co = coalescing;

// The mapping of an mdspan, as it is known.
struct mapping {
  constexpr int extents() const { return 32; }
  constexpr int required_span_size() const { return 32; }
  constexpr int operator()(int at) const { return at; }
};
static_assert(co::cost<co::cuda::cc90::load<32>>(mapping{}).transactions == 4);
