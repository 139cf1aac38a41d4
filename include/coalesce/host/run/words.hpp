// SPDX-License-Identifier: BSL-1.0
#pragma once
#ifdef __clang__  // the program is instrumented; this library is not
#pragma clang attribute push(__attribute__((no_sanitize("coverage", "thread"))), apply_to = function)
#endif
#include <coalesce/host/kernel/threads.hpp>
#include <coalesce/host/run/api.hpp>

#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>

// More functions of CUDA's and HIP's device code: those that a corpus of programs uses most. The functions compute with
// this host's arithmetic. Floating-point results are rounded to nearest, even if a function's name says otherwise.
// Conversions to integers round as their names say. Source: CUDA Math API, "Integer Intrinsics", "Type Casting
// Intrinsics", "Single and Double Precision Intrinsics".

namespace coalescing::host::words {

// ---- Integers ----

inline int __clzll(long long bits) { return std::countl_zero(static_cast<std::uint64_t>(bits)); }
inline unsigned long long __brevll(unsigned long long bits) {
  return std::uint64_t{words::__brev(static_cast<unsigned>(bits))} << 32 |
         words::__brev(static_cast<unsigned>(bits >> 32));
}
inline int __mulhi(int a, int b) { return static_cast<int>(static_cast<long long>(a) * b >> 32); }
inline unsigned __umulhi(unsigned a, unsigned b) { return static_cast<unsigned>(std::uint64_t{a} * b >> 32); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  __extension__ using wide = unsigned __int128;
  return static_cast<unsigned long long>(static_cast<wide>(a) * b >> 64);
}
inline unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
inline unsigned __sad(int a, int b, unsigned c) { return c + static_cast<unsigned>(a < b ? b - a : a - b); }
inline unsigned __usad(unsigned a, unsigned b, unsigned c) { return c + (a < b ? b - a : a - b); }
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by) {
  return static_cast<unsigned>((std::uint64_t{high} << 32 | low) << (by & 31) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by) {
  return static_cast<unsigned>((std::uint64_t{high} << 32 | low) >> (by & 31));
}
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  std::uint64_t const bytes = std::uint64_t{b} << 32 | a;
  unsigned made = 0;
  for (unsigned k = 0; k != 4; ++k) made |= static_cast<unsigned>(bytes >> 8 * (selector >> 4 * k & 7) & 255) << 8 * k;
  return made;
}
inline unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
inline unsigned umax(unsigned a, unsigned b) { return a < b ? b : a; }

// ---- Bits of numbers, and conversions ----

inline long long __double_as_longlong(double x) { return std::bit_cast<long long>(x); }
inline double __longlong_as_double(long long bits) { return std::bit_cast<double>(bits); }
inline int __double2hiint(double x) { return static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 32); }
inline int __double2loint(double x) { return static_cast<int>(std::bit_cast<std::uint64_t>(x)); }
inline double __hiloint2double(int high, int low) {
  return std::bit_cast<double>(std::uint64_t{static_cast<unsigned>(high)} << 32 | static_cast<unsigned>(low));
}
inline int __float2int_rn(float x) { return static_cast<int>(std::nearbyint(x)); }
inline int __float2int_rz(float x) { return static_cast<int>(x); }
inline int __float2int_rd(float x) { return static_cast<int>(std::floor(x)); }
inline int __float2int_ru(float x) { return static_cast<int>(std::ceil(x)); }
inline unsigned __float2uint_rn(float x) { return static_cast<unsigned>(std::nearbyint(x)); }
inline unsigned __float2uint_rz(float x) { return static_cast<unsigned>(x); }
inline float __int2float_rn(int x) { return static_cast<float>(x); }
inline float __int2float_rz(int x) { return static_cast<float>(x); }
inline float __uint2float_rn(unsigned x) { return static_cast<float>(x); }
inline float __uint2float_rz(unsigned x) { return static_cast<float>(x); }
inline int __double2int_rn(double x) { return static_cast<int>(std::nearbyint(x)); }
inline int __double2int_rz(double x) { return static_cast<int>(x); }
inline float __double2float_rn(double x) { return static_cast<float>(x); }
inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned x) { return x; }
inline double __ll2double_rn(long long x) { return static_cast<double>(x); }
inline double __ull2double_rn(unsigned long long x) { return static_cast<double>(x); }
inline float __ull2float_rn(unsigned long long x) { return static_cast<float>(x); }
inline float __ll2float_rn(long long x) { return static_cast<float>(x); }
inline long long __double2ll_rn(double x) { return static_cast<long long>(std::nearbyint(x)); }

// ---- Floating point ----

inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
inline float __frsqrt_rn(float x) { return 1 / std::sqrt(x); }
inline float __saturatef(float x) { return !(x > 0) ? 0.0f : x > 1 ? 1.0f : x; }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dsub_rn(double a, double b) { return a - b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __ddiv_rn(double a, double b) { return a / b; }
inline double __dsqrt_rn(double x) { return std::sqrt(x); }
inline double __drcp_rn(double x) { return 1 / x; }
inline double __fma_rn(double a, double b, double c) { return std::fma(a, b, c); }
inline double rsqrt(double x) { return 1 / std::sqrt(x); }
inline float rcbrtf(float x) { return 1 / std::cbrt(x); }
inline double rcbrt(double x) { return 1 / std::cbrt(x); }
inline float sinpif(float x) { return static_cast<float>(std::sin(3.14159265358979323846 * x)); }
inline float cospif(float x) { return static_cast<float>(std::cos(3.14159265358979323846 * x)); }
inline double sinpi(double x) { return std::sin(3.14159265358979323846 * x); }
inline double cospi(double x) { return std::cos(3.14159265358979323846 * x); }
inline float normcdff(float x) { return 0.5f * std::erfc(-x * 0.70710678f); }
inline double normcdf(double x) { return 0.5 * std::erfc(-x * 0.70710678118654752440); }

// ---- Loads and stores with a hint, clocks, __trap() ----

template <class T>
__attribute__((always_inline)) inline T __ldlu(T const* from) {
  return *from;
}
template <class T>
__attribute__((always_inline)) inline T __ldcv(T const* from) {
  return *from;
}
template <class T>
__attribute__((always_inline)) inline void __stwb(T* to, detail::host_atomics::same<T> const& value) {
  *to = value;
}
template <class T>
__attribute__((always_inline)) inline void __stwt(T* to, detail::host_atomics::same<T> const& value) {
  *to = value;
}
inline constexpr int __NV_ATOMIC_RELAXED = __ATOMIC_RELAXED, __NV_THREAD_SCOPE_SYSTEM = 0;
template <class T>
__attribute__((always_inline)) inline T __nv_atomic_load_n(T const* from, int, int = __NV_THREAD_SCOPE_SYSTEM) {
  return *from;
}
inline long long clock64() { return std::chrono::steady_clock::now().time_since_epoch().count(); }
inline long long wall_clock64() { return words::clock64(); }
inline void __nanosleep(unsigned) {}
[[gnu::noinline]] inline void __trap() {
  detail::refuse_on_host("the kernel calls __trap()", __builtin_return_address(0));
}

}  // namespace coalescing::host::words
#ifdef __clang__
#pragma clang attribute pop
#endif
