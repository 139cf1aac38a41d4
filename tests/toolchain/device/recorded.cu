// SPDX-License-Identifier: BSL-1.0
//
// Kernels whose bodies are also recorded, and under COALESCE_PLAIN the same kernels as one writes them without the
// library. same_accesses compares what compilers make of both: nothing of the library is left.
// COALESCE_ONE_MORE: the control, with an access more.
#ifdef __HIP__  // without ROCm's headers
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#endif

#ifndef COALESCE_PLAIN
#include "recorded_bodies.hpp"

__global__ void transpose(float const* in, float* out, unsigned n) {
  __shared__ float tile[32][33];
  bodies::transpose{}(coalescing::this_thread(), in, out, tile, n);
#ifdef COALESCE_ONE_MORE
  out[n] = in[n + 1];
#endif
}
__global__ void histogram(unsigned char const* keys, unsigned* counts, unsigned n) {
  __shared__ unsigned bins[256];
  bodies::histogram{}(coalescing::this_thread(), keys, counts, bins, n);
}
__global__ void sparse(unsigned const* rows, unsigned const* columns, float const* values, float const* x, float* y,
                       unsigned n) {
  bodies::sparse{}(coalescing::this_thread(), rows, columns, values, x, y, n);
}

#else

#ifdef __HIP__
struct place {
  unsigned x, y;
};
#define threadIdx (place{__builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y()})
#define blockIdx (place{__builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y()})
#define blockDim (place{__builtin_amdgcn_workgroup_size_x(), __builtin_amdgcn_workgroup_size_y()})
#define gridDim (place{__builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x(), 1})
__device__ inline void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
__device__ inline unsigned atomicAdd(unsigned* at, unsigned value) {
  return __hip_atomic_fetch_add(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
#endif

__global__ void transpose(float const* in, float* out, unsigned n) {
  __shared__ float tile[32][33];
  unsigned const x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (unsigned j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  unsigned const u = blockIdx.y * 32 + threadIdx.x, v = blockIdx.x * 32 + threadIdx.y;
  for (unsigned j = 0; j < 32; j += 8) out[(v + j) * n + u] = tile[threadIdx.x][threadIdx.y + j];
}
__global__ void histogram(unsigned char const* keys, unsigned* counts, unsigned n) {
  __shared__ unsigned bins[256];
  unsigned const index = threadIdx.x + blockDim.x * threadIdx.y;
  for (unsigned b = index; b < 256; b += blockDim.x) bins[b] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[keys[i]], 1u);
  __syncthreads();
  for (unsigned b = index; b < 256; b += blockDim.x) atomicAdd(&counts[b], bins[b]);
}
__global__ void sparse(unsigned const* rows, unsigned const* columns, float const* values, float const* x, float* y,
                       unsigned n) {
  for (unsigned r = blockIdx.x * blockDim.x + threadIdx.x; r < n; r += gridDim.x * blockDim.x) {
    float sum = 0;
    for (unsigned k = rows[r], end = rows[r + 1]; k < end; ++k) sum += values[k] * x[columns[k]];
    y[r] = sum;
  }
}
#endif
