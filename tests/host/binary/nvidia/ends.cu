// SPDX-License-Identifier: BSL-1.0
// Kernels whose warps end before their EXIT where data steer them, and kernels that state what launches they allow.
// ends.cpp runs their SASS.
using u32 = unsigned;
// Two warps: the first one tests what it loaded, and both store a column.
extern "C" __global__ void flagged(u32* out, u32 const* flags) {
  u32 t = threadIdx.x;
  if (t < 32)
    for (u32 k = flags[blockIdx.x]; k != 0; k /= 3) out[t * 32] += k;
  __syncthreads();
  out[2048 + t * 32] = t;
}
// A table of jumps: ptxas makes BRX of it.
extern "C" __global__ void switched(u32* out, u32 const* in, u32 n) {
  u32 t = threadIdx.x, v = 0;
  asm volatile(
      "{ .reg .u32 k; min.u32 k, %1, 4;\n ts: .branchtargets L0, L1, L2, L3, L4;\n brx.idx k, ts;\n"
      "L0: mov.u32 %0, 5; bra.uni L5;\n L1: ld.global.u32 %0, [%2]; bra.uni L5;\n L2: ld.global.u32 %0, [%2+128]; "
      "bra.uni L5;\n"
      "L3: ld.global.u32 %0, [%2+256]; bra.uni L5;\n L4: mov.u32 %0, 9;\n L5: }"
      : "=r"(v)
      : "r"(n), "l"(in + t));
  out[t] = v;
}
// A division by an argument. Each lane stores to row t / n, column t % n, of rows of 33 words.
extern "C" __global__ void divided(u32* out, u32 const* in, u32 n) {
  u32 t = threadIdx.x;
  out[t / n * 33 + t % n] = in[t];
}
// The upper half of an integer of 64 bits that was a double, and of a double that was an integer.
extern "C" __global__ void to_integer(u32* out, double const* in) {
  long long const whole = static_cast<long long>(in[threadIdx.x]);
  out[static_cast<u32>(whole >> 32) & 15] = 1;
}
extern "C" __global__ void to_double(u32* out, u32 const* in) {
  double const d = static_cast<double>(static_cast<int>(in[threadIdx.x]));
  out[static_cast<u32>(__double_as_longlong(d) >> 32) & 15] = 1;
}
// A local array that a number not known to the compiler indexes.
extern "C" __global__ void indexed(u32* out, u32 const* in, u32 n) {
  u32 a[16], t = threadIdx.x;
  for (u32 k = 0; k != 16; ++k) a[k] = in[t + k];
  a[n & 15] += t;
  out[t] = a[(n * t) & 15];
  out[32 + (a[n & 7] & 31)] = 1;
}
// A barrier whose number is loaded.
extern "C" __global__ void numbered(u32* out, u32 const* in) {
  u32 t = threadIdx.x;
  asm volatile("bar.sync %0;" ::"r"(in[t / 32]) : "memory");
  out[t] = 1;
}
// The first warp ends where it tests what it loaded; the others count predicates with it at a barrier.
extern "C" __global__ void counted(u32* out, u32 const* flags) {
  u32 t = threadIdx.x;
  if (t < 32)
    for (u32 k = flags[t]; k != 0; k /= 3) out[4096 + t] += k;
  out[__syncthreads_count(t & 1) & 1023] = t;
  out[t] = 7;
}
extern "C" __global__ void __launch_bounds__(256) bounded(u32* out) { out[threadIdx.x] = 1; }
extern "C" __global__ void tiled(u32* out, u32 n) {
  __shared__ u32 tile[64];
  tile[threadIdx.x + n] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 1];
}
extern __shared__ u32 added[];
extern "C" __global__ void adding(u32* out, u32 n) {
  added[threadIdx.x + n] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = added[threadIdx.x ^ 1];
}
#if __CUDA_ARCH__ >= 900
extern "C" __global__ void __cluster_dims__(2, 1, 1) clustered(u32* out) { out[threadIdx.x] = 1; }
extern "C" __global__ void __block_size__((32, 2, 1)) required(u32* out) { out[threadIdx.y * 32 + threadIdx.x] = 1; }
#endif
