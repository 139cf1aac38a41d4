// SPDX-License-Identifier: BSL-1.0
//
// A block of 256 threads with 16 accesses each: a transpose of 32 x 32 floats through shared memory.
#include <coalesce/cuda.hpp>
#include <coalesce/record.hpp>

namespace co = coalescing;

constexpr auto transpose = [](auto const& t, auto in, auto out, auto tile) {
  for (unsigned j = 0; j < 32; j += 8) tile[t.thread.y + j][t.thread.x] = in[(t.thread.y + j) * 32 + t.thread.x];
  t.sync();
  for (unsigned j = 0; j < 32; j += 8) out[(t.thread.y + j) * 32 + t.thread.x] = tile[t.thread.x][t.thread.y + j];
};
constexpr co::kernel transposed{co::launch{.block = {32, 8}}, transpose, co::global<float const>{"in", 1024},
                                co::global<float>{"out", 1024}, co::shared<float[32][33]>{"tile"}};
static_assert(co::record<co::cuda::cc90>(transposed).of("tile").conflicts == 0);
