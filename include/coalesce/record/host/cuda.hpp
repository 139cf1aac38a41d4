// SPDX-License-Identifier: BSL-1.0
#pragma once
#ifdef __clang__  // the kernel's file is instrumented; this library is not
#pragma clang attribute push(__attribute__((no_sanitize("coverage", "thread"))), apply_to = function)
#endif
#include <coalesce/record/host/interface.hpp>
#include <coalesce/record/host/threads.hpp>
#include <coalesce/record/host/vectors.hpp>

#include <cassert>
#include <cstdint>
#include <cstdio>

// CUDA's words, for a kernel that is compiled for the host. Include this header before the kernel's own file.
//
// Shared memory is thread-local: all threads of the kernel are fibers of one thread. An array `extern __shared__ T a[]`
// has its size where the launch says it. Here the program defines it: `__shared__ T a[elements];`, beside the kernel.

namespace coalescing::host {

// Warps: CUDA C++ Programming Guide, "Warp Vote Functions", "Warp Match Functions", "Warp Reduce Functions", "Warp
// Shuffle Functions".
template <class T>
[[gnu::noinline]] T __shfl_sync(unsigned mask, T value, int source, int width = 32) {
  return lanes::shuffle(mask, value, source, width, __builtin_return_address(0));
}
template <class T>
[[gnu::noinline]] T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  return lanes::shuffle_up(mask, value, delta, width, __builtin_return_address(0));
}
template <class T>
[[gnu::noinline]] T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  return lanes::shuffle_down(mask, value, delta, width, __builtin_return_address(0));
}
template <class T>
[[gnu::noinline]] T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32) {
  return lanes::shuffle_xor(mask, value, bits, width, __builtin_return_address(0));
}
[[gnu::noinline]] inline void __syncwarp(unsigned mask = ~0u) {
  detail::meet_on_host(mask, nullptr, 0, __builtin_return_address(0));
}
[[gnu::noinline]] inline unsigned __ballot_sync(unsigned mask, int vote) {
  return static_cast<unsigned>(lanes::ballot(mask, vote != 0, __builtin_return_address(0)));
}
[[gnu::noinline]] inline int __any_sync(unsigned mask, int vote) {
  return lanes::ballot(mask, vote != 0, __builtin_return_address(0)) != 0;
}
[[gnu::noinline]] inline int __all_sync(unsigned mask, int vote) {
  return lanes::ballot(mask, vote == 0, __builtin_return_address(0)) == 0;
}
[[gnu::noinline]] inline unsigned __activemask() {
  return static_cast<unsigned>(detail::meet_on_host(0, nullptr, 0, __builtin_return_address(0)));
}
template <class T>
[[gnu::noinline]] unsigned __match_any_sync(unsigned mask, T value) {
  return static_cast<unsigned>(lanes::match(mask, value, __builtin_return_address(0)));
}
template <class T>
[[gnu::noinline]] T __reduce_add_sync(unsigned mask, T value) {
  return lanes::reduce(mask, value, [](T a, T b) { return static_cast<T>(a + b); }, __builtin_return_address(0));
}
template <class T>
[[gnu::noinline]] T __reduce_min_sync(unsigned mask, T value) {
  return lanes::reduce(mask, value, [](T a, T b) { return b < a ? b : a; }, __builtin_return_address(0));
}
template <class T>
[[gnu::noinline]] T __reduce_max_sync(unsigned mask, T value) {
  return lanes::reduce(mask, value, [](T a, T b) { return a < b ? b : a; }, __builtin_return_address(0));
}

/// The offset in shared memory that inline assembly takes.
inline std::size_t __cvta_generic_to_shared(void const* address) { return detail::shared_offset_on_host(address); }

}  // namespace coalescing::host
#ifdef __clang__
#pragma clang attribute pop
#endif

using namespace coalescing::host;  // a kernel's file finds them without a namespace

#define __global__ __attribute__((noinline))
#define __device__
#define __host__
#define __shared__ __attribute__((aligned(128))) thread_local
#define __constant__ __attribute__((section("coalesce_constant")))
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __grid_constant__
