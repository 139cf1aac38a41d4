// SPDX-License-Identifier: BSL-1.0
// Twenty kernels with a padding, a swizzle or an offset of warps. With -DDELETED it is deleted, in all of them: what
// they compute stays right, except for the offsets. mutations.cpp compares the costs of both with mutations.txt.
#ifdef DELETED
constexpr bool is_there = false;
#else
constexpr bool is_there = true;
#endif

// A tile of 32 by 32 elements, by 32 by 8 threads: out[c][r] = in[r][c].
template <class T, unsigned Padding, bool Swizzled>
__device__ void transpose(T const* in, T* out, unsigned n) {
  __shared__ T tile[32 * (32 + Padding)];
  unsigned const tx = threadIdx.x, ty = threadIdx.y;
  auto const at = [](unsigned r, unsigned c) { return r * (32 + Padding) + (Swizzled ? c ^ r : c); };
  for (unsigned k = 0; k < 32; k += 8) tile[at(ty + k, tx)] = in[(ty + k) * n + tx];
  __syncthreads();
  for (unsigned k = 0; k < 32; k += 8) out[(ty + k) * n + tx] = tile[at(tx, ty + k)];
}
#define transposes(name, type)                                                        \
  extern "C" __global__ void name##_padded(type const* in, type* out, unsigned n) {   \
    transpose<type, is_there ? 1 : 0, false>(in, out, n);                             \
  }                                                                                   \
  extern "C" __global__ void name##_swizzled(type const* in, type* out, unsigned n) { \
    transpose<type, 0, is_there>(in, out, n);                                         \
  }
transposes(transpose_16, unsigned short) transposes(transpose_32, unsigned) transposes(transpose_64, uint2)
    transposes(transpose_128, uint4)

    // Each of 256 threads adds up a row of 32 words.
    template <unsigned Padding, bool Swizzled>
    __device__ void rows(unsigned const* in, unsigned* out) {
  __shared__ unsigned tile[256 * (32 + Padding)];
  unsigned const tx = threadIdx.x;
  auto const at = [](unsigned r, unsigned c) { return r * (32 + Padding) + (Swizzled ? c ^ r % 32 : c); };
#pragma unroll 1
  for (unsigned k = 0; k < 8192; k += 256) tile[at((k + tx) / 32, tx % 32)] = in[k + tx];
  __syncthreads();
  unsigned sum = 0;
#pragma unroll 1
  for (unsigned k = 0; k < 32; ++k) sum = sum * 3 + tile[at(tx, k)];
  out[tx] = sum;
}
extern "C" __global__ void rows_padded(unsigned const* in, unsigned* out) { rows<is_there ? 1 : 0, false>(in, out); }
extern "C" __global__ void rows_swizzled(unsigned const* in, unsigned* out) { rows<0, is_there>(in, out); }

// Words that many words apart, with a word of padding behind each 32.
template <unsigned Stride>
__device__ void strided(unsigned const* in, unsigned* out) {
  __shared__ unsigned words[256 * Stride + 8 * Stride];
  unsigned const tx = threadIdx.x;
  auto const at = [](unsigned k) { return k * Stride + (is_there ? k * Stride / 32 : 0); };
  words[at(tx)] = in[tx];
  __syncthreads();
  out[tx] = words[at(tx ^ 1)];
}
extern "C" __global__ void strided_2(unsigned const* in, unsigned* out) { strided<2>(in, out); }
extern "C" __global__ void strided_4(unsigned const* in, unsigned* out) { strided<4>(in, out); }
extern "C" __global__ void strided_8(unsigned const* in, unsigned* out) { strided<8>(in, out); }
extern "C" __global__ void strided_16(unsigned const* in, unsigned* out) { strided<16>(in, out); }
extern "C" __global__ void strided_32(unsigned const* in, unsigned* out) { strided<32>(in, out); }

// 8 columns of 32 rows, stored transposed, as a product of matrices does with A.
extern "C" __global__ void operand_padded(unsigned const* in, unsigned* out) {
  constexpr unsigned pitch = 32 + (is_there ? 4 : 0);
  __shared__ unsigned tile[8 * pitch];
  unsigned const tx = threadIdx.x;
  tile[tx % 8 * pitch + tx / 8] = in[tx];
  __syncthreads();
  out[tx] = tile[tx / 32 * pitch + tx % 32];
}

// The warps' windows overlap, as those of a stencil.
template <unsigned Step>
__device__ void windows(unsigned const* in, unsigned* out) {
  unsigned const tx = threadIdx.x;
  out[tx] = in[(is_there ? tx / 32 * Step : 0) + tx % 32];
}
extern "C" __global__ void windows_31(unsigned const* in, unsigned* out) { windows<31>(in, out); }
extern "C" __global__ void windows_30(unsigned const* in, unsigned* out) { windows<30>(in, out); }
extern "C" __global__ void windows_28(unsigned const* in, unsigned* out) { windows<28>(in, out); }

// A warp of 16 by 16 threads has two rows.
extern "C" __global__ void two_rows(unsigned const* in, unsigned* out, unsigned n) {
  out[threadIdx.y * 16 + threadIdx.x] = in[(is_there ? threadIdx.y : 0) * n + threadIdx.x];
}
