// SPDX-License-Identifier: BSL-1.0
// EXPECT: this layout gives elements
#include <coalesce/cuda.hpp>
namespace co = coalescing;

// A layout of elements, as cute::Layout, ComposedLayout and Tensor are known.
struct tile {
  constexpr tile layout() const { return {}; }
  constexpr int shape() const { return 32; }
  constexpr int operator()(int at) const { return 32 * at; }
};
static_assert(co::cost<co::cuda::cc90::shared_load<32>>(tile{}).conflicts == 31);
