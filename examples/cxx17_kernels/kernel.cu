// SPDX-License-Identifier: BSL-1.0
//
// C++17, by nvcc or clang of whatever age: a kernel that indexes with the layouts. It knows nothing of coalesce.
#ifdef __clang__  // as HIP, without ROCm's headers
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
__device__ inline unsigned lane() { return __builtin_amdgcn_workitem_id_x(); }
#else
__device__ inline unsigned lane() { return threadIdx.x; }
#endif
#include "layout.hpp"

__global__ void first_column(float* out, float const* in) {
  __shared__ float tile[32 * 33];
  tile[lane()] = in[kernels::row{}(lane()) / sizeof(float)];
  out[lane()] = tile[kernels::column{}(lane()) / sizeof(float)];
}
