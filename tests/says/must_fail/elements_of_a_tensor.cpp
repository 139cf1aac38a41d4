// SPDX-License-Identifier: BSL-1.0
// EXPECT: takes the layout that says where they are
#include <coalesce/cuda.hpp>
#include <coalesce/layout.hpp>
namespace co = coalescing;

// A tensor of integers, as cute::Tensor is known: called, it gives what lies there.
struct tensor {
  struct where {
    constexpr int shape() const { return 32; }
  };
  constexpr where layout() const { return {}; }
  constexpr int const* data() const { return nullptr; }
  constexpr int operator()(unsigned) const { return 0; }
};
static_assert(co::cost<co::cuda::cc90::load<32>>(co::elements<int>(tensor{})).transactions == 4);
