// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/kernel/interface.hpp>
#include <coalesce/record/arrays.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// The arguments with which an unmodified kernel is launched on the host.

namespace coalescing::host {

/// An array in global memory, as a kernel's argument: {"in", pointer, elements}, or {"in", vector}. On the GPU it
/// begins at `base`. If no `base` is given, it begins at a multiple of 2^40 that no other array has.
template <class T>
struct array {
  std::string name;
  T* first;
  std::uint64_t elements;
  std::uint64_t base = coalescing::detail::somewhere;

  array(std::string words, T* begin, std::uint64_t count, std::uint64_t at = coalescing::detail::somewhere)
      : name(std::move(words)), first(begin), elements(count), base(at) {}
  template <class Container>
  requires requires(Container& of) {
    of.data();
    of.size();
  }
  array(std::string words, Container& of, std::uint64_t at = coalescing::detail::somewhere)
      : array(std::move(words), of.data(), of.size(), at) {}
  operator T*() const { return first; }
  template <class U>
  explicit operator U*() const {
    return reinterpret_cast<U*>(first);
  }
  operator detail::host_array() const {
    return {name, reinterpret_cast<std::uint64_t>(first), elements * sizeof(T), base, memory_space::global};
  }
};
template <class T>
array(std::string, T*, std::uint64_t) -> array<T>;
template <class T>
array(std::string, T*, std::uint64_t, std::uint64_t) -> array<T>;
template <class Container>
array(std::string, Container& of) -> array<std::remove_pointer_t<decltype(of.data())>>;
template <class Container>
array(std::string, Container& of, std::uint64_t) -> array<std::remove_pointer_t<decltype(of.data())>>;

/// The width of the accesses at a line of the kernel's file, if the compiler for the GPU merges neighbouring accesses
/// there. Accesses of a lane at that line become one access if each begins where the last one ended, and if all lie
/// between the same two multiples of `bytes`: with 16, four loads of 4 bytes at bytes 32, 36, 40 and 44 become one
/// load. Merged bytes are moved by the widest instructions that their addresses allow: those at bytes 36 to 43 by two
/// instructions of 4 bytes. Other accesses stay as they are.
struct merged {
  std::string file;  ///< the file's path, or the end of it
  unsigned line = 0;
  unsigned bytes = 16;
};

/// A launch, and how it is recorded.
struct launch {
  coalescing::block grid = {};
  coalescing::block block = {};
  std::uint64_t every = 1;  ///< records the blocks 0, every, 2 * every, ...
  /// Arrays that are not arguments of the kernel: __device__ variables, and arrays to which a struct has a pointer.
  std::vector<detail::host_array> also = {};
  std::vector<merged> widths = {};
  /// Whether threads may leave the kernel before others wait at a barrier. (On NVIDIA from CC 7.0 on, __syncthreads()
  /// waits for the threads that have not exited: CUDA C++ Programming Guide, "Compute Capability 7.x". CUDA and HIP do
  /// not promise this for other machines.)
  bool threads_may_leave = false;
  /// The most accesses that a thread may make between two barriers. The same limit holds for its shuffles and votes.
  std::uint64_t most_accesses = std::uint64_t{1} << 24;
  std::uint64_t most_barriers = std::uint64_t{1} << 18;  ///< the most barriers of a block
  /// Called after each recorded block. After the last one, `done` is the number of blocks.
  std::function<void(std::uint64_t done, std::uint64_t blocks)> tell = {};
};

}  // namespace coalescing::host
