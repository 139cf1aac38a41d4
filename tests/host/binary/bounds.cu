// SPDX-License-Identifier: BSL-1.0
// Kernels of everyday code whose accesses depend on data, for CUDA and for HIP: bounds.cpp runs their binaries without
// contents, and holds the bounds to runs with contents.
#ifdef __HIP__
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define thread_in_block ((unsigned)__builtin_amdgcn_workitem_id_x())
#define block_number ((unsigned)__builtin_amdgcn_workgroup_id_x())
#define wait_for_block()                                                                \
  (__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"), __builtin_amdgcn_s_barrier(), \
   __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"))
#define add_atomically(at, number) __hip_atomic_fetch_add(at, number, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)
#else
#define thread_in_block threadIdx.x
#define block_number blockIdx.x
#define wait_for_block() __syncthreads()
#define add_atomically(at, number) atomicAdd(at, number)
#endif
#define thread_number (block_number * 256 + thread_in_block)
using u32 = unsigned;

extern "C" __global__ void gather(u32* out, u32 const* index, u32 const* table) {
  out[thread_number] = table[index[thread_number]];
}
extern "C" __global__ void near(u32* out, u32 const* index, u32 const* table) {  // one of eight neighbours
  out[thread_number] = table[index[thread_number] & 7];
}
extern "C" __global__ void masked(u32* out, u32 const* a, u32 const* b) {
  u32 const i = thread_number;
  if (a[i] > 100) out[i] = b[i] + 1;
}
extern "C" __global__ void leaves(u32* out, u32 const* a, u32 const* b) {
  u32 const i = thread_number;
  if (a[i] == 0) return;
  u32 const x = b[i];
  out[i] = x > 7 ? x : b[i + 256];
}
extern "C" __global__ void either(u32* out, u32 const* a, u32 const* b) {
  u32 const i = thread_number;
  if ((a[i] & 1) != 0)
    out[i] = b[i];
  else
    out[2 * i] = b[2 * i];
}
extern "C" __global__ void rows(u32* out, u32 const* begins, u32 const* values) {  // a thread adds up a row
  u32 const i = thread_number;
  u32 sum = 0;
  for (u32 k = begins[i]; k < begins[i + 1]; ++k) sum += values[k];
  out[i] = sum;
}
extern "C" __global__ void search(u32* out, u32 const* a, u32 const* b) {  // at most eight rounds
  u32 const i = thread_number;
  u32 k = 0;
#pragma unroll 1
  for (; k != 8; ++k)
    if (a[i + 256 * k] == b[k]) break;
  out[i] = k;
}
extern "C" __global__ void batched(u32* out, u32 const* begins, u32 const* values) {  // a known pattern, begun anywhere
  u32 const begin = begins[block_number];
  out[thread_number] = values[begin + thread_in_block];
}
extern "C" __global__ void histogram(u32* out, u32 const* a, u32 const*) {
  add_atomically(&out[a[thread_number] & 63], 1u);
}
extern "C" __global__ void looked_up(u32* out, u32 const* a, u32 const* b) {
  __shared__ u32 tile[256];
  tile[thread_in_block] = b[thread_number];
  wait_for_block();
  out[thread_number] = tile[a[thread_number] & 255];
}
extern "C" __global__ void spread(u32* out, u32 const* a, u32 const* b) {  // stores to shared memory, then loads
  __shared__ u32 tile[1024];
  u32 const x = a[thread_number];
  if (x > 50) tile[4 * thread_in_block] = x;
  wait_for_block();
  out[thread_number] = tile[thread_in_block] + b[thread_in_block];
}
extern "C" __global__ void divided(float* out, float const* a, float const* b) {
  u32 const i = thread_number;
  float const q = a[i] / b[i];
  if (q > 1.0f) out[i] = q;
}
