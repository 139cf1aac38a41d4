// SPDX-License-Identifier: BSL-1.0
// Twenty kernels with a padding, a swizzle or an offset of waves. With -D DELETED it is deleted, in all of them: what
// they compute stays right, except for the offsets. mutations.py compares the costs of both with mutations.txt.
#define kernel extern "C" __attribute__((global)) __attribute__((amdgpu_flat_work_group_size(1, 256)))
#define lds __attribute__((shared))
#define device static inline __attribute__((device))

#ifdef DELETED
constexpr bool is_there = false;
#else
constexpr bool is_there = true;
#endif

device unsigned tx() { return __builtin_amdgcn_workitem_id_x(); }
device unsigned ty() { return __builtin_amdgcn_workitem_id_y(); }
device void sync() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
using two_words = unsigned __attribute__((ext_vector_type(2)));
using four_words = unsigned __attribute__((ext_vector_type(4)));

// A tile of 32 by 32 elements, by 32 by 8 threads: out[c][r] = in[r][c].
template <class T, unsigned Padding, bool Swizzled>
device void transpose(T const* in, T* out, unsigned n) {
  lds T tile[32 * (32 + Padding)];
  auto const at = [](unsigned r, unsigned c) { return r * (32 + Padding) + (Swizzled ? c ^ r : c); };
  for (unsigned k = 0; k < 32; k += 8) tile[at(ty() + k, tx())] = in[(ty() + k) * n + tx()];
  sync();
  for (unsigned k = 0; k < 32; k += 8) out[(ty() + k) * n + tx()] = tile[at(tx(), ty() + k)];
}
#define transposes(name, type)                                              \
  kernel void name##_padded(type const* in, type* out, unsigned n) {        \
    transpose<type, is_there ? 1 : 0, false>(in, out, n);                   \
  }                                                                         \
  kernel void name##_swizzled(type const* in, type* out, unsigned n) {      \
    transpose<type, 0, is_there>(in, out, n);                               \
  }
transposes(transpose_16, unsigned short)
transposes(transpose_32, unsigned)
transposes(transpose_64, two_words)
transposes(transpose_128, four_words)

// Each of 256 threads adds up a row of 32 words.
template <unsigned Padding, bool Swizzled>
device void rows(unsigned const* in, unsigned* out) {
  lds unsigned tile[256 * (32 + Padding)];
  auto const at = [](unsigned r, unsigned c) { return r * (32 + Padding) + (Swizzled ? c ^ r % 32 : c); };
  for (unsigned k = 0; k < 8192; k += 256) tile[at((k + tx()) / 32, tx() % 32)] = in[k + tx()];
  sync();
  unsigned sum = 0;
#pragma clang loop unroll(disable)
  for (unsigned k = 0; k < 32; ++k) sum = sum * 3 + tile[at(tx(), k)];
  out[tx()] = sum;
}
kernel void rows_padded(unsigned const* in, unsigned* out, unsigned) { rows<is_there ? 1 : 0, false>(in, out); }
kernel void rows_swizzled(unsigned const* in, unsigned* out, unsigned) { rows<0, is_there>(in, out); }

// Words that many words apart, with a word of padding behind each 32.
template <unsigned Stride>
device void strided(unsigned const* in, unsigned* out) {
  lds unsigned words[256 * Stride + 8 * Stride];
  auto const at = [](unsigned k) { return k * Stride + (is_there ? k * Stride / 32 : 0); };
  words[at(tx())] = in[tx()];
  sync();
  out[tx()] = words[at(tx() ^ 1)];
}
kernel void strided_2(unsigned const* in, unsigned* out, unsigned) { strided<2>(in, out); }
kernel void strided_4(unsigned const* in, unsigned* out, unsigned) { strided<4>(in, out); }
kernel void strided_8(unsigned const* in, unsigned* out, unsigned) { strided<8>(in, out); }
kernel void strided_16(unsigned const* in, unsigned* out, unsigned) { strided<16>(in, out); }
kernel void strided_32(unsigned const* in, unsigned* out, unsigned) { strided<32>(in, out); }

// 8 columns of 32 rows, stored transposed, as a product of matrices does with A.
kernel void operand_padded(unsigned const* in, unsigned* out, unsigned) {
  constexpr unsigned pitch = 32 + (is_there ? 4 : 0);
  lds unsigned tile[8 * pitch];
  tile[tx() % 8 * pitch + tx() / 8] = in[tx()];
  sync();
  out[tx()] = tile[tx() / 32 * pitch + tx() % 32];
}

// The waves' windows overlap, as those of a stencil.
template <unsigned Step>
device void windows(unsigned const* in, unsigned* out) {
  out[tx()] = in[(is_there ? tx() / 64 * Step : 0) + tx() % 64];
}
kernel void windows_62(unsigned const* in, unsigned* out, unsigned) { windows<62>(in, out); }
kernel void windows_60(unsigned const* in, unsigned* out, unsigned) { windows<60>(in, out); }
kernel void windows_48(unsigned const* in, unsigned* out, unsigned) { windows<48>(in, out); }

// A wave of 32 by 8 threads has two rows.
kernel void two_rows(unsigned const* in, unsigned* out, unsigned n) {
  out[ty() * 32 + tx()] = in[(is_there ? ty() : 0) * n + tx()];
}
