// SPDX-License-Identifier: BSL-1.0
//
// The proof that nothing of a constrained space is free: paddings or swizzles alone, 224 layouts that a copy can write
// lane after lane, and the boxes of a tensor.
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/suggest.hpp>

namespace co = coalescing;
using co::cell, co::domain, co::use;
using co::cdna::gfx950, co::cuda::cc90;

constexpr co::tile floats{.rows = 32, .columns = 32, .element_bytes = 4};
constexpr co::tile staged{.rows = 64, .columns = 64, .element_bytes = 2};
constexpr auto row = use<cc90::shared_store<32>>([](unsigned lane) { return cell{.row = 0, .column = lane}; });
constexpr auto column = use<cc90::shared_load<32>>([](unsigned lane) { return cell{.row = lane, .column = 0}; });
constexpr auto diagonal = use<cc90::shared_load<32>>([](unsigned lane) { return cell{.row = lane, .column = lane}; });
constexpr auto row_of_lane = [](unsigned lane, unsigned step) { return cell{.row = lane, .column = 8 * step}; };
constexpr auto word_of_lane = [](unsigned lane, unsigned step) { return cell{.row = lane, .column = 2 * step}; };

constexpr auto no_padding = co::suggest(floats, co::paddings, row, column, diagonal);
constexpr auto no_swizzle = co::suggest(floats, co::swizzles, row, column, diagonal);
constexpr auto no_copy =
    co::suggest(staged, co::copied<gfx950::global_load_lds<128>>(), use<gfx950::ds_read<128>>(row_of_lane, domain{8}),
                use<gfx950::ds_read<32>>(word_of_lane, domain{8}));
constexpr auto no_boxes = co::suggest(floats, co::tensor_boxes, column);

static_assert(!no_padding.is_optimal && !no_swizzle.is_optimal && !no_copy.is_optimal && !no_boxes.is_optimal);
