// SPDX-License-Identifier: BSL-1.0
// EXPECT: no source tells the rounds of an instruction that a use is of
#include <coalesce/cdna.hpp>
#include <coalesce/suggest.hpp>
namespace co = coalescing;

constexpr auto row = [](unsigned lane) { return co::cell{.row = 0, .column = lane}; };
constexpr auto found =
    co::suggest(co::tile{.rows = 64, .columns = 64, .element_bytes = 4}, co::use<co::cdna::gfx942::ds_atomic<32>>(row));
