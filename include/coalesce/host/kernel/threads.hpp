// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/kernel/exchanges.hpp>
#include <coalesce/host/kernel/interface.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

// The functions that CUDA and HIP share: barriers, atomics, loads and stores with hints, arithmetic, and indices.
// Barriers and atomics are never inlined, so that the address of the call tells the line of the kernel.

namespace coalescing::detail::host_atomics {

template <class T, class Change>
T change(T* at, Change const& to, void const* place) {
  detail::note_on_host(at, sizeof(T), touch::atomic, place);
  detail::unnoted const quiet;
  T const before = *at;
  *at = to(before);
  return before;
}
/// T, for a parameter whose argument does not decide what T is: atomicAdd(&floats[k], 1) adds a float.
template <class T>
using same = std::type_identity_t<T>;

}  // namespace coalescing::detail::host_atomics

namespace coalescing::host::words {

#ifdef __clang__  // each call keeps its own line: no tail calls, and no call shared by two branches
#pragma clang attribute push(__attribute__((not_tail_called)), apply_to = function)
#pragma clang attribute push(__attribute__((nomerge)), apply_to = function)
#endif
// ---- Barriers ----

[[gnu::noinline]] inline void __syncthreads() { detail::barrier_on_host(false, __builtin_return_address(0)); }
[[gnu::noinline]] inline int __syncthreads_count(int vote) {
  return static_cast<int>(detail::barrier_on_host(vote != 0, __builtin_return_address(0)));
}
[[gnu::noinline]] inline int __syncthreads_or(int vote) {
  return detail::barrier_on_host(vote != 0, __builtin_return_address(0)) != 0;
}
[[gnu::noinline]] inline int __syncthreads_and(int vote) {
  return detail::barrier_on_host(vote == 0, __builtin_return_address(0)) == 0;
}
inline void __threadfence() {}
inline void __threadfence_block() {}
inline void __threadfence_system() {}

// ---- Atomics ----

template <class T>
[[gnu::noinline]] T atomicAdd(T* at, detail::host_atomics::same<T> value) {
  return detail::host_atomics::change(
      at, [&](T old) { return static_cast<T>(old + value); }, __builtin_return_address(0));
}
template <class T>
[[gnu::noinline]] T atomicSub(T* at, detail::host_atomics::same<T> value) {
  return detail::host_atomics::change(
      at, [&](T old) { return static_cast<T>(old - value); }, __builtin_return_address(0));
}
template <class T>
[[gnu::noinline]] T atomicMin(T* at, detail::host_atomics::same<T> value) {
  return detail::host_atomics::change(
      at, [&](T old) { return value < old ? value : old; }, __builtin_return_address(0));
}
template <class T>
[[gnu::noinline]] T atomicMax(T* at, detail::host_atomics::same<T> value) {
  return detail::host_atomics::change(
      at, [&](T old) { return old < value ? value : old; }, __builtin_return_address(0));
}
template <class T>
[[gnu::noinline]] T atomicAnd(T* at, detail::host_atomics::same<T> value) {
  return detail::host_atomics::change(
      at, [&](T old) { return old & value; }, __builtin_return_address(0));
}
template <class T>
[[gnu::noinline]] T atomicOr(T* at, detail::host_atomics::same<T> value) {
  return detail::host_atomics::change(
      at, [&](T old) { return old | value; }, __builtin_return_address(0));
}
template <class T>
[[gnu::noinline]] T atomicXor(T* at, detail::host_atomics::same<T> value) {
  return detail::host_atomics::change(
      at, [&](T old) { return old ^ value; }, __builtin_return_address(0));
}
template <class T>
[[gnu::noinline]] T atomicExch(T* at, detail::host_atomics::same<T> value) {
  return detail::host_atomics::change(
      at, [&](T) { return value; }, __builtin_return_address(0));
}
template <class T>
[[gnu::noinline]] T atomicCAS(T* at, detail::host_atomics::same<T> expected, detail::host_atomics::same<T> value) {
  return detail::host_atomics::change(
      at, [&](T old) { return old == expected ? value : old; }, __builtin_return_address(0));
}
[[gnu::noinline]] inline unsigned atomicInc(unsigned* at, unsigned last) {
  return detail::host_atomics::change(
      at, [&](unsigned old) { return old >= last ? 0 : old + 1; }, __builtin_return_address(0));
}
[[gnu::noinline]] inline unsigned atomicDec(unsigned* at, unsigned last) {
  return detail::host_atomics::change(
      at, [&](unsigned old) { return old == 0 || old > last ? last : old - 1; }, __builtin_return_address(0));
}

#ifdef __clang__
#pragma clang attribute pop
#pragma clang attribute pop
#endif
// ---- Loads and stores with a hint, and arithmetic ----

// The hint is for the caches, and is ignored.
template <class T>
__attribute__((always_inline)) inline T __ldg(T const* from) {
  return *from;
}
template <class T>
__attribute__((always_inline)) inline T __ldca(T const* from) {
  return *from;
}
template <class T>
__attribute__((always_inline)) inline T __ldcg(T const* from) {
  return *from;
}
template <class T>
__attribute__((always_inline)) inline T __ldcs(T const* from) {
  return *from;
}
template <class T>
__attribute__((always_inline)) inline void __stcg(T* to, detail::host_atomics::same<T> const& value) {
  *to = value;
}
template <class T>
__attribute__((always_inline)) inline void __stcs(T* to, detail::host_atomics::same<T> const& value) {
  *to = value;
}
inline int __popc(unsigned bits) { return __builtin_popcount(bits); }
inline int __popcll(unsigned long long bits) { return __builtin_popcountll(bits); }
inline int __ffs(int bits) { return __builtin_ffs(bits); }
inline int __ffsll(long long bits) { return __builtin_ffsll(bits); }
inline int __clz(int bits) { return bits == 0 ? 32 : __builtin_clz(static_cast<unsigned>(bits)); }
inline unsigned __brev(unsigned bits) {
  unsigned turned = 0;
  for (unsigned k = 0; k != 32; ++k) turned |= (bits >> k & 1) << (31 - k);
  return turned;
}
/// Multiplies two signed 24-bit numbers: the low 24 bits of `a` and of `b`. Returns the product's low 32 bits.
inline int __mul24(int a, int b) {
  auto const low = [](int of) { return static_cast<unsigned>(static_cast<int>(static_cast<unsigned>(of) << 8) >> 8); };
  return static_cast<int>(low(a) * low(b));
}
inline float __fdividef(float x, float y) { return x / y; }
inline float __frcp_rn(float x) { return 1 / x; }
inline float rsqrtf(float x) { return 1 / std::sqrt(x); }
inline float __fsqrt_rn(float x) { return std::sqrt(x); }
inline unsigned __float_as_uint(float x) {
  unsigned bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}
inline int __float_as_int(float x) { return static_cast<int>(words::__float_as_uint(x)); }
inline float __uint_as_float(unsigned bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
inline float __int_as_float(int bits) { return words::__uint_as_float(static_cast<unsigned>(bits)); }
template <class A, class B>
constexpr auto min(A a, B b) {
  using both = std::common_type_t<A, B>;
  return static_cast<both>(b) < static_cast<both>(a) ? static_cast<both>(b) : static_cast<both>(a);
}
template <class A, class B>
constexpr auto max(A a, B b) {
  using both = std::common_type_t<A, B>;
  return static_cast<both>(a) < static_cast<both>(b) ? static_cast<both>(b) : static_cast<both>(a);
}

// ---- Indices ----

inline uint3 const& threadIdx = detail::running.thread;
inline uint3 const& blockIdx = detail::running.block;
inline dim3 const& blockDim = detail::running.block_size;
inline dim3 const& gridDim = detail::running.grid_size;
inline int const& warpSize = detail::running.lanes;

}  // namespace coalescing::host::words
