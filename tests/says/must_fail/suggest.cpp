// SPDX-License-Identifier: BSL-1.0
// What <coalesce/suggest.hpp> refuses. Each section must not compile, and the compiler must say its EXPECT, a regular
// expression. (must_fail.cmake compiles what stands here, and one section.)
#include <coalesce/cuda.hpp>
#include <coalesce/suggest.hpp>
namespace co = coalescing;

// ---- boxes_before_cc_90 ----
// EXPECT: each use is of a machine with tensor copies
constexpr auto column = [](unsigned lane) { return co::cell{.row = lane, .column = 0}; };
constexpr auto found = co::suggest(co::tile{.rows = 32, .columns = 32, .element_bytes = 4}, co::tensor_boxes,
                                   co::use<co::cuda::cc80::shared_load<32>>(column));

// ---- boxes_of_amd ----
// EXPECT: each use is of a machine with tensor copies
#include <coalesce/cdna.hpp>

constexpr auto column = [](unsigned lane) { return co::cell{.row = lane, .column = 0}; };
constexpr auto found = co::suggest(co::tile{.rows = 64, .columns = 32, .element_bytes = 4}, co::tensor_boxes,
                                   co::use<co::cdna::gfx950::ds_read<32>>(column));

// ---- boxes_of_elements_of_16_bytes ----
// EXPECT: element_is_none_of_a_tensor
constexpr auto column = [](unsigned lane) { return co::cell{.row = lane, .column = 0}; };
constexpr auto found = co::suggest(co::tile{.rows = 32, .columns = 8, .element_bytes = 16}, co::tensor_boxes,
                                   co::use<co::cuda::cc90::shared_load<128>>(column));

// ---- boxes_of_rows_of_8_bytes ----
// EXPECT: tile_has_no_boxes
// A row of a box is a multiple of 16 bytes.
constexpr auto column = [](unsigned lane) { return co::cell{.row = lane, .column = 0}; };
constexpr auto found = co::suggest(co::tile{.rows = 32, .columns = 2, .element_bytes = 4}, co::tensor_boxes,
                                   co::use<co::cuda::cc90::shared_load<32>>(column));

// ---- boxes_that_wgmma_cannot_read ----
// EXPECT: tile_has_no_boxes
#include <coalesce/cuda/tma.hpp>

// 12 rows are no whole groups of 8.
constexpr auto row = [](unsigned lane) { return co::cell{.row = lane % 12, .column = 0}; };
constexpr auto found =
    co::suggest(co::tile{.rows = 12, .columns = 64, .element_bytes = 2},
                co::tensor_boxes.read_by(co::cuda::boxed_operand{}), co::use<co::cuda::cc90::ldmatrix<2>>(row));

// ---- cells_of_another_rank ----
// EXPECT: suggest: the cells of a use are const-callable with the lane, and with N more
constexpr auto column = [](unsigned lane) { return co::cell{.row = lane, .column = 0}; };
constexpr auto found = co::suggest(co::tile{.rows = 32, .columns = 32, .element_bytes = 4},
                                   co::use<co::cuda::cc90::shared_load<32>>(column, co::domain{8}));

// ---- cells_that_are_addresses ----
// EXPECT: suggest: the cells of a use are const-callable with the lane
constexpr auto found = co::suggest(co::tile{.rows = 32, .columns = 32, .element_bytes = 4},
                                   co::use<co::cuda::cc90::shared_load<32>>([](unsigned lane) { return 128 * lane; }));

// ---- copied_beyond_its_pieces ----
// EXPECT: tile_is_no_multiple_of_the_piece
#include <coalesce/cdna.hpp>
using co::cdna::gfx950;

// 60 rows of 128 bytes, pieces of 1024.
constexpr auto row = [](unsigned lane) { return co::cell{.row = lane % 60, .column = 0}; };
constexpr auto found = co::suggest(co::tile{.rows = 60, .columns = 64, .element_bytes = 2},
                                   co::copied<gfx950::global_load_lds<128>>(), co::use<gfx950::ds_read<128>>(row));

// ---- copied_by_a_step_beyond ----
// EXPECT: copy_has_no_such_lane_or_step
#include <coalesce/cdna.hpp>
using co::cdna::gfx950;

constexpr auto row = [](unsigned lane) { return co::cell{.row = lane, .column = 0}; };
constexpr auto found = co::suggest(co::tile{.rows = 64, .columns = 64, .element_bytes = 2},
                                   co::copied<gfx950::global_load_lds<128>>(), co::use<gfx950::ds_read<128>>(row));
static_assert(found.destination(8) == 8192);

// ---- copied_by_lane_64 ----
// EXPECT: copy_has_no_such_lane_or_step
#include <coalesce/cdna.hpp>
using co::cdna::gfx950;

constexpr auto row = [](unsigned lane) { return co::cell{.row = lane, .column = 0}; };
constexpr auto found = co::suggest(co::tile{.rows = 64, .columns = 64, .element_bytes = 2},
                                   co::copied<gfx950::global_load_lds<128>>(), co::use<gfx950::ds_read<128>>(row));
static_assert(found.source(64, 0).row == 0);

// ---- copied_by_no_copy ----
// EXPECT: a copy from global memory whose lanes write in their order
#include <coalesce/cdna.hpp>

constexpr auto copy = co::copied<co::cdna::gfx950::ds_write<128>>();

// ---- copied_by_one_that_does_not_exist ----
// EXPECT: Bits are 8, 16 or 32, and on gfx950 96 or 128
#include <coalesce/cdna.hpp>

constexpr auto copy = co::copied<co::cdna::gfx950::global_load_lds<64>>();

// ---- copied_in_rows_of_8_bytes ----
// EXPECT: lane_of_the_copy_holds_no_whole_elements_of_a_row
#include <coalesce/cdna.hpp>
using co::cdna::gfx950;

constexpr auto row = [](unsigned lane) { return co::cell{.row = lane, .column = 0}; };
constexpr auto found = co::suggest(co::tile{.rows = 128, .columns = 4, .element_bytes = 2},
                                   co::copied<gfx950::global_load_lds<128>>(), co::use<gfx950::ds_read<64>>(row));

// ---- copied_in_slots_with_holes ----
// EXPECT: leave a part of their slots unwritten
#include <coalesce/cdna.hpp>

constexpr auto copy = co::copied<co::cdna::gfx950::global_load_lds<96>>();

// ---- copied_without_a_use ----
// EXPECT: each use is co::use<Instruction>\(cells
#include <coalesce/cdna.hpp>

constexpr auto found = co::suggest(co::tile{.rows = 64, .columns = 64, .element_bytes = 2},
                                   co::copied<co::cdna::gfx950::global_load_lds<128>>());

// ---- for_a_transpose_of_6_bits ----
// EXPECT: no source tells the rounds of an instruction that a use is of
#include <coalesce/cdna.hpp>

constexpr auto column = [](unsigned lane) { return co::cell{.row = lane, .column = 0}; };
constexpr auto found = co::suggest(co::tile{.rows = 64, .columns = 64, .element_bytes = 4},
                                   co::use<co::cdna::gfx950::ds_read_tr<96, 6>>(column));

// ---- for_ds_atomic ----
// EXPECT: no source tells the rounds of an instruction that a use is of
#include <coalesce/cdna.hpp>

constexpr auto row = [](unsigned lane) { return co::cell{.row = 0, .column = lane}; };
constexpr auto found =
    co::suggest(co::tile{.rows = 64, .columns = 64, .element_bytes = 4}, co::use<co::cdna::gfx942::ds_atomic<32>>(row));

// ---- for_ds_read2 ----
// EXPECT: use ds_read and ds_write of the same bits for each of the two
#include <coalesce/cdna.hpp>

constexpr auto found = co::suggest(
    co::tile{.rows = 64, .columns = 32, .element_bytes = 4},
    co::use<co::cdna::gfx942::ds_read2<32, 0, 1>>([](unsigned lane) { return co::cell{.row = lane, .column = 0}; }));

// ---- for_global_memory ----
// EXPECT: suggest: a use is of an instruction on shared memory or LDS
constexpr auto found =
    co::suggest(co::tile{.rows = 32, .columns = 32, .element_bytes = 4},
                co::use<co::cuda::cc90::load<32>>([](unsigned lane) { return co::cell{.row = lane, .column = 0}; }));

// ---- lanes_lane_beyond_the_warp ----
// EXPECT: suggestion_has_no_such_lane
constexpr auto lanes =
    co::suggest_lanes<co::cuda::cc90::load<32>>(co::tile{.rows = 8, .columns = 8, .element_bytes = 4});
static_assert(lanes(32).row == 4);

// ---- lanes_of_a_load_and_a_store ----
// EXPECT: one load or store of one machine, on global memory and through the same cache
#include <coalesce/rdna.hpp>
using co::rdna::gfx1100;

// All three have the same kind of cost.
constexpr auto found = co::suggest_lanes<gfx1100::global_store<32>, gfx1100::global_load<64>, gfx1100::s_load<16>>(
    {.rows = 64, .columns = 16, .element_bytes = 4, .pitch = 4096});

// ---- lanes_of_no_width ----
// EXPECT: tile_fits_no_width
// Rows of 132 bytes: no float4 is aligned in the second.
constexpr auto found =
    co::suggest_lanes<co::cuda::cc90::load<128>>({.rows = 32, .columns = 32, .element_bytes = 4, .pitch = 132});

// ---- lanes_of_shared_memory ----
// EXPECT: one load or store of one machine, on global memory and through the same cache
constexpr auto found = co::suggest_lanes<co::cuda::cc90::load<32>, co::cuda::cc90::shared_load<128>>(
    {.rows = 32, .columns = 32, .element_bytes = 4});

// ---- lanes_of_three_machines ----
// EXPECT: one load or store of one machine, on global memory and through the same cache
using namespace co::cuda;

// It used to say that the widest is the best, on whichever machine it is.
constexpr auto found = co::suggest_lanes<cc80::load<32>, cc90::load<64>, cc100::load<256>>(
    {.rows = 64, .columns = 8, .element_bytes = 4, .pitch = 4096});

// ---- lanes_of_two_chips ----
// EXPECT: one load or store of one machine, on global memory and through the same cache
#include <coalesce/cdna.hpp>
using namespace co::cdna;

constexpr auto found = co::suggest_lanes<gfx90a::global_load<32>, gfx942::global_load<64>>(
    {.rows = 64, .columns = 8, .element_bytes = 4, .pitch = 4096});

// ---- lanes_through_two_caches ----
// EXPECT: one load or store of one machine, on global memory and through the same cache
using namespace co::cuda;

// Lines of L1 and segments of L2 are not counted at the same place.
constexpr auto found = co::suggest_lanes<cc20::load<32, caching::l1>, cc20::load<64, caching::l2>>(
    {.rows = 64, .columns = 8, .element_bytes = 4, .pitch = 4096});

// ---- lanes_with_and_without_clocks ----
// EXPECT: these widths are not counted in the same numbers
#include <coalesce/rdna.hpp>
using co::rdna::gfx1030;

// Of 32 and 64 bits the clocks were measured.
constexpr auto found = co::suggest_lanes<gfx1030::global_load<32>, gfx1030::global_load<64>, gfx1030::global_load<128>>(
    {.rows = 64, .columns = 64, .element_bytes = 4});

// ---- more_than_shared_memory ----
// EXPECT: tile_is_empty_or_larger_than_its_memory
constexpr auto column = [](unsigned lane) { return co::cell{.row = lane, .column = 0}; };
constexpr auto found = co::suggest(co::tile{.rows = 256, .columns = 256, .element_bytes = 4},
                                   co::use<co::cuda::cc90::shared_load<32>>(column));

// ---- of_a_use_and_cells ----
// EXPECT: each use is co::use<Instruction>\(cells
constexpr auto column = [](unsigned lane) { return co::cell{.row = lane, .column = 0}; };
constexpr auto found = co::suggest(co::tile{.rows = 32, .columns = 32, .element_bytes = 4},
                                   co::use<co::cuda::cc90::shared_load<32>>(column), column);

// ---- of_cells ----
// EXPECT: each use is co::use<Instruction>\(cells
constexpr auto column = [](unsigned lane) { return co::cell{.row = lane, .column = 0}; };
constexpr auto found = co::suggest(co::tile{.rows = 32, .columns = 32, .element_bytes = 4}, column);

// ---- outside_the_tile ----
// EXPECT: cell_lies_outside_the_tile
// 32 lanes, 16 rows.
constexpr auto column = [](unsigned lane) { return co::cell{.row = lane, .column = 0}; };
constexpr auto found = co::suggest(co::tile{.rows = 16, .columns = 32, .element_bytes = 4},
                                   co::use<co::cuda::cc90::shared_load<32>>(column));

// ---- paddings_of_cells ----
// EXPECT: each use is co::use<Instruction>\(cells
constexpr auto column = [](unsigned lane) { return co::cell{.row = lane, .column = 0}; };
constexpr auto found = co::suggest(co::tile{.rows = 32, .columns = 32, .element_bytes = 4}, co::paddings, column);

// ---- paddings_that_tear_vectors ----
// EXPECT: rows_are_no_multiple_of_the_vector
// Rows of 132 bytes, float4s: no gap aligns them.
constexpr auto column = [](unsigned lane) { return co::cell{.row = lane, .column = 0}; };
constexpr auto found = co::suggest(co::tile{.rows = 32, .columns = 33, .element_bytes = 4}, co::paddings,
                                   co::use<co::cuda::cc90::shared_load<128>>(column));

// ---- padded_already ----
// EXPECT: tile_has_a_base_or_pitch_already
constexpr auto column = [](unsigned lane) { return co::cell{.row = lane, .column = 0}; };
constexpr auto found = co::suggest(co::tile{.rows = 32, .columns = 32, .element_bytes = 4, .pitch = 132},
                                   co::use<co::cuda::cc90::shared_load<32>>(column));

// ---- rows_that_tear_vectors ----
// EXPECT: rows_are_no_multiple_of_the_vector
// Rows of 132 bytes, float4s.
constexpr auto column = [](unsigned lane) { return co::cell{.row = lane, .column = 0}; };
constexpr auto found = co::suggest(co::tile{.rows = 32, .columns = 33, .element_bytes = 4},
                                   co::use<co::cuda::cc90::shared_load<128>>(column));
