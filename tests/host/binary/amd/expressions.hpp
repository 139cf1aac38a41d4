// SPDX-License-Identifier: BSL-1.0
#pragma once
// Expressions of two words that a compiler turns into the instructions that make addresses. The host evaluates them,
// too: its results are what the interpreter of the binary must find. No expression is undefined for any words.

#if defined(__HIP__) || defined(__CUDACC__)
#define EXPRESSION static inline __attribute__((device))
#else
#define EXPRESSION constexpr
#endif

struct alignas(16) uint4_of {
  unsigned x, y, z, w;
};

using wide = unsigned long long;
using signed_wide = long long;

constexpr unsigned expression_count = 64;

template <unsigned K>
EXPRESSION unsigned expression(unsigned a, unsigned b) {
  int const i = static_cast<int>(a), j = static_cast<int>(b);
  wide const u = static_cast<wide>(a) << 32 | b, v = static_cast<wide>(b) << 32 | (a ^ 0x5bd1e995u);
  auto const s = static_cast<signed_wide>(u), t = static_cast<signed_wide>(v);
  unsigned const small = b & 31, tiny = b & 7;
  unsigned short const h = static_cast<unsigned short>(a), g = static_cast<unsigned short>(b);
  if constexpr (K == 0) return a + b;
  if constexpr (K == 1) return a - b;
  if constexpr (K == 2) return a * b;
  if constexpr (K == 3) return a & b;
  if constexpr (K == 4) return a | b;
  if constexpr (K == 5) return a ^ b;
  if constexpr (K == 6) return ~a;
  if constexpr (K == 7) return a << small;
  if constexpr (K == 8) return a >> small;
  if constexpr (K == 9) return static_cast<unsigned>(i >> small);
  if constexpr (K == 10) return static_cast<unsigned>((u << (b & 63)) >> 32);
  if constexpr (K == 11) return static_cast<unsigned>(u >> (b & 63));
  if constexpr (K == 12) return static_cast<unsigned>(s >> (b & 63));
  if constexpr (K == 13) return static_cast<unsigned>((u + v) >> 32);
  if constexpr (K == 14) return static_cast<unsigned>((u - v) >> 32);
  if constexpr (K == 15) return static_cast<unsigned>((u * v) >> 32);
  if constexpr (K == 16) return static_cast<unsigned>((static_cast<wide>(a) * b) >> 32);
  if constexpr (K == 17) return static_cast<unsigned>((static_cast<signed_wide>(i) * j) >> 32);
  if constexpr (K == 18) return (a & 0xffffff) * (b & 0xffffff);
  if constexpr (K == 19) return (a & 0xffffff) * (b & 0xffffff) + a;
  if constexpr (K == 20) return (a << 3) + b;
  if constexpr (K == 21) return (a + b) << 5;
  if constexpr (K == 22) return (a << 7) | b;
  if constexpr (K == 23) return (a & b) | (a >> 9);
  if constexpr (K == 24) return (a ^ b) + (b >> 3);
  if constexpr (K == 25) return a + b + (a >> 1);
  if constexpr (K == 26) return a | b | (a << 3);
  if constexpr (K == 27) return (a & b) | (~a & (b >> 5));
  if constexpr (K == 28) return (a >> 7) & 0x3ff;
  if constexpr (K == 29) return static_cast<unsigned>(static_cast<int>(a << 9) >> 20);
  if constexpr (K == 30) return (a >> tiny) & 0x1f;
  if constexpr (K == 31) return a / (b | 1);
  if constexpr (K == 32) return a % (b | 1);
  if constexpr (K == 33) return b == 0 || (i == -2147483647 - 1 && j == -1) ? 0u : static_cast<unsigned>(i / j);
  if constexpr (K == 34) return b == 0 || (i == -2147483647 - 1 && j == -1) ? 0u : static_cast<unsigned>(i % j);
  if constexpr (K == 35) return a / 7;
  if constexpr (K == 36) return static_cast<unsigned>(i / 12);
  if constexpr (K == 37) return a % 33;
  if constexpr (K == 38) return a < b ? a : b;
  if constexpr (K == 39) return i < j ? b : a;
  if constexpr (K == 40) return a < b ? 1u : 2u;
  if constexpr (K == 41) return i >= j ? a * 3 : b;
  if constexpr (K == 42) return u < v ? a : b + 1;
  if constexpr (K == 43) return s <= t ? a : b + 1;
  if constexpr (K == 44) return static_cast<unsigned>(__builtin_popcount(a)) + b;
  if constexpr (K == 45) return a == 0 ? 32u : static_cast<unsigned>(__builtin_clz(a));
  if constexpr (K == 46) return a == 0 ? 32u : static_cast<unsigned>(__builtin_ctz(a));
  if constexpr (K == 47) return __builtin_bswap32(a) + b;
  if constexpr (K == 48) return a << small | a >> ((32 - small) & 31);
  if constexpr (K == 49) return static_cast<unsigned short>(h + g);
  if constexpr (K == 50) return static_cast<unsigned short>(static_cast<unsigned>(h) * g + 7);
  if constexpr (K == 51) return static_cast<unsigned short>(h >> (g & 15)) + a;
  if constexpr (K == 52) return static_cast<unsigned>(static_cast<int>(static_cast<short>(h)) * 5);
  if constexpr (K == 53) return static_cast<unsigned>(static_cast<signed char>(a)) + static_cast<unsigned>(j);
  if constexpr (K == 54) return (a & 0xff) << 24 | (b & 0xff00) << 8 | (a >> 16 & 0xff00) | b >> 24;
  if constexpr (K == 55) return h < g ? h : static_cast<unsigned>(g) << 16;
  if constexpr (K == 56) return static_cast<unsigned>(u / 1000003);
  if constexpr (K == 57) return i < 0 ? 0u - a : a;
  if constexpr (K == 58) return (a & 1) != 0 && (b & 2) == 0 ? a : (a | b) == 0xffffffffu ? 1u : b;
  if constexpr (K == 59) {
    unsigned sum = 0;
    for (unsigned k = 0; k < (a & 15); ++k) sum = sum * 3 + (b >> k);
    return sum;
  }
  if constexpr (K == 60) {
    unsigned at = a;
    while ((at & 0xff) > 16) at = at / 2 + (b & 1);
    return at;
  }
  if constexpr (K == 61) return (a & 63) / 16 * 528 + (a & 15) * 4 + ((a >> 4 & 3) ^ (b & 3)) * 64;
  if constexpr (K == 62) return static_cast<unsigned>((static_cast<wide>(a) * 12345 + v) >> 17);
  if constexpr (K == 63) return a > 0x7fffffff ? b : a << 1;
}
