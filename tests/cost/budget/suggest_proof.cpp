// SPDX-License-Identifier: BSL-1.0
//
// Nothing of the space is free: all of it is asked. 4 KB, and 64 KB, which have more swizzles.
#include <coalesce/cuda.hpp>
#include <coalesce/suggest.hpp>

namespace co = coalescing;
using co::cell, co::use;
using co::cuda::cc90;

constexpr co::tile tile{.rows = 32, .columns = 32, .element_bytes = 4};
constexpr co::tile large{.rows = 128, .columns = 128, .element_bytes = 4};
constexpr auto row = use<cc90::shared_store<32>>([](unsigned lane) { return cell{.row = 0, .column = lane}; });
constexpr auto column = use<cc90::shared_load<32>>([](unsigned lane) { return cell{.row = lane, .column = 0}; });
constexpr auto diagonal = use<cc90::shared_load<32>>([](unsigned lane) { return cell{.row = lane, .column = lane}; });

constexpr auto proof = co::suggest(tile, row, column, diagonal);
constexpr auto proof_of_64_kb = co::suggest(large, row, column, diagonal);
static_assert(!proof.is_optimal && !proof_of_64_kb.is_optimal);
