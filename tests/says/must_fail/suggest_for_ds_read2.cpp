// SPDX-License-Identifier: BSL-1.0
// EXPECT: use ds_read and ds_write of the same bits for each of the two
#include <coalesce/cdna.hpp>
#include <coalesce/suggest.hpp>
namespace co = coalescing;

constexpr auto found = co::suggest(
    co::tile{.rows = 64, .columns = 32, .element_bytes = 4},
    co::use<co::cdna::gfx942::ds_read2<32, 0, 1>>([](unsigned lane) { return co::cell{.row = lane, .column = 0}; }));
