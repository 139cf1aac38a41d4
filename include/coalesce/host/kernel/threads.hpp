// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/kernel/interface.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

// What CUDA and HIP share: barriers, atomics, and lanes that exchange values. The functions are never inlined, so that
// the address of their call tells the line of the kernel.

namespace coalescing::detail::host_lanes {

/// The lanes of the mask exchange values.
template <class T>
class exchange {
 public:
  exchange(std::uint64_t mask, T const& value, void const* place) : place_(place) {
    static_assert(std::is_trivially_copyable<T>::value || sizeof(T) <= 16, "lanes exchange plain values");
    present = detail::meet_on_host(mask, &value, sizeof value, place);
  }
  /// The lane's own value, or another one's. Refused: a lane that is not there.
  T of(unsigned lane) const {
    T value{};
    detail::taken_on_host(lane, &value, sizeof value, place_);
    return value;
  }
  std::uint64_t present;

 private:
  void const* place_;
};
/// `first`: of the lane's segment of `width` lanes.
inline unsigned first_of(int width) {
  return detail::running.lane / static_cast<unsigned>(width) * static_cast<unsigned>(width);
}

template <class T>
T shuffle(std::uint64_t mask, T value, int source, int width, void const* place) {
  exchange<T> const all(mask, value, place);
  return all.of(first_of(width) + static_cast<unsigned>(source) % static_cast<unsigned>(width));
}
template <class T>
T shuffle_up(std::uint64_t mask, T value, unsigned delta, int width, void const* place) {
  exchange<T> const all(mask, value, place);
  unsigned const lane = detail::running.lane;
  return all.of(lane - first_of(width) < delta ? lane : lane - delta);
}
template <class T>
T shuffle_down(std::uint64_t mask, T value, unsigned delta, int width, void const* place) {
  exchange<T> const all(mask, value, place);
  unsigned const lane = detail::running.lane;
  return all.of(lane - first_of(width) + delta < static_cast<unsigned>(width) ? lane + delta : lane);
}
/// A source past the end of the segment is the lane itself; one before the segment is allowed: CUDA C++ Programming
/// Guide, "Warp Shuffle Functions".
template <class T>
T shuffle_xor(std::uint64_t mask, T value, int bits, int width, void const* place) {
  exchange<T> const all(mask, value, place);
  unsigned const lane = detail::running.lane, source = lane ^ static_cast<unsigned>(bits);
  return all.of(source < first_of(width) + static_cast<unsigned>(width) ? source : lane);
}
inline std::uint64_t ballot(std::uint64_t mask, bool vote, void const* place) {
  exchange<bool> const all(mask, vote, place);
  std::uint64_t votes = 0;
  for (unsigned k = 0; k != 64; ++k)
    if ((all.present >> k & 1) != 0) votes |= std::uint64_t{all.of(k)} << k;
  return votes;
}
/// Combines what all lanes bring.
template <class T, class Combine>
T reduce(std::uint64_t mask, T value, Combine const& combine, void const* place) {
  exchange<T> const all(mask, value, place);
  T result = value;
  for (unsigned k = 0; k != 64; ++k)
    if ((all.present >> k & 1) != 0 && k != detail::running.lane) result = combine(result, all.of(k));
  return result;
}
template <class T>
std::uint64_t match(std::uint64_t mask, T value, void const* place) {
  exchange<T> const all(mask, value, place);
  std::uint64_t equal = 0;
  for (unsigned k = 0; k != 64; ++k)
    if ((all.present >> k & 1) != 0) equal |= std::uint64_t{all.of(k) == value} << k;
  return equal;
}

}  // namespace coalescing::detail::host_lanes

namespace coalescing::detail::host_atomics {

template <class T, class Change>
T change(T* at, Change const& to, void const* place) {
  detail::note_on_host(at, sizeof(T), touch::atomic, place);
  detail::unnoted const quiet;
  T const before = *at;
  *at = to(before);
  return before;
}
/// The type T, which this argument does not help to deduce: atomicAdd(&floats[k], 1) adds a float.
template <class T>
using same = std::type_identity_t<T>;

}  // namespace coalescing::detail::host_atomics

namespace coalescing::host::words {

#ifdef __clang__  // each call keeps its own line: it is not the caller's last jump, and not one for two branches
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
// ---- Arithmetic ----

// Loads and stores with a hint for the caches.
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
inline int __mul24(int a, int b) { return a * b; }
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
