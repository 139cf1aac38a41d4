// SPDX-License-Identifier: BSL-1.0
//
// A warp with 150 accesses of each lane: 50 loads of an index, 50 gathers through it, 50 stores.
#include <coalesce/cuda.hpp>
#include <coalesce/record.hpp>

namespace co = coalescing;

struct numbers {
  unsigned of[1600];
};
constexpr numbers indices = [] {
  numbers some{};
  unsigned seed = 1;
  for (unsigned& index : some.of) index = (seed = seed * 1103515245 + 12345) >> 16 & 1023;
  return some;
}();
constexpr auto gather = [](auto const& t, auto index, auto from, auto to) {
  for (unsigned k = t.index(); k < 1600; k += 32) to[k] = from[index[k]];
};
constexpr co::kernel gathered{co::launch{.block = {32}}, gather,
                              co::global<unsigned const>{.name = "index", .contents = indices.of},
                              co::global<float const>{"from", 1024}, co::global<float>{"to", 1600}};
static_assert(co::record<co::cuda::cc90>(gathered).of("to").issued == 50);
