// SPDX-License-Identifier: BSL-1.0
// Kernels that clang compiles for AMD's targets at -O3. carried.cpp runs their binaries on tagged data.
#include "expressions.hpp"

#define kernel extern "C" __attribute__((global)) __attribute__((amdgpu_flat_work_group_size(1, 256)))
#define lds __attribute__((shared))
#define device static inline __attribute__((device))

device unsigned bx() { return __builtin_amdgcn_workgroup_id_x(); }
device unsigned by() { return __builtin_amdgcn_workgroup_id_y(); }
device unsigned tx() { return __builtin_amdgcn_workitem_id_x(); }
device unsigned ty() { return __builtin_amdgcn_workitem_id_y(); }
device void sync() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

// out[k] = in[k]
kernel void copy(unsigned const* in, unsigned* out, unsigned n) {
  unsigned const k = bx() * 256 + tx();
  if (k < n) out[k] = in[k];
}
// Four words a thread.
kernel void copy_128(uint4_of const* in, uint4_of* out, unsigned n) {
  for (unsigned k = bx() * 256 + tx(); k < n; k += 512) out[k] = in[k];
}
// Bytes and halves.
kernel void widen(unsigned char const* in, unsigned short* out, unsigned n) {
  unsigned const k = bx() * 256 + tx();
  if (k < n) out[k] = in[k];
}
// out[c][r] = in[r][c], through a padded tile of LDS.
kernel void transpose(unsigned const* in, unsigned* out, unsigned n) {
  lds unsigned tile[32][33];
  unsigned x = bx() * 32 + tx(), y = by() * 32 + ty();
  for (unsigned k = 0; k < 32; k += 8) tile[ty() + k][tx()] = in[(y + k) * n + x];
  sync();
  x = by() * 32 + tx(), y = bx() * 32 + ty();
  for (unsigned k = 0; k < 32; k += 8) out[(y + k) * n + x] = tile[tx()][ty() + k];
}
// The same, with a swizzle in place of the padding.
kernel void transpose_swizzled(unsigned const* in, unsigned* out, unsigned n) {
  lds unsigned tile[32 * 32];
  unsigned x = bx() * 32 + tx(), y = by() * 32 + ty();
  for (unsigned k = 0; k < 32; k += 8) tile[(ty() + k) * 32 + (tx() ^ (ty() + k))] = in[(y + k) * n + x];
  sync();
  x = by() * 32 + tx(), y = bx() * 32 + ty();
  for (unsigned k = 0; k < 32; k += 8) out[(y + k) * n + x] = tile[tx() * 32 + (tx() ^ (ty() + k))];
}
// The same, with neither: many conflicts.
kernel void transpose_plain(unsigned const* in, unsigned* out, unsigned n) {
  lds unsigned tile[32][32];
  unsigned x = bx() * 32 + tx(), y = by() * 32 + ty();
  for (unsigned k = 0; k < 32; k += 8) tile[ty() + k][tx()] = in[(y + k) * n + x];
  sync();
  x = by() * 32 + tx(), y = bx() * 32 + ty();
  for (unsigned k = 0; k < 32; k += 8) out[(y + k) * n + x] = tile[tx()][ty() + k];
}
// Each thread follows its own number of steps through a table in memory.
kernel void chase(unsigned const* next, unsigned const* steps, unsigned* out, unsigned n) {
  unsigned const k = bx() * 256 + tx();
  if (k >= n) return;
  unsigned at = k;
  for (unsigned s = steps[k]; s != 0; --s) at = next[at];
  out[k] = at;
}
// Sums of integers: a loop, then a tree in LDS.
kernel void reduce(unsigned const* in, unsigned* out, unsigned n) {
  lds unsigned part[256];
  unsigned sum = 0;
  for (unsigned k = tx(); k < n; k += 256) sum += in[k];
  part[tx()] = sum;
  sync();
  for (unsigned s = 128; s != 0; s /= 2) {
    if (tx() < s) part[tx()] += part[tx() + s];
    sync();
  }
  if (tx() == 0) *out = part[0];
}
// A product of matrices of integers, in tiles of 16 by 16.
kernel void gemm(unsigned const* a, unsigned const* b, unsigned* c, unsigned n) {
  lds unsigned as[16][16], bs[16][16];
  unsigned const row = by() * 16 + ty(), column = bx() * 16 + tx();
  unsigned sum = 0;
  for (unsigned t = 0; t < n; t += 16) {
    as[ty()][tx()] = a[row * n + t + tx()];
    bs[ty()][tx()] = b[(t + ty()) * n + column];
    sync();
    for (unsigned k = 0; k < 16; ++k) sum += as[ty()][k] * bs[k][tx()];
    sync();
  }
  c[row * n + column] = sum;
}
// A stencil with a halo in LDS.
kernel void stencil(unsigned const* in, unsigned* out, unsigned n) {
  lds unsigned tile[258];
  unsigned const k = bx() * 256 + tx();
  tile[tx() + 1] = k < n ? in[k] : 0;
  if (tx() == 0) tile[0] = k != 0 ? in[k - 1] : 0;
  if (tx() == 255) tile[257] = k + 1 < n ? in[k + 1] : 0;
  sync();
  if (k < n) out[k] = tile[tx()] + 2 * tile[tx() + 1] + tile[tx() + 2];
}
// The expressions of expressions.hpp: f(k, a, b) for the k-th of them.
template <unsigned K>
device void all_expressions(unsigned a, unsigned b, unsigned* out) {
  if constexpr (K != expression_count) {
    out[K] = expression<K>(a, b);
    all_expressions<K + 1>(a, b, out);
  }
}
kernel void expressions(unsigned const* a, unsigned const* b, unsigned* out, unsigned n) {
  unsigned const k = bx() * 256 + tx();
  if (k < n) all_expressions<0>(a[k], b[k], out + k * expression_count);
}
