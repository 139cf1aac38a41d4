// SPDX-License-Identifier: BSL-1.0
//
// A warp whose lanes pass values through shared memory: the prefix sum of 32 flags, whose last values steer stores.
#include <coalesce/cuda.hpp>
#include <coalesce/record.hpp>

namespace co = coalescing;

constexpr auto compact = [](auto const& t, auto out, auto s) {
  unsigned const i = t.index();
  s[i] = i % 3 == 0;
  t.sync();
  for (unsigned d = 1; d < 32; d *= 2) {
    unsigned const left = i < d ? 0 : unsigned(s[i - d]);
    t.sync();
    s[i] += left;
    t.sync();
  }
  if (i % 3 == 0) out[s[i] - 1u] = 0.f;
};
constexpr co::kernel compacted{co::launch{.block = {32}}, compact, co::global<float>{"out", 32},
                               co::shared<unsigned[32]>{.name = "s", .remembered = true}};
static_assert(co::record<co::cuda::cc90>(compacted).of("out").transactions == 2);  // 11 neighbours: 44 bytes
