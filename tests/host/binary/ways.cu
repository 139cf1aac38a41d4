// SPDX-License-Identifier: BSL-1.0
// Kernels that branch on data, for CUDA and for HIP. The ways of the first eight only compute, so their accesses are
// the same for any contents. In `quotient` and `root` the branches depend on floating-point numbers, which contents do
// not make known: there, only the bytes by hand are a check. The ways of `steered` compute an address, and those of
// `guarded` access memory.
#ifdef __HIP__
#define __global__ __attribute__((global))
#define thread_number (__builtin_amdgcn_workgroup_id_x() * 256 + __builtin_amdgcn_workitem_id_x())
#else
#define thread_number (blockIdx.x * 256 + threadIdx.x)
#endif
using u32 = unsigned;

extern "C" __global__ void collatz(u32* out, u32 const* in, u32 const*) {
  u32 const i = thread_number;
  u32 x = in[i], steps = 0;
  while (x > 1 && steps != 1000) x = x % 2 != 0 ? 3 * x + 1 : x / 2, ++steps;
  out[i] = steps;
}
extern "C" __global__ void divisor(u32* out, u32 const* a, u32 const* b) {
  u32 const i = thread_number;
  u32 x = a[i], y = b[i];
  while (y != 0) {
    u32 const rest = x % y;
    x = y, y = rest;
  }
  out[i] = x;
}
extern "C" __global__ void nested(u32* out, u32 const* a, u32 const* b) {
  u32 const i = thread_number;
  u32 x = a[i];
  u32 const y = b[i];
  if ((x & 1) != 0) {
    for (u32 k = 0; k != (y & 15); ++k) x = x * 5 + k;
    if (x > y) x /= y | 1;
  }
  out[i] = x + y;
}
extern "C" __global__ void either(u32* out, u32 const* a, u32 const* b) {
  u32 const i = thread_number;
  u32 x = a[i];
  u32 const y = b[i];
  if ((x & 1) != 0) {
    for (u32 k = 0; k != (y & 15); ++k) x = x * 5 + k;
  } else if ((y & 2) != 0) {
    for (u32 k = y & 7; k != 0; --k) x = x % (k + 3) + y;
  }
  out[i] = x;
}
extern "C" __global__ void quotient(float* out, float const* a, float const* b) {
  u32 const i = thread_number;
  out[i] = a[i] / b[i];
}
extern "C" __global__ void root(double* out, double const* a, double const* b) {
  u32 const i = thread_number;
  out[i] = __builtin_sqrt(a[i]) / b[i];
}
extern "C" __global__ void rounds(u32* out, u32 const* a, u32 const* b) {  // a branch on data in each round of a loop
  u32 const i = thread_number;
  u32 sum = 0;
#pragma unroll 1
  for (u32 k = 0; k != 4; ++k) {
    u32 x = a[256 * k + i];
    while (x > 9) x = x / 10 + sum % 3;
    sum += x;
  }
  out[i] = sum + b[i];
}
extern "C" __global__ void padded(u32* out, u32 const* a, u32 const*) {  // lanes that the guard leaves out
  u32 const i = thread_number;
  if (i >= 200) return;
  u32 x = a[i];
  while (x > 9) x = x / 10 + (x & 3);
  out[2 * i] = x;
}
extern "C" __global__ void steered(u32* out, u32 const* a, u32 const*) {
  u32 const i = thread_number;
  u32 x = a[i], bits = 0;
  while (x > 9) x = x / 10 + (x & 3), ++bits;
  out[64 * (i % 16) + bits] = i;
}
extern "C" __global__ void guarded(u32* out, u32 const* a, u32 const* b) {
  u32 const i = thread_number;
  if (a[i] > 100) out[i] = b[i];
}
