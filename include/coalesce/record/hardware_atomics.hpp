// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>

// The atomics that a kernel's body gets on raw pointers: the hardware's in device code, else those of one thread.

namespace coalescing::detail {

/// Plain arithmetic: the atomics of one thread, and of constant expressions.
struct plain_arithmetic {
  template <class T>
  COALESCE_API static constexpr T replace(T* at, T with) {
    T const before = *at;
    return *at = with, before;
  }
  template <class T>
  COALESCE_API static constexpr T add_(T* at, T v) {
    return replace(at, static_cast<T>(*at + v));
  }
  template <class T>
  COALESCE_API static constexpr T sub_(T* at, T v) {
    return replace(at, static_cast<T>(*at - v));
  }
  template <class T>
  COALESCE_API static constexpr T min_(T* at, T v) {
    return replace(at, v < *at ? v : *at);
  }
  template <class T>
  COALESCE_API static constexpr T max_(T* at, T v) {
    return replace(at, v > *at ? v : *at);
  }
  template <class T>
  COALESCE_API static constexpr T and_(T* at, T v) {
    return replace(at, static_cast<T>(*at & v));
  }
  template <class T>
  COALESCE_API static constexpr T or_(T* at, T v) {
    return replace(at, static_cast<T>(*at | v));
  }
  template <class T>
  COALESCE_API static constexpr T xor_(T* at, T v) {
    return replace(at, static_cast<T>(*at ^ v));
  }
  template <class T>
  COALESCE_API static constexpr T exchange_(T* at, T v) {
    return replace(at, v);
  }
  template <class T>
  COALESCE_API static constexpr T cas_(T* at, T expected, T v) {
    return replace(at, *at == expected ? v : *at);
  }
};

#if defined(__CUDA_ARCH__)
/// CUDA C++ Programming Guide, "Atomic Functions".
struct hardware_atomics {
  template <class T>
  __device__ static T add_(T* at, T v) {
    return ::atomicAdd(at, v);
  }
  template <class T>
  __device__ static T sub_(T* at, T v) {
    return ::atomicSub(at, v);
  }
  template <class T>
  __device__ static T min_(T* at, T v) {
    return ::atomicMin(at, v);
  }
  template <class T>
  __device__ static T max_(T* at, T v) {
    return ::atomicMax(at, v);
  }
  template <class T>
  __device__ static T and_(T* at, T v) {
    return ::atomicAnd(at, v);
  }
  template <class T>
  __device__ static T or_(T* at, T v) {
    return ::atomicOr(at, v);
  }
  template <class T>
  __device__ static T xor_(T* at, T v) {
    return ::atomicXor(at, v);
  }
  template <class T>
  __device__ static T exchange_(T* at, T v) {
    return ::atomicExch(at, v);
  }
  template <class T>
  __device__ static T cas_(T* at, T expected, T v) {
    return ::atomicCAS(at, expected, v);
  }
};
#elif defined(__HIP_DEVICE_COMPILE__)
/// Clang's atomics with a scope, relaxed, of the agent: what HIP's atomicAdd is.
struct hardware_atomics {
  template <class T>
  __attribute__((device)) static T add_(T* at, T v) {
    return __hip_atomic_fetch_add(at, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  }
  template <class T>
  __attribute__((device)) static T sub_(T* at, T v) {
    return add_(at, static_cast<T>(-v));  // clang 16 has no __hip_atomic_fetch_sub
  }
  template <class T>
  __attribute__((device)) static T min_(T* at, T v) {
    return __hip_atomic_fetch_min(at, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  }
  template <class T>
  __attribute__((device)) static T max_(T* at, T v) {
    return __hip_atomic_fetch_max(at, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  }
  template <class T>
  __attribute__((device)) static T and_(T* at, T v) {
    return __hip_atomic_fetch_and(at, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  }
  template <class T>
  __attribute__((device)) static T or_(T* at, T v) {
    return __hip_atomic_fetch_or(at, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  }
  template <class T>
  __attribute__((device)) static T xor_(T* at, T v) {
    return __hip_atomic_fetch_xor(at, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  }
  template <class T>
  __attribute__((device)) static T exchange_(T* at, T v) {
    return __hip_atomic_exchange(at, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  }
  template <class T>
  __attribute__((device)) static T cas_(T* at, T expected, T v) {
    __hip_atomic_compare_exchange_strong(at, &expected, v, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                         __HIP_MEMORY_SCOPE_AGENT);
    return expected;
  }
};
#else
using hardware_atomics = plain_arithmetic;
#endif

}  // namespace coalescing::detail
