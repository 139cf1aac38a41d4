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

// The functions and types of HIP, for a kernel that is compiled for the host. Include this header before the kernel's
// own file.
//
// In a shuffle or vote without a mask, the lanes that reach the call together take part.

namespace coalescing::host::words {

#ifdef __clang__  // each call keeps its own line: no tail calls, and no call shared by two branches
#pragma clang attribute push(__attribute__((not_tail_called)), apply_to = function)
#pragma clang attribute push(__attribute__((nomerge)), apply_to = function)
#endif
// HIP's documentation, "C++ language extensions": warp shuffle and vote functions.
template <class T>
[[gnu::noinline]] T __shfl(T value, int source, int width = warpSize) {
  return detail::host_lanes::shuffle(0, value, source, width, __builtin_return_address(0));
}
template <class T>
[[gnu::noinline]] T __shfl_up(T value, unsigned delta, int width = warpSize) {
  return detail::host_lanes::shuffle_up(0, value, delta, width, __builtin_return_address(0));
}
template <class T>
[[gnu::noinline]] T __shfl_down(T value, unsigned delta, int width = warpSize) {
  return detail::host_lanes::shuffle_down(0, value, delta, width, __builtin_return_address(0));
}
template <class T>
[[gnu::noinline]] T __shfl_xor(T value, int bits, int width = warpSize) {
  return detail::host_lanes::shuffle_xor(0, value, bits, width, __builtin_return_address(0));
}
[[gnu::noinline]] inline unsigned long long __ballot(int vote) {
  return detail::host_lanes::ballot(0, vote != 0, __builtin_return_address(0));
}
[[gnu::noinline]] inline int __any(int vote) {
  return detail::host_lanes::ballot(0, vote != 0, __builtin_return_address(0)) != 0;
}
[[gnu::noinline]] inline int __all(int vote) {
  return detail::host_lanes::ballot(0, vote == 0, __builtin_return_address(0)) == 0;
}
inline unsigned __lane_id() { return detail::running.lane; }

// Clang's builtins for AMD GPUs: LLVM 22, clang/include/clang/Basic/BuiltinsAMDGPU.td; the instructions' meaning is in
// the ISA documents.
[[gnu::noinline]] inline void __builtin_amdgcn_s_barrier() {
  detail::barrier_on_host(false, __builtin_return_address(0));
}
[[gnu::noinline]] inline void __builtin_amdgcn_wave_barrier() {
  detail::exchange_on_host(0, nullptr, 0, __builtin_return_address(0));
}
template <class Order>
void __builtin_amdgcn_fence(Order, char const*) {}
inline void __builtin_amdgcn_s_waitcnt(int) {}
inline void __builtin_amdgcn_sched_barrier(int) {}
inline void __builtin_amdgcn_s_setprio(int) {}
inline unsigned __builtin_amdgcn_workitem_id_x() { return threadIdx.x; }
inline unsigned __builtin_amdgcn_workitem_id_y() { return threadIdx.y; }
inline unsigned __builtin_amdgcn_workitem_id_z() { return threadIdx.z; }
inline unsigned __builtin_amdgcn_workgroup_id_x() { return blockIdx.x; }
inline unsigned __builtin_amdgcn_workgroup_id_y() { return blockIdx.y; }
inline unsigned __builtin_amdgcn_workgroup_id_z() { return blockIdx.z; }
/// Counts the bits of `mask` that stand for lanes below this lane, and adds `more`. Bit k of `mask` is lane k in _lo,
/// and lane 32 + k in _hi.
inline unsigned __builtin_amdgcn_mbcnt_lo(unsigned mask, unsigned more) {
  unsigned const lane = detail::running.lane;
  return more + static_cast<unsigned>(__popc(lane < 32 ? mask & ((1u << lane) - 1) : mask));
}
inline unsigned __builtin_amdgcn_mbcnt_hi(unsigned mask, unsigned more) {
  unsigned const lane = detail::running.lane;
  return more + static_cast<unsigned>(lane < 32 ? 0 : __popc(mask & ((1u << (lane - 32)) - 1)));
}
[[gnu::noinline]] inline int __builtin_amdgcn_readfirstlane(int value) {
  detail::host_lanes::exchange<int> const all(0, value, __builtin_return_address(0));
  return all.of(static_cast<unsigned>(__builtin_ctzll(all.present)));
}
/// Returns the `value` of another lane: lane `address` / 4, modulo the number of lanes of a wave.
[[gnu::noinline]] inline int __builtin_amdgcn_ds_bpermute(int address, int value) {
  detail::host_lanes::exchange<int> const all(0, value, __builtin_return_address(0));
  return all.of(static_cast<unsigned>(address) / 4 % static_cast<unsigned>(warpSize));
}

#ifdef __clang__
#pragma clang attribute pop
#pragma clang attribute pop
#endif
}  // namespace coalescing::host::words
#ifdef __clang__
#pragma clang attribute pop
#endif

using namespace coalescing::host::words;  // so that a kernel's file finds these names without a namespace

#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
