// SPDX-License-Identifier: BSL-1.0
//
// The explanation of a site: a column of a tile in shared memory.
#include <coalesce/cuda.hpp>
#include <coalesce/record.hpp>
#include <coalesce/record/explain.hpp>

namespace co = coalescing;

constexpr auto column = [](auto const& t, auto out, auto tile) { out[t.lane()] = tile[t.lane()][0]; };
constexpr auto seen = co::record<co::cuda::cc90>(
    co::kernel{co::launch{.block = {32}}, column, co::global<float>{"out", 32}, co::shared<float[32][32]>{"tile"}});
constexpr auto why = co::explain<co::cuda::cc90>(seen[0]);
static_assert(why.size() > 2000);
