// SPDX-License-Identifier: BSL-1.0
//
// A kernel whose body is written once: nvcc or clang (as HIP) make the kernel of it, and the static_asserts run it lane
// by lane. Nothing of the library is left in the kernel.
#include <coalesce/cuda.hpp>
#include <coalesce/record.hpp>
#ifdef __clang__  // as HIP, without ROCm's headers
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#endif
namespace co = coalescing;

constexpr unsigned column_read = __LINE__ + 7;  // a line of the body
template <class Thread, class In, class Out, class Tile>
COALESCE_API constexpr void transpose(Thread const& t, In in, Out out, Tile&& tile, unsigned n) {
  unsigned const x = t.block.x * 32 + t.thread.x, y = t.block.y * 32 + t.thread.y;
  for (unsigned j = 0; j < 32; j += 8) tile[t.thread.y + j][t.thread.x] = in[(y + j) * n + x];
  t.sync();
  unsigned const u = t.block.y * 32 + t.thread.x, v = t.block.x * 32 + t.thread.y;
  for (unsigned j = 0; j < 32; j += 8) out[(v + j) * n + u] = tile[t.thread.x][t.thread.y + j];
}

__global__ void transpose_4096(float const* in, float* out) {
  __shared__ float tile[32][33];
  transpose(co::this_thread(), in, out, tile, 4096u);
}

// One block of the launch, on a machine of CC 9.0.
constexpr auto body = [](auto const& t, auto in, auto out, auto tile) { transpose(t, in, out, tile, 4096u); };
constexpr co::launch tiles{.grid = {128, 128}, .block = {32, 8}};
constexpr co::kernel padded{tiles, body, co::global<float const>{"in", 4096 * 4096},
                            co::global<float>{"out", 4096 * 4096}, co::shared<float[32][33]>{"tile"}};
constexpr auto seen = co::record<co::cuda::cc90>(padded);
static_assert(seen.of("tile").conflicts == 0);
static_assert(seen.of("in").transactions == 4 * 32 && seen.of("out").transactions == 4 * 32);

// Without the padding, the tile's columns lie in one bank.
constexpr co::kernel plain{tiles, body, co::global<float const>{"in"}, co::global<float>{"out"},
                           co::shared<float[32][32]>{"tile"}};
static_assert(co::record<co::cuda::cc90>(plain).at(column_read).conflicts == 31 * 32);
static_assert(co::races(padded).count == 0);
