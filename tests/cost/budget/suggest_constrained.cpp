// SPDX-License-Identifier: BSL-1.0
//
// Layouts under constraints: paddings or swizzles alone, a tile that a copy writes lane after lane, and one that a
// tensor copy writes in boxes.
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/suggest.hpp>

namespace co = coalescing;
using co::cell, co::domain, co::use;
using co::cdna::gfx950, co::cuda::cc90;

constexpr co::tile floats{.rows = 32, .columns = 32, .element_bytes = 4};
constexpr co::tile halves{.rows = 64, .columns = 128, .element_bytes = 2};
constexpr co::tile staged{.rows = 64, .columns = 64, .element_bytes = 2};
constexpr auto row = use<cc90::shared_store<32>>([](unsigned lane) { return cell{.row = 0, .column = lane}; });
constexpr auto column = use<cc90::shared_load<32>>([](unsigned lane) { return cell{.row = lane, .column = 0}; });
constexpr auto every_eighth = use<cc90::shared_load<128>>([](unsigned lane) { return cell{8 * lane, 0}; });
constexpr auto row_of_lane = [](unsigned lane, unsigned step) { return cell{.row = lane, .column = 8 * step}; };
constexpr auto matrix = [](unsigned lane, unsigned k) { return cell{lane % 16, 16 * k + lane / 16 * 8}; };

constexpr auto padded = co::suggest(floats, co::paddings, row, column);
constexpr auto swizzled = co::suggest(floats, co::swizzles, row, column);
constexpr auto gaps = co::suggest(co::tile{.rows = 256, .columns = 4, .element_bytes = 4}, co::paddings, every_eighth);
constexpr auto copied =
    co::suggest(staged, co::copied<gfx950::global_load_lds<128>>(), use<gfx950::ds_read<128>>(row_of_lane, domain{8}));
constexpr auto boxed = co::suggest(halves, co::tensor_boxes, use<cc90::ldmatrix<4>>(matrix, domain{8}));
