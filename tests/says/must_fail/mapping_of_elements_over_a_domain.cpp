// SPDX-License-Identifier: BSL-1.0
// EXPECT: this layout gives elements
#include <coalesce/cuda.hpp>
#include <coalesce/total.hpp>
namespace co = coalescing;

// The mapping of an mdspan of 32 x 32, as it is known.
struct mapping {
  constexpr int extents() const { return 0; }
  constexpr int required_span_size() const { return 1024; }
  constexpr int operator()(int row, int column) const { return 32 * row + column; }
};
static_assert(co::total<co::cuda::cc90::load<8>>(mapping{}, co::domain{32}).transactions == 1024);
