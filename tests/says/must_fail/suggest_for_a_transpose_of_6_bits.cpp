// SPDX-License-Identifier: BSL-1.0
// EXPECT: no source tells the rounds of an instruction that a use is of
#include <coalesce/cdna.hpp>
#include <coalesce/suggest.hpp>
namespace co = coalescing;

constexpr auto column = [](unsigned lane) { return co::cell{.row = lane, .column = 0}; };
constexpr auto found = co::suggest(co::tile{.rows = 64, .columns = 64, .element_bytes = 4},
                                   co::use<co::cdna::gfx950::ds_read_tr<96, 6>>(column));
