// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/core/config.hpp>
#include <coalesce/record/elements.hpp>
#include <coalesce/record/intervals.hpp>
#include <coalesce/record/recording.hpp>
#include <coalesce/total/launch.hpp>

// The thread that a kernel's body is given: a recorded one, or the device's own.

namespace coalescing {

namespace detail {

/// A marked loop: for (auto again = t.loop(); again(k < end); ++k). All lanes that make an iteration count as executing
/// this iteration together. After the loop all lanes that entered it are together again.
template <class Recorder>
struct recorded_loop {
  Recorder* to;
  typename Recorder::loop_state state;

  COALESCE_API constexpr recorded_loop(Recorder* recorder, source_place const& at)
      : to(recorder), state(recorder->enter(at)) {}
  recorded_loop(recorded_loop const&) = delete;
  recorded_loop& operator=(recorded_loop const&) = delete;
  COALESCE_API constexpr ~recorded_loop() { to->leave(state); }

  COALESCE_API constexpr bool operator()(bool goes_on) {
    if constexpr (is_passing<Recorder>)
      if (goes_on && to->memory->cuts()) return false;
    if (goes_on) to->iterate(state);
    return goes_on;
  }
};

template <class Recorder>
struct recorded_thread {
  static constexpr bool is_recorded = true;
  place block, thread, grid_size, block_size;
  Recorder* to;
  interval_memory* memory;  ///< the values in shared memory; a null pointer if loads need not give them

  [[nodiscard]] COALESCE_API constexpr unsigned index() const {
    return thread.x + block_size.x * (thread.y + block_size.y * thread.z);
  }
  [[nodiscard]] COALESCE_API constexpr unsigned lane() const { return to->lane; }
  [[nodiscard]] COALESCE_API constexpr unsigned warp() const { return index() / Recorder::lanes; }
  [[nodiscard]] COALESCE_API static constexpr unsigned warp_size() { return Recorder::lanes; }
  COALESCE_API constexpr void sync() const {
    to->sync();
    if (memory != nullptr) memory->sync();
  }
  COALESCE_API constexpr void converge() const { to->converge(); }
  [[nodiscard]] COALESCE_API constexpr auto loop(source_place const& at = detail::here()) const {
    return recorded_loop<Recorder>(to, at);
  }
};

/// A marked loop in device code. It does nothing.
struct device_loop {
  COALESCE_API constexpr bool operator()(bool goes_on) const { return goes_on; }
};

}  // namespace detail

#if (defined(__CUDACC__) && defined(__NVCC__)) || (defined(__clang__) && (defined(__HIP__) || defined(__CUDA__)))

/// The thread in device code: co::this_thread(). It has the members of the recorded thread: `block`, `thread`,
/// `grid_size` and `block_size` (blockIdx, threadIdx, gridDim, blockDim), index() in the block, lane(), warp(),
/// warp_size(), sync() (__syncthreads), and converge() and loop(), which do nothing. (Its functions are marked __host__
/// __device__, because a kernel's body is marked so and calls them. No host code runs them.)
struct device_thread {
  static constexpr bool is_recorded = false;
  place block, thread, grid_size, block_size;

  [[nodiscard]] COALESCE_API unsigned index() const {
    return thread.x + block_size.x * (thread.y + block_size.y * thread.z);
  }
  [[nodiscard]] COALESCE_API static unsigned warp_size() {
#if !defined(__HIP_DEVICE_COMPILE__)
    return 32;
#elif __has_builtin(__builtin_amdgcn_wavefrontsize)
    return __builtin_amdgcn_wavefrontsize();
#else
    return __AMDGCN_WAVEFRONT_SIZE;
#endif
  }
  [[nodiscard]] COALESCE_API unsigned lane() const { return index() % warp_size(); }
  [[nodiscard]] COALESCE_API unsigned warp() const { return index() / warp_size(); }
  COALESCE_API void sync() const {
#if defined(__HIP_DEVICE_COMPILE__)  // HIP's __syncthreads, without its headers
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
#elif defined(__CUDA_ARCH__)
    __syncthreads();
#endif
  }
  COALESCE_API void converge() const {}
  [[nodiscard]] COALESCE_API detail::device_loop loop() const { return {}; }
};

[[nodiscard]] COALESCE_API inline device_thread this_thread() {
#if defined(__HIP_DEVICE_COMPILE__)
  place const size{__builtin_amdgcn_workgroup_size_x(), __builtin_amdgcn_workgroup_size_y(),
                   __builtin_amdgcn_workgroup_size_z()};
  return {{__builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(), __builtin_amdgcn_workgroup_id_z()},
          {__builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(), __builtin_amdgcn_workitem_id_z()},
          {__builtin_amdgcn_grid_size_x() / size.x, __builtin_amdgcn_grid_size_y() / size.y,
           __builtin_amdgcn_grid_size_z() / size.z},
          size};
#elif defined(__CUDA_ARCH__)
  return {{blockIdx.x, blockIdx.y, blockIdx.z},
          {threadIdx.x, threadIdx.y, threadIdx.z},
          {gridDim.x, gridDim.y, gridDim.z},
          {blockDim.x, blockDim.y, blockDim.z}};
#else
  return {};
#endif
}

#endif

}  // namespace coalescing
