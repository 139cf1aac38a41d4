// SPDX-License-Identifier: BSL-1.0
//
// The layout of a tile: a transpose, and a tile that is staged in LDS in 16 asks of 64 lanes.
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/suggest.hpp>

namespace co = coalescing;
using co::cell, co::domain, co::use;
using co::cdna::gfx942, co::cuda::cc80;

constexpr co::tile floats{.rows = 32, .columns = 32, .element_bytes = 4};
constexpr co::tile halves{.rows = 64, .columns = 64, .element_bytes = 2};
constexpr auto row = [](unsigned lane) { return cell{.row = 0, .column = lane}; };
constexpr auto column = [](unsigned lane) { return cell{.row = lane, .column = 0}; };
constexpr auto eighths = [](unsigned lane, unsigned step) { return cell{8 * step + lane / 8, lane % 8 * 8}; };
constexpr auto own_row = [](unsigned lane, unsigned step) { return cell{lane, 8 * step}; };

constexpr auto transpose = co::suggest(floats, use<cc80::shared_store<32>>(row), use<cc80::shared_load<32>>(column));
constexpr auto staged =
    co::suggest(halves, use<gfx942::ds_write<128>>(eighths, domain{8}), use<gfx942::ds_read<128>>(own_row, domain{8}));
