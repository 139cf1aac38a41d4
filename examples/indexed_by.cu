// SPDX-License-Identifier: BSL-1.0
//
// A kernel that indexes with the very functor that is asserted: nvcc -std=c++20, or clang as HIP. A functor marked
// __host__ __device__ may stand anywhere; a lambda, in the kernel that calls it.
#include <coalesce/cuda.hpp>
#ifdef __clang__  // as HIP, without ROCm's headers
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
__device__ inline unsigned this_lane() { return __builtin_amdgcn_workitem_id_x(); }
#else
__device__ inline unsigned this_lane() { return threadIdx.x; }
#endif
namespace co = coalescing;

/// A column of a tile of 32 floats a row, padded by one: lane -> byte in shared memory.
struct column {
  __host__ __device__ constexpr unsigned operator()(unsigned lane) const { return lane * 33 * sizeof(float); }
};
static_assert(co::cost<co::cuda::cc90::shared_load<32>>(column{}).conflicts == 0);

__global__ void first_column(float* out, float const* in) {
  __shared__ float tile[32 * 33];
  constexpr auto row = [](unsigned lane) { return lane * sizeof(float); };
  static_assert(co::cost<co::cuda::cc90::load<32>>(row).transactions == 4);
  tile[this_lane()] = in[row(this_lane()) / sizeof(float)];
  out[this_lane()] = tile[column{}(this_lane()) / sizeof(float)];
}
