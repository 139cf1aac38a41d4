// SPDX-License-Identifier: BSL-1.0
// The refusals of covers() and same(), <coalesce/claims.hpp>. Each section must not compile, and the compiler must say
// its EXPECT, a regular expression. (must_fail.cmake compiles what stands here, and one section.)
#include <coalesce/claims.hpp>
#include <coalesce/cuda.hpp>
namespace co = coalescing;
using co::cuda::cc90;

constexpr co::tile floats{.rows = 32, .columns = 32, .element_bytes = 4};
constexpr auto rows = [](unsigned lane, unsigned row) { return 128 * row + 4 * lane; };

// ---- a_copy_without_a_side ----
// EXPECT: ask about its ::global or its ::shared
constexpr auto found = co::covers<cc90::cp_async<4>>(rows, co::domain{32}, floats);

// ---- an_instruction_that_does_not_exist ----
// EXPECT: cuda shared_load, shared_store<Bits>: Bits are 8, 16, 32, 64 or 128
constexpr auto found = co::covers<cc90::shared_store<48>>(rows, co::domain{32}, floats);

// ---- domain_after_the_tile ----
// EXPECT: the domain stands before the tile
constexpr auto found = co::covers<cc90::shared_store<32>>(rows, floats, co::domain{32});

// ---- domain_of_another_rank ----
// EXPECT: a pattern is const-callable with the lane and N more numbers
constexpr auto found = co::covers<cc90::shared_store<32>>(rows, co::domain{8, 4}, floats);

// ---- mask_beyond_the_warp ----
// EXPECT: mask_names_lanes_beyond_the_wave
static_assert(!co::covers<cc90::shared_store<32>>(rows, co::domain{32}, floats, 1ull << 32).exactly_once);

// ---- misaligned ----
// EXPECT: address_is_misaligned
static_assert(!co::covers<cc90::shared_store<64>>([](unsigned lane) { return 4 * lane; }, floats).exactly_once);

// ---- no_domain ----
// EXPECT: say over which, as in co::total<Instruction>.pattern, co::domain
constexpr auto found = co::covers<cc90::shared_store<32>>(rows, floats);

// ---- no_tile ----
// EXPECT: covers<Instruction>.pattern, \[domain,\] tile\[, active\].: say which bytes are to be touched
constexpr auto found = co::covers<cc90::shared_store<32>>(rows, co::domain{32});

// ---- no_tile_and_no_domain ----
// EXPECT: covers<Instruction>.pattern, \[domain,\] tile\[, active\].: say which bytes are to be touched
constexpr auto found = co::covers<cc90::shared_store<32>>([](unsigned lane) { return 4 * lane; });

// ---- of_half_a_warp_of_ldmatrix ----
// EXPECT: matrix_instructions_need_every_lane
static_assert(!co::covers<cc90::ldmatrix<4>>(co::linear{.stride = 16}, floats, 0xffff).exactly_once);

// ---- overlapping_rows ----
// EXPECT: covers_needs_a_tile_of_disjoint_rows
static_assert(!co::covers<cc90::shared_store<32>>(rows, co::domain{32},
                                                  co::tile{.rows = 32, .columns = 32, .element_bytes = 4, .pitch = 64})
                   .exactly_once);

// ---- predicate_of_another_rank ----
// EXPECT: 2 == 3
constexpr auto found = co::covers<cc90::shared_store<32>>(
    [](unsigned lane, unsigned warp, unsigned row) { return 128 * row + 4 * lane + warp; }, co::domain{4, 8}, floats,
    [](unsigned lane, unsigned row) { return lane < row; });

// ---- same_gives_no_bool ----
// EXPECT: cannot convert|no viable conversion
bool const is_one_map = co::same(rows, floats, co::domain{32, 32});

// ---- same_of_a_cell_and_an_address ----
// EXPECT: both functions give an integer, or values of one type, such as co::cell
constexpr auto found = co::same(
    rows, [](unsigned lane, unsigned row) { return co::cell{.row = row, .column = lane}; }, co::domain{32, 32});

// ---- same_of_a_short_array ----
// EXPECT: array_is_shorter_than_the_domain
constexpr unsigned two[2] = {0, 4};
static_assert(co::same(
                  two, [](unsigned lane) { return 4 * lane; }, co::domain{3})
                  .same);

// ---- same_of_another_rank ----
// EXPECT: over a domain of N dimensions both functions are const-callable with N numbers
constexpr auto found = co::same(rows, floats, co::domain{32});
