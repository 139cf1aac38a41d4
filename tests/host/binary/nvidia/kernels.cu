// SPDX-License-Identifier: BSL-1.0
// Kernels whose binaries carried.cpp reads. Nothing launches them.
#include <cstdint>
using u32 = unsigned;
__global__ void copy(u32* out, u32 const* in, u32 n) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
__global__ void copy4(uint4* out, uint4 const* in, u32 n) {
  for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[i];
}
__global__ void saxpy(float* y, float const* x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
template <int Pitch, bool Swizzled>
__device__ void transposed(u32* out, u32 const* in, int rows, int columns) {
  __shared__ u32 tile[32 * Pitch];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < columns && y + j < rows) {
      int r = threadIdx.y + j, c = threadIdx.x;
      tile[r * Pitch + (Swizzled ? c ^ r : c)] = in[(y + j) * columns + x];
    }
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < rows && y + j < columns) {
      int r = threadIdx.x, c = threadIdx.y + j;
      out[(y + j) * rows + x] = tile[r * Pitch + (Swizzled ? c ^ r : c)];
    }
}
__global__ void transpose_plain(u32* out, u32 const* in, int rows, int columns) {
  transposed<32, false>(out, in, rows, columns);
}
__global__ void transpose_padded(u32* out, u32 const* in, int rows, int columns) {
  transposed<33, false>(out, in, rows, columns);
}
__global__ void transpose_swizzled(u32* out, u32 const* in, int rows, int columns) {
  transposed<32, true>(out, in, rows, columns);
}
__global__ void reduction(u32* out, u32 const* in, u32 n) {
  __shared__ u32 part[256];
  u32 sum = 0;
  for (u32 i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) sum += in[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (u32 s = 128; s > 0; s >>= 1) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
__global__ void reduction_shuffled(u32* out, u32 const* in, u32 n) {
  __shared__ u32 part[32];
  u32 i = blockIdx.x * blockDim.x + threadIdx.x, v = i < n ? in[i] : 0;
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(~0u, v, d);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    v = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
    for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(~0u, v, d);
    if (threadIdx.x == 0) atomicAdd(out, v);
  }
}
__global__ void __launch_bounds__(256) gemm(float* c, float const* a, float const* b, int m, int n, int k) {
  __shared__ float as[8][128], bs[8][128];
  int t = threadIdx.x, row = blockIdx.y * 128, column = blockIdx.x * 128;
  float sum[8][8] = {};
  for (int k0 = 0; k0 < k; k0 += 8) {
    float4 va = *(float4 const*)&a[(row + t / 2) * k + k0 + t % 2 * 4];
    as[t % 2 * 4 + 0][t / 2] = va.x;
    as[t % 2 * 4 + 1][t / 2] = va.y;
    as[t % 2 * 4 + 2][t / 2] = va.z;
    as[t % 2 * 4 + 3][t / 2] = va.w;
    *(float4*)&bs[t / 32][t % 32 * 4] = *(float4 const*)&b[(k0 + t / 32) * n + column + t % 32 * 4];
    __syncthreads();
    for (int kk = 0; kk < 8; ++kk) {
      float x[8], y[8];
      for (int i = 0; i < 8; i += 4) {
        *(float4*)&x[i] = *(float4*)&as[kk][t / 16 * 8 + i];
        *(float4*)&y[i] = *(float4*)&bs[kk][t % 16 * 8 + i];
      }
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) sum[i][j] += x[i] * y[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; j += 4)
      *(float4*)&c[(row + t / 16 * 8 + i) * n + column + t % 16 * 8 + j] = *(float4*)&sum[i][j];
}
__global__ void histogram(u32* bins, u32 const* keys, u32 n) {
  __shared__ u32 own[256];
  for (u32 i = threadIdx.x; i < 256; i += blockDim.x) own[i] = 0;
  __syncthreads();
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&own[keys[i] & 255], 1);
  __syncthreads();
  for (u32 i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&bins[i], own[i]);
}
__global__ void gather(u32* out, u32 const* in, u32 const* index, u32 n) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[index[i]];
}
__global__ void divergent(u32* out, u32 const* in, u32 n) {
  u32 t = threadIdx.x, sum = 0, thirds = __ballot_sync(~0u, t % 3 == 0);
  if (t % 3 == 0) {
    for (u32 k = 0; k < t % 5; ++k) sum += in[k * 32 + t];
    __syncwarp(thirds);
  } else if (t % 3 == 1)
    sum = in[2 * t] ^ 1;
  else
    sum = in[t / 2] * 7;
  out[blockIdx.x * blockDim.x + t] = sum;
}
__global__ void staged(uint4* out, uint4 const* in) {
  __shared__ uint4 tile[256];
  unsigned at = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x]);
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n cp.async.commit_group;\n cp.async.wait_group 0;" ::"r"(at),
               "l"(in + blockIdx.x * 256 + threadIdx.x)
               : "memory");
#else
  tile[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
#endif
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = tile[255 - threadIdx.x];
}
__global__ void divided(u32* out, u32 const* in, u32 d) {
  u32 t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t] = in[t / d * 3 + t % d] ^ (u32)((int)(t - 100) / (int)d);
}
__global__ void fragments(u32* out, u32 const* in) {
  __shared__ uint4 tile[32];
  u32 t = threadIdx.x, at = (u32)__cvta_generic_to_shared(&tile[t]), r0, r1, r2, r3;
  tile[t] = *(uint4 const*)(in + 4 * t);
  __syncthreads();
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3)
               : "r"(at));
  out[t] = r0, out[t + 32] = r1, out[t + 64] = r2, out[t + 96] = r3;
}
__global__ void narrow(unsigned char* out, signed char const* in, unsigned short const* shorts, long long n) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[n - 1 - i] = (unsigned char)(in[i] + shorts[i]);
}
__global__ void scanned(u32* out, u32 const* in) {
  u32 t = threadIdx.x, v = in[t];
  for (u32 d = 1; d < 32; d *= 2) {
    u32 other = __shfl_up_sync(~0u, v, d);
    if (t % 32 >= d) v += other;
  }
  out[t] = v ^ __shfl_sync(~0u, v, 3, 8) ^ __popc(__ballot_sync(~0u, v & 1)) ^ __brev(v) ^ min((int)v, (int)t) ^
           __clz(v) ^ (v << (t & 31)) ^ __funnelshift_l(v, t, t) ^ __byte_perm(v, t, 0x5342);
}
