// SPDX-License-Identifier: BSL-1.0
#pragma once
#ifdef __clang__  // the kernel's file is instrumented; this library is not
#pragma clang attribute push(__attribute__((no_sanitize("coverage", "thread"))), apply_to = function)
#endif
#include <coalesce/host/kernel/interface.hpp>
#include <coalesce/host/kernel/keywords.hpp>
#include <coalesce/host/kernel/threads.hpp>
#include <coalesce/host/kernel/vectors.hpp>

#include <cassert>
#include <cstdint>
#include <cstdio>

// The functions and types of CUDA, for a kernel that is compiled for the host. Include this header before the kernel's
// own file.

namespace coalescing::host::words {

#ifdef __clang__  // each call keeps its own line: no tail calls, and no call shared by two branches
#pragma clang attribute push(__attribute__((not_tail_called)), apply_to = function)
#pragma clang attribute push(__attribute__((nomerge)), apply_to = function)
#endif
// Warps: CUDA C++ Programming Guide, "Warp Vote Functions", "Warp Match Functions", "Warp Reduce Functions", "Warp
// Shuffle Functions".
template <class T>
[[gnu::noinline]] T __shfl_sync(unsigned mask, T value, int source, int width = 32) {
  return detail::host_lanes::shuffle(mask, value, source, width, __builtin_return_address(0));
}
template <class T>
[[gnu::noinline]] T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  return detail::host_lanes::shuffle_up(mask, value, delta, width, __builtin_return_address(0));
}
template <class T>
[[gnu::noinline]] T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  return detail::host_lanes::shuffle_down(mask, value, delta, width, __builtin_return_address(0));
}
template <class T>
[[gnu::noinline]] T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32) {
  return detail::host_lanes::shuffle_xor(mask, value, bits, width, __builtin_return_address(0));
}
[[gnu::noinline]] inline void __syncwarp(unsigned mask = ~0u) {
  detail::exchange_on_host(mask, nullptr, 0, __builtin_return_address(0));
}
[[gnu::noinline]] inline unsigned __ballot_sync(unsigned mask, int vote) {
  return static_cast<unsigned>(detail::host_lanes::ballot(mask, vote != 0, __builtin_return_address(0)));
}
[[gnu::noinline]] inline int __any_sync(unsigned mask, int vote) {
  return detail::host_lanes::ballot(mask, vote != 0, __builtin_return_address(0)) != 0;
}
[[gnu::noinline]] inline int __all_sync(unsigned mask, int vote) {
  return detail::host_lanes::ballot(mask, vote == 0, __builtin_return_address(0)) == 0;
}
[[gnu::noinline]] inline unsigned __activemask() {
  return static_cast<unsigned>(detail::exchange_on_host(0, nullptr, 0, __builtin_return_address(0)));
}
template <class T>
[[gnu::noinline]] unsigned __match_any_sync(unsigned mask, T value) {
  return static_cast<unsigned>(detail::host_lanes::match(mask, value, __builtin_return_address(0)));
}
template <class T>
[[gnu::noinline]] T __reduce_add_sync(unsigned mask, T value) {
  return detail::host_lanes::reduce(
      mask, value, [](T a, T b) { return static_cast<T>(a + b); }, __builtin_return_address(0));
}
template <class T>
[[gnu::noinline]] T __reduce_min_sync(unsigned mask, T value) {
  return detail::host_lanes::reduce(
      mask, value, [](T a, T b) { return b < a ? b : a; }, __builtin_return_address(0));
}
template <class T>
[[gnu::noinline]] T __reduce_max_sync(unsigned mask, T value) {
  return detail::host_lanes::reduce(
      mask, value, [](T a, T b) { return a < b ? b : a; }, __builtin_return_address(0));
}

/// The offset in shared memory that inline assembly takes as an address.
inline std::size_t __cvta_generic_to_shared(void const* address) { return detail::shared_offset_on_host(address); }

#ifdef __clang__
#pragma clang attribute pop
#pragma clang attribute pop
#endif
}  // namespace coalescing::host::words
#ifdef __clang__
#pragma clang attribute pop
#endif

using namespace coalescing::host::words;  // so that a kernel's file finds these names without a namespace
