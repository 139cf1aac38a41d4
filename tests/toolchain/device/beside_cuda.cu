// SPDX-License-Identifier: BSL-1.0
//
// Beside the toolkit's own headers, which have a namespace ::cuda and functions named as ours, and beside CuTe, whose
// users write `using namespace cute` and call coalesce() unqualified: nothing becomes ambiguous, in either order of
// inclusion.
#ifdef COALESCE_FIRST
#include <coalesce/coalesce.hpp>
#endif
#include <cooperative_groups.h>

#include <cub/cub.cuh>
#include <cuda/std/array>
#include <cuda/std/mdspan>
#ifndef COALESCE_FIRST
#include <coalesce/coalesce.hpp>
#endif

namespace cute {
template <class Layout>
__host__ __device__ constexpr Layout coalesce(Layout const& layout) {
  return layout;
}
}  // namespace cute
using namespace cute;
#ifdef COALESCE_AMBIGUOUS
namespace coalesce {}  // namespace coalesce
#endif

namespace co = coalescing;
namespace cg = cooperative_groups;

/// A layout in CUDA's own words, an mdspan's mapping, asked as a pattern: lane k reads element (k, 0).
using tile = cuda::std::layout_right::mapping<cuda::std::extents<int, 32, 33>>;
struct column {
  __host__ __device__ constexpr unsigned long long operator()(unsigned lane) const {
    return sizeof(float) * static_cast<unsigned long long>(tile{}(static_cast<int>(lane), 0));
  }
};
static_assert(co::cost<co::cuda::cc90::shared_load<32>>(column{}).conflicts == 0);

/// CUDA's array is an array of addresses.
constexpr cuda::std::array<unsigned, 32> table{};
static_assert(co::cost<co::cuda::cc90::load<32>>(table).transactions == 1);

__global__ void kernel(float* out, float const* in) {
  static_assert(coalesce(co::linear{.stride = 4}) == co::linear{.stride = 4});
  static_assert(co::cost<co::cuda::cc90::load<32>>(co::linear{.stride = 4}).transactions == 4);
  using sum = cub::WarpReduce<float>;
  __shared__ sum::TempStorage storage;
  auto const warp = cg::tiled_partition<32>(cg::this_thread_block());
  out[warp.thread_rank()] = sum(storage).Sum(in[column{}(warp.thread_rank()) / sizeof(float)]);
}
