// SPDX-License-Identifier: BSL-1.0
// Expressions that nvcc turns into the opcodes that compute addresses. expressions.cpp runs their SASS, and compares
// what it stores with what C++ says. Below them stand operations of PTX that C++ has no word for.
#include <utility>
#define __builtin_popcount(x) __popc(x)
#define __builtin_clz(x) __clz(static_cast<int>(x))
#define __builtin_ctz(x) (__ffs(static_cast<int>(x)) - 1)
#define __builtin_bswap32(x) __byte_perm(x, 0, 0x0123)
#include "../binary/expressions.hpp"

template <std::size_t... K>
__device__ void all(unsigned* out, unsigned a, unsigned b, unsigned n, std::index_sequence<K...>) {
  ((out[K * n] = expression<K>(a, b)), ...);
}
extern "C" __global__ void expressions(unsigned* out, uint2 const* in, unsigned n) {
  unsigned const t = blockIdx.x * blockDim.x + threadIdx.x;
  all(out + t, in[t].x, in[t].y, n, std::make_index_sequence<expression_count>());
}

#define ptx(k, text, ...)                     \
  asm volatile(text : "=r"(r) : __VA_ARGS__); \
  out[(k)*n] = r;
extern "C" __global__ void operations(unsigned* out, uint2 const* in, unsigned n) {
  unsigned const t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned const a = in[t].x, b = in[t].y, c = a * 3 + 1;
  unsigned r;
  out += t;
  ptx(0, "bfe.u32 %0, %1, %2, %3;", "r"(a), "r"(b & 31), "r"(b >> 8 & 31));
  ptx(1, "bfe.s32 %0, %1, %2, %3;", "r"(a), "r"(b & 31), "r"(b >> 8 & 31));
  ptx(2, "bfi.b32 %0, %1, %2, %3, %4;", "r"(a), "r"(c), "r"(b & 31), "r"(b >> 8 & 31));
  ptx(3, "shf.l.wrap.b32 %0, %1, %2, %3;", "r"(a), "r"(c), "r"(b));
  ptx(4, "shf.r.wrap.b32 %0, %1, %2, %3;", "r"(a), "r"(c), "r"(b));
  ptx(5, "shf.l.clamp.b32 %0, %1, %2, %3;", "r"(a), "r"(c), "r"(b & 63));
  ptx(6, "shf.r.clamp.b32 %0, %1, %2, %3;", "r"(a), "r"(c), "r"(b & 63));
  ptx(7, "prmt.b32 %0, %1, %2, %3;", "r"(a), "r"(c), "r"(b));
  ptx(8, "lop3.b32 %0, %1, %2, %3, 0x1e;", "r"(a), "r"(b), "r"(c));
  ptx(9, "bfind.u32 %0, %1;", "r"(a));
  ptx(10, "bfind.s32 %0, %1;", "r"(a));
  ptx(11, "bfind.shiftamt.s32 %0, %1;", "r"(a));
  ptx(12, "szext.clamp.s32 %0, %1, %2;", "r"(a), "r"(b & 63));
  ptx(13, "szext.wrap.u32 %0, %1, %2;", "r"(a), "r"(b & 63));
  ptx(14, "bmsk.clamp.b32 %0, %1, %2;", "r"(a & 63), "r"(b & 63));
  ptx(15, "bmsk.wrap.b32 %0, %1, %2;", "r"(a), "r"(b));
  ptx(16, "mad.hi.s32 %0, %1, %2, %3;", "r"(a), "r"(b), "r"(c));
  ptx(17, "mad.hi.u32 %0, %1, %2, %3;", "r"(a), "r"(b), "r"(c));
  ptx(18, "{ .reg .u32 x; add.cc.u32 x, %1, %2; addc.cc.u32 x, %1, %3; addc.u32 %0, x, %2; }", "r"(a), "r"(b), "r"(c));
  ptx(19, "{ .reg .u32 x; sub.cc.u32 x, %1, %2; subc.cc.u32 x, %1, %3; subc.u32 %0, x, %2; }", "r"(a), "r"(b), "r"(c));
  ptx(20, "{ .reg .pred p, q; setp.lt.s32 p, %1, %2; setp.gt.xor.u32 q, %1, %3, p; selp.u32 %0, %1, %2, q; }", "r"(a),
      "r"(b), "r"(c));
  ptx(21, "{ .reg .pred p, q; setp.eq.u32 q, %2, %3; setp.ge.or.s32 p|q, %1, %2, q; selp.u32 %0, %1, %3, q; }", "r"(a),
      "r"(b), "r"(c));
  ptx(22, "{ .reg .s64 x, y; .reg .u32 z; mov.b64 x, {%1, %2}; mad.wide.s32 y, %1, %3, x; mov.b64 {z, %0}, y; }",
      "r"(a), "r"(b), "r"(c));
}
