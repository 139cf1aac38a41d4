// SPDX-License-Identifier: BSL-1.0
//
// The worst of accesses whose index is data: a histogram of a warp, and gathers of pages and of rows.
#include <coalesce/claims.hpp>
#include <coalesce/cuda.hpp>

namespace co = coalescing;
using co::cuda::cc90;

constexpr auto bin = [](unsigned, unsigned k) { return 4 * k; };
constexpr auto page = [](unsigned lane, unsigned k) { return 4096ull * k + 16 * lane; };
constexpr auto row = [](unsigned lane, unsigned k) { return 4096ull * k + lane % 8 * 16; };

constexpr auto bins = co::worst<cc90::shared_load<32>>(bin, co::any{99});
constexpr auto pages = co::worst<cc90::load<128>>(page, co::any{64});
constexpr auto rows = co::worst<cc90::load<128>>(row, co::any{.choices = 64, .together = 8});
