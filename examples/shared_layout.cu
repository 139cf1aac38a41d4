// SPDX-License-Identifier: BSL-1.0
//
// A matrix transposed through shared memory, whose layouts are asserted and indexed with: nvcc -std=c++20, or clang as
// HIP. A layout of namespace scope is copied into a local constant before a kernel calls it, since a call would take
// the address of a variable that the device does not have.
#include <coalesce/cuda.hpp>
#include <coalesce/layout.hpp>
#include <coalesce/total.hpp>
#ifdef __clang__  // as HIP, without ROCm's headers
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
__device__ inline unsigned thread_x() { return __builtin_amdgcn_workitem_id_x(); }
__device__ inline unsigned thread_y() { return __builtin_amdgcn_workitem_id_y(); }
__device__ inline void wait_for_block() { __builtin_amdgcn_s_barrier(); }
#else
__device__ inline unsigned thread_x() { return threadIdx.x; }
__device__ inline unsigned thread_y() { return threadIdx.y; }
__device__ inline void wait_for_block() { __syncthreads(); }
#endif
namespace co = coalescing;
using co::cuda::cc90;

// 32 x 32 floats; a row is one float longer than it need be.
constexpr co::tile tile{.rows = 32, .columns = 32, .element_bytes = 4, .pitch = 33 * 4};

// Warp w of 32 x 8 threads stores rows w, w + 8, ... and loads columns w, w + 8, ...: tile(w, lane) and tile(lane, w).
constexpr auto rows = [](unsigned lane, unsigned row) { return tile(row, lane); };
static_assert(co::worst<cc90::shared_store<32>>(rows, co::domain{32}).cost.ways == 1);
static_assert(co::worst<cc90::shared_load<32>>(tile, co::domain{32}).cost.ways == 1);

// Nor does it matter where in shared memory the tile begins.
static_assert(
    co::worst<cc90::shared_load<32>>([](unsigned lane) { return tile(lane, 0); }, co::every_base{4}).cost.ways == 1);

__global__ void transpose(float* out, float const* in) {
  __shared__ char memory[tile.rows * tile.pitch];
  constexpr auto at = tile;
  unsigned const x = thread_x(), y = thread_y();
  for (unsigned row = y; row < 32; row += 8) *reinterpret_cast<float*>(memory + at(row, x)) = in[32 * row + x];
  wait_for_block();
  for (unsigned row = y; row < 32; row += 8) out[32 * row + x] = *reinterpret_cast<float*>(memory + at(x, row));
}
