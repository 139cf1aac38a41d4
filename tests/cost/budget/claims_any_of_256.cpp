// SPDX-License-Identifier: BSL-1.0
//
// The worst choices of a warp among 256 bins: as loads, and as atomics, whose addresses are counted too.
#include <coalesce/claims.hpp>
#include <coalesce/cuda.hpp>

namespace co = coalescing;
using co::cuda::cc90;

constexpr auto bin = [](unsigned, unsigned k) { return 4 * k; };

constexpr auto bins = co::worst<cc90::shared_load<32>>(bin, co::any{256});
constexpr auto counters = co::worst<cc90::shared_atomic<32>>(bin, co::any{256});
