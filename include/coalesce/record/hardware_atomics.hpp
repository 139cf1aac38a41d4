// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/record/changes.hpp>

// The atomics that a kernel's body performs on raw pointers. In device code they are the hardware's atomics. In host
// code they are plain arithmetic, since there is only one thread.

namespace coalescing::detail {

/// Atomics as plain arithmetic: for one thread, and for constant expressions.
struct plain_arithmetic {
  template <change What, class T>
  COALESCE_API static constexpr T apply(T* at, T v, T expected) {
    T const before = *at;
    return *at = detail::changed_by<What>(before, v, expected), before;
  }
};

#if defined(__CUDA_ARCH__)
/// CUDA's atomics, in device code (CUDA C++ Programming Guide, "Atomic Functions").
struct hardware_atomics {
  template <change What, class T>
  __device__ static T apply(T* at, T v, [[maybe_unused]] T expected) {
    if constexpr (What == change::add)
      return ::atomicAdd(at, v);
    else if constexpr (What == change::sub)
      return ::atomicSub(at, v);
    else if constexpr (What == change::min)
      return ::atomicMin(at, v);
    else if constexpr (What == change::max)
      return ::atomicMax(at, v);
    else if constexpr (What == change::and_)
      return ::atomicAnd(at, v);
    else if constexpr (What == change::or_)
      return ::atomicOr(at, v);
    else if constexpr (What == change::xor_)
      return ::atomicXor(at, v);
    else if constexpr (What == change::store)
      return ::atomicExch(at, v);
    else
      return ::atomicCAS(at, expected, v);
  }
};
#elif defined(__HIP_DEVICE_COMPILE__)
/// Clang's atomics with a scope. They are relaxed, with agent scope, as HIP's atomicAdd is.
struct hardware_atomics {
  template <change What, class T>
  __attribute__((device)) static T apply(T* at, T v, [[maybe_unused]] T expected) {
    constexpr int order = __ATOMIC_RELAXED, scope = __HIP_MEMORY_SCOPE_AGENT;
    if constexpr (What == change::add)
      return __hip_atomic_fetch_add(at, v, order, scope);
    else if constexpr (What == change::sub)
      return __hip_atomic_fetch_add(at, static_cast<T>(-v), order, scope);  // clang 16 has no __hip_atomic_fetch_sub
    else if constexpr (What == change::min)
      return __hip_atomic_fetch_min(at, v, order, scope);
    else if constexpr (What == change::max)
      return __hip_atomic_fetch_max(at, v, order, scope);
    else if constexpr (What == change::and_)
      return __hip_atomic_fetch_and(at, v, order, scope);
    else if constexpr (What == change::or_)
      return __hip_atomic_fetch_or(at, v, order, scope);
    else if constexpr (What == change::xor_)
      return __hip_atomic_fetch_xor(at, v, order, scope);
    else if constexpr (What == change::store)
      return __hip_atomic_exchange(at, v, order, scope);
    else
      return __hip_atomic_compare_exchange_strong(at, &expected, v, order, order, scope), expected;
  }
};
#else
using hardware_atomics = plain_arithmetic;
#endif

}  // namespace coalescing::detail
