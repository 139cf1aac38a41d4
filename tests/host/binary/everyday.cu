// SPDX-License-Identifier: BSL-1.0
// Everyday kernels, for CUDA, for HIP, and for the host, where everyday.cpp runs them thread by thread and notes each
// access: `array` is a pointer on a GPU. A `same` index is one address for a whole wave, which AMD's compiler may load
// through scalar registers. Loops are not unrolled, so that the texts stay short.
#if defined(__HIP__)
#define kernel extern "C" __attribute__((global)) void
#define on_device __attribute__((device)) inline
#define thread_in_block ((unsigned)__builtin_amdgcn_workitem_id_x())
#define block_number ((unsigned)__builtin_amdgcn_workgroup_id_x())
#define block_size ((unsigned)__builtin_amdgcn_workgroup_size_x())
#define grid_size ((unsigned)(__builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x()))
#define wait_for_block()                                                                \
  (__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"), __builtin_amdgcn_s_barrier(), \
   __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"))
#define in_shared(type, name, count) __attribute__((shared)) type name[count]
#define in_private(type, name, count) type name[count]
#define in_constant(type, name, ...) static __attribute__((constant)) type const name[] = __VA_ARGS__
#define sqrtf __builtin_sqrtf
#define sqrt __builtin_sqrt
#define sinf __builtin_sinf
#define fmodf __builtin_fmodf
#define expf __builtin_expf
#define fmaxf __builtin_fmaxf
#define powf(x, y) __builtin_exp2f((y)*__builtin_log2f(x))
template <class T>
using array = T*;
using half = _Float16;
template <class T>
on_device T add_atomically(T* at, unsigned k, T number) {
  return __hip_atomic_fetch_add(at + k, number, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
on_device unsigned swap_if(unsigned* at, unsigned k, unsigned expected, unsigned wanted) {
  __hip_atomic_compare_exchange_strong(at + k, &expected, wanted, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                       __HIP_MEMORY_SCOPE_AGENT);
  return expected;
}
#define same(index) (index)
#define rolled _Pragma("unroll 1")
#elif defined(__CUDACC__)
#include <cuda_fp16.h>
#define kernel extern "C" __global__ void
#define on_device __device__ inline
#define thread_in_block threadIdx.x
#define block_number blockIdx.x
#define block_size blockDim.x
#define grid_size gridDim.x
#define wait_for_block() __syncthreads()
#define in_shared(type, name, count) __shared__ type name[count]
#define in_private(type, name, count) type name[count]
#define in_constant(type, name, ...) static __constant__ type const name[] = __VA_ARGS__
template <class T>
using array = T*;
template <class T>
on_device T add_atomically(T* at, unsigned k, T number) {
  return atomicAdd(at + k, number);
}
on_device unsigned swap_if(unsigned* at, unsigned k, unsigned expected, unsigned wanted) {
  return atomicCAS(at + k, expected, wanted);
}
#define same(index) (index)
#define rolled _Pragma("unroll 1")
#endif
#define thread_number (block_number * block_size + thread_in_block)
using u8 = unsigned char;
using u32 = unsigned;
using u64 = unsigned long long;
struct alignas(16) four {
  u32 x, y, z, w;
};

// Floating-point numbers: data decide between a fast way and a slow one, and neither accesses memory.
kernel quotient(array<float> out, array<float const> a, array<float const> b, u32) {
  out[thread_number] = a[thread_number] / b[thread_number];
}
kernel reciprocal(array<float> out, array<float const> a, array<float const>, u32) {
  out[thread_number] = 1.0f / a[thread_number];
}
kernel root(array<float> out, array<float const> a, array<float const>, u32) {
  out[thread_number] = sqrtf(a[thread_number]);
}
kernel power(array<float> out, array<float const> a, array<float const> b, u32) {
  out[thread_number] = powf(a[thread_number], b[thread_number]);
}
kernel sine(array<float> out, array<float const> a, array<float const>, u32) {
  out[thread_number] = sinf(a[thread_number]);
}
kernel remainder_of(array<float> out, array<float const> a, array<float const> b, u32) {
  out[thread_number] = fmodf(a[thread_number], b[thread_number]);
}
kernel quotient_double(array<double> out, array<double const> a, array<double const> b, u32) {
  out[thread_number] = a[thread_number] / b[thread_number];
}
kernel root_double(array<double> out, array<double const> a, array<double const>, u32) {
  out[thread_number] = 1.0 / sqrt(a[thread_number]);
}
kernel divided(array<float> out, array<float const> a, array<float const> b, u32) {
  float const q = a[thread_number] / b[thread_number];
  if (q > 1.0f) out[thread_number] = q;
}

// Strides, guards, quotients.
kernel grid_stride(array<u32> out, array<u32 const> a, array<u32 const>, u32 n) {
  rolled for (int i = (int)thread_number; i < (int)n; i += (int)(block_size * grid_size)) out[i] = a[i] * 2 + 1;
}
kernel grid_stride_wide(array<u32> out, array<u32 const> a, array<u32 const>, u64 n) {
  rolled for (u64 i = (u64)block_number * block_size + thread_in_block; i < n; i += (u64)block_size * grid_size)
      out[i] = a[i] * 2 + 1;
}
kernel block_stride(array<u32> out, array<u32 const> a, array<u32 const>, u32 n) {
  rolled for (u32 k = thread_in_block; k < n; k += block_size) out[block_number * n + k] = a[block_number * n + k] + 1;
}
kernel guarded(array<u32> out, array<u32 const> a, array<u32 const> b, u32 n) {
  u32 const i = thread_number;
  if (i < n) out[i] = a[i] + b[i];
}
kernel column(array<u32> out, array<u32 const> a, array<u32 const>, u32 n) {
  out[thread_number] = a[thread_number * n];
}
kernel quotient_by_argument(array<u32> out, array<u32 const> a, array<u32 const>, u32 n) {
  u32 const row = thread_number / n, at = thread_number % n;
  out[at * 64 + row] = a[row * 32 + at];
}
kernel quotient_by_wide_argument(array<u32> out, array<u32 const> a, array<u32 const>, u64 n) {
  u64 const i = thread_number;
  out[i % n * 64 + i / n] = a[i];
}

// Branches on data.
kernel masked(array<u32> out, array<u32 const> a, array<u32 const> b, u32) {
  u32 const i = thread_number;
  if (a[i] > 100) out[i] = b[i] + 1;
}
kernel leaves(array<u32> out, array<u32 const> a, array<u32 const> b, u32) {
  u32 const i = thread_number;
  if (a[i] == 0) return;
  u32 const x = b[i];
  out[i] = x > 7 ? x : b[i + 256];
}
kernel either(array<u32> out, array<u32 const> a, array<u32 const> b, u32) {
  u32 const i = thread_number;
  if ((a[i] & 1) != 0)
    out[i] = b[i];
  else
    add_atomically(out, 2 * i, u32(b[2 * i]));
}
kernel switched(array<u32> out, array<u32 const> a, array<u32 const> b, u32) {  // each case loads from its own place
  u32 const i = thread_number;
  u32 x = 0;
  switch (a[i] & 7) {
    case 0:
      x = b[i] + 3;
      break;
    case 1:
      x = b[2 * i] * 5;
      break;
    case 2:
      x = b[3 * i] ^ 9;
      break;
    case 3:
      x = b[4 * i] >> 2;
      break;
    case 4:
      x = b[i + 1024] | 6;
      break;
    case 5:
      x = b[i + 2048] - 8;
      break;
    default:
      x = i;
  }
  out[i] = x;
}
kernel computed(array<u32> out, array<u32 const> a, array<u32 const>, u32) {  // its ways only compute
  u32 x = a[thread_number], steps = 0;
  rolled while (x > 1 && steps != 100) x = x % 2 != 0 ? 3 * x + 1 : x / 2, ++steps;
  out[thread_number] = steps;
}

// Indices on data.
kernel gather(array<u32> out, array<u32 const> index, array<u32 const> table, u32) {
  out[thread_number] = table[index[thread_number]];
}
kernel near(array<u32> out, array<u32 const> index, array<u32 const> table, u32) {  // one of eight neighbours
  out[thread_number] = table[index[thread_number] & 7];
}
kernel scattered(array<u32> out, array<u32 const> a, array<u32 const> b, u32) {
  out[a[thread_number] & 1023] = b[thread_number];
}
kernel hashed(array<u32> out, array<u32 const> a, array<u32 const> table, u32) {
  out[thread_number] = table[a[thread_number] * 2654435761u >> 22];
}
kernel batched(array<u32> out, array<u32 const> begins, array<u32 const> values, u32) {  // a row, begun anywhere
  u32 const begin = begins[same(block_number)];
  out[thread_number] = values[begin + thread_in_block];
}
kernel batched_pointers(array<u32> out, array<array<u32 const> const> rows, array<u32 const>, u32) {
  array<u32 const> const row = rows[same(block_number)];
  out[thread_number] = row[thread_in_block];
}
kernel one_of_two(array<u32> out, array<u32 const> a, array<u32 const> b, u32) {  // data of the block choose
  array<u32 const> const from = a[same(block_number)] > 7 ? a : b;
  out[thread_number] = from[thread_number + 64];
}
kernel one_of_two_each(array<u32> out, array<u32 const> a, array<u32 const> b, u32) {  // data of each thread choose
  array<u32 const> const from = a[thread_number] > 7 ? a : b;
  out[thread_number] = from[thread_number + 64];
}
kernel histogram(array<u32> out, array<u32 const> a, array<u32 const>, u32) {
  add_atomically(out, a[thread_number] & 63, 1u);
}
kernel histogram_shared(array<u32> out, array<u32 const> a, array<u32 const>, u32) {
  in_shared(u32, bins, 128);
  bins[thread_in_block] = 0;
  wait_for_block();
  add_atomically(bins, a[thread_number] & 127, 1u);
  wait_for_block();
  add_atomically(out, thread_in_block, u32(bins[thread_in_block]));
}
kernel compacted(array<u32> out, array<u32 const> a, array<u32 const>, u32 n) {
  u32 const x = a[thread_number];
  if (x > n) out[1 + (add_atomically(out, 0, 1u + (x & 1)) & 1023)] = x;
}

// Loops that data end.
kernel rows(array<u32> out, array<u32 const> begins, array<u32 const> values, u32) {  // a thread adds up a row
  u32 const i = thread_number;
  u32 sum = 0;
  rolled for (u32 k = begins[i], end = begins[i + 1]; k < end; ++k) sum += values[k];
  out[i] = sum;
}
kernel rows_by_block(array<u32> out, array<u32 const> begins, array<u32 const> values, u32) {
  u32 sum = 0;
  u32 const end = begins[same(block_number + 1)];
  rolled for (u32 k = begins[same(block_number)] + thread_in_block; k < end; k += 128) sum += values[k];
  out[thread_number] = sum;
}
kernel rows_by_warp(array<u32> out, array<u32 const> begins, array<u32 const> values, u32) {
  u32 const row = thread_number / 32;
  u32 sum = 0;
  u32 const end = begins[row + 1];
  rolled for (u32 k = begins[row] + thread_number % 32; k < end; k += 32) sum += values[k];
  out[thread_number] = sum;
}
kernel search(array<u32> out, array<u32 const> a, array<u32 const> b, u32) {  // at most eight rounds
  u32 const i = thread_number;
  u32 k = 0;
  rolled for (; k != 8; ++k) if (a[i + 256 * k] == b[same(k)]) break;
  out[i] = k;
}
kernel converged(array<float> out, array<float const> a, array<float const> b, u32 n) {
  u32 const i = thread_number;
  float x = a[i];
  bool done = false;
  u32 rounds = n;
  rolled while (!done && rounds-- != 0) {
    float const next = 0.5f * (x + b[i + 256 * rounds] / x);
    done = next - x < 0.001f && x - next < 0.001f;
    x = next;
  }
  out[i] = x;
}
kernel binary_search(array<u32> out, array<u32 const> a, array<u32 const> sorted, u32 n) {
  u32 const x = a[thread_number];
  u32 low = 0, high = n;
  rolled while (low < high) {
    u32 const middle = (low + high) / 2;
    if (sorted[middle] < x)
      low = middle + 1;
    else
      high = middle;
  }
  out[thread_number] = low;
}
kernel probed(array<u32> out, array<u32 const> a, array<u32 const> table, u32) {  // open addressing
  u32 const x = a[thread_number];
  u32 at = x & 1023;
  rolled for (;;) {
    u32 const is = table[at];
    if (is == x || is == 0) break;
    at = (at + 1) & 1023;
  }
  out[thread_number] = at;
}
kernel swapped(array<u32> out, array<u32 const> a, array<u32 const>, u32) {  // a maximum by compare and swap
  u32 const x = a[thread_number];
  u32 was = out[x & 63];
  rolled while (was < x) {
    u32 const is = swap_if(out, x & 63, was, x);
    if (is == was) break;
    was = is;
  }
}

// Widths, and several elements of a thread.
kernel points(array<float> out, array<float const> a, array<float const>, u32) {
  u32 const i = thread_number;
  out[i] = a[3 * i] + a[3 * i + 1] * a[3 * i + 2];
}
kernel bytes(array<u8> out, array<u8 const> a, array<u8 const>, u32) {
  out[thread_number] = (u8)(a[thread_number] + 1);
}
kernel halves(array<half> out, array<half const> a, array<half const>, u32) {
  half const x = a[thread_number];
  out[thread_number] = half(float(x) * 2.0f);
}
kernel fours(array<four> out, array<four const> a, array<four const>, u32) {
  four const x = a[thread_number];
  out[thread_number] = four{x.w, x.z, x.y, x.x};
}
kernel stencil(array<u32> out, array<u32 const> a, array<u32 const>, u32 n) {  // n: the width of a row
  u32 const i = thread_number + n;
  out[i] = a[i - n] + a[i - 2] + a[i] + a[i + 2] + a[i + n];
}
kernel in_local(array<u32> out, array<u32 const> a, array<u32 const>, u32) {  // an array that data index
  in_private(u32, numbers, 16);
  rolled for (u32 k = 0; k != 16; ++k) numbers[k] = k * thread_in_block;
  u32 const x = a[thread_number];
  numbers[x & 15] = x;
  out[thread_number] = numbers[x >> 4 & 15];
}
in_constant(u32, primes, {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53});
kernel of_constant(array<u32> out, array<u32 const> a, array<u32 const>, u32) {
  out[thread_number] = primes[a[thread_number] & 15];
}

// Shared memory.
kernel looked_up(array<u32> out, array<u32 const> a, array<u32 const> b, u32) {
  in_shared(u32, tile, 256);
  tile[thread_in_block] = b[thread_in_block];
  tile[thread_in_block + 128] = b[thread_in_block + 128];
  wait_for_block();
  out[thread_number] = tile[a[thread_number] & 255];
}
kernel spread(array<u32> out, array<u32 const> a, array<u32 const> b, u32) {
  in_shared(u32, tile, 1024);
  u32 const x = a[thread_number];
  if (x > 50) tile[4 * thread_in_block] = x;
  wait_for_block();
  out[thread_number] = tile[thread_in_block] + b[thread_in_block];
}
kernel transposed(array<u32> out, array<u32 const> a, array<u32 const>, u32) {  // 8 rows of 16, without padding
  in_shared(u32, tile, 128);
  tile[thread_in_block] = a[thread_number];
  wait_for_block();
  out[thread_number] = tile[thread_in_block % 8 * 16 + thread_in_block / 8];
}
kernel product(array<u32> out, array<u32 const> a, array<u32 const> b, u32 n) {  // 8 x 16 of a product, by tiles of 16
  in_shared(u32, left, 128);
  in_shared(u32, right, 256);
  u32 const x = thread_in_block % 16, y = thread_in_block / 16;
  u32 sum = 0;
  rolled for (u32 k = 0; k < n; k += 16) {
    left[thread_in_block] = a[(block_number * 8 + y) * n + k + x];
    right[thread_in_block] = b[(k + y) * 16 + x];
    right[thread_in_block + 128] = b[(k + y + 8) * 16 + x];
    wait_for_block();
    rolled for (u32 m = 0; m != 16; ++m) sum += left[y * 16 + m] * right[m * 16 + x];
    wait_for_block();
  }
  out[thread_number] = sum;
}
kernel pipelined(array<u32> out, array<u32 const> a, array<u32 const>, u32 n) {  // loads one round ahead
  in_shared(u32, tile, 256);
  u32 next = a[thread_number], sum = 0;
  rolled for (u32 k = 0; k != n; ++k) {
    tile[k % 2 * 128 + thread_in_block] = next;
    wait_for_block();
    if (k + 1 != n) next = a[(k + 1) * 256 + thread_number];
    sum += tile[k % 2 * 128 + (thread_in_block ^ 1)];
  }
  out[thread_number] = sum;
}
kernel softmax(array<float> out, array<float const> a, array<float const>, u32) {  // a row of 128 by each block
  in_shared(float, part, 128);
  float const x = a[thread_number];
  part[thread_in_block] = x;
  wait_for_block();
  rolled for (u32 k = 64; k != 0; k /= 2) {
    if (thread_in_block < k) part[thread_in_block] = fmaxf(part[thread_in_block], part[thread_in_block + k]);
    wait_for_block();
  }
  float const y = expf(x - part[same(0)]);
  wait_for_block();
  part[thread_in_block] = y;
  wait_for_block();
  rolled for (u32 k = 64; k != 0; k /= 2) {
    if (thread_in_block < k) part[thread_in_block] = part[thread_in_block] + part[thread_in_block + k];
    wait_for_block();
  }
  out[thread_number] = y / part[same(0)];
}
kernel last_block(array<u32> out, array<u32 const> a, array<u32 const>, u32) {  // the block that comes last adds up
  in_shared(u32, is_last, 32);
  out[64 + thread_number] = a[thread_number] + 1;
  if (thread_in_block == 0) is_last[0] = add_atomically(out, 0, 1u) == grid_size - 1;
  wait_for_block();
  if (is_last[same(0)] != 0) out[1024 + thread_in_block] = out[64 + thread_in_block] + out[192 + thread_in_block];
}
