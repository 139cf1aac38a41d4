// SPDX-License-Identifier: BSL-1.0
// EXPECT: say over.co::elements
#include <coalesce/cuda.hpp>
#include <coalesce/layout.hpp>
namespace co = coalescing;

// A layout of elements, as cute::Layout, ComposedLayout and Tensor are known.
struct tile {
  constexpr tile layout() const { return {}; }
  constexpr int shape() const { return 32; }
  constexpr int operator()(int at) const { return 32 * at; }
};
static_assert(co::cost<co::cuda::cc90::shared_load<32>>(co::swizzle{.bits = 3, .base = 4, .shift = 3}.over(tile{}))
                  .conflicts == 31);
