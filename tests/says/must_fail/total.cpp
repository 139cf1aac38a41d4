// SPDX-License-Identifier: BSL-1.0
// What <coalesce/total.hpp> refuses. Each section must not compile, and the compiler must say its EXPECT, a regular
// expression. (must_fail.cmake compiles what stands here, and one section.)
#include <coalesce/cuda.hpp>
#include <coalesce/total.hpp>
namespace co = coalescing;

// ---- bases_less_aligned_than_the_load ----
// EXPECT: bases_are_less_aligned_than_the_instruction
static_assert(
    co::worst<co::cuda::cc90::load<128>>(co::linear{.stride = 16}, co::every_base{.alignment = 4}).cost.requests == 1);

// ---- cuda_ldmatrix_of_eight_threads ----
// EXPECT: matrix_instructions_need_every_lane
static_assert(co::total<co::cuda::cc90::ldmatrix<1>>(co::layout<1>{.shape = {8}, .stride = {16}}).phases == 1);

// ---- domain_of_another_rank ----
// EXPECT: a pattern is const-callable with the lane and N more numbers
constexpr auto cost =
    co::total<co::cuda::cc90::load<32>>([](unsigned lane, unsigned step) { return 4 * lane * step; }, co::domain{4, 8});

// ---- launch_of_a_pattern ----
// EXPECT: over a launch a pattern is const-callable with a co::invocation
constexpr auto cost =
    co::total<co::cuda::cc90::load<32>>([](unsigned lane) { return 4 * lane; }, co::launch{.block = {64}});

// ---- launch_of_no_addresses ----
// EXPECT: not a pattern
constexpr auto cost = co::worst<co::cuda::cc90::load<32>>([](co::invocation const& at) { return at.thread.x < 8; },
                                                          co::launch{.block = {64}});

// ---- launch_predicate_that_gives_a_number ----
// EXPECT: const-callable from a co::invocation to exactly bool
constexpr auto cost = co::total<co::cuda::cc90::load<32>>([](co::invocation const& at) { return 4 * at.thread.x; },
                                                          co::launch{.block = {64}},
                                                          [](co::invocation const& at) { return at.thread.x; });

// ---- mapping_of_elements_over_a_domain ----
// EXPECT: this layout gives elements
// The mapping of an mdspan of 32 x 32, as it is known.
struct mapping {
  constexpr int extents() const { return 0; }
  constexpr int required_span_size() const { return 1024; }
  constexpr int operator()(int row, int column) const { return 32 * row + column; }
};
static_assert(co::total<co::cuda::cc90::load<8>>(mapping{}, co::domain{32}).transactions == 1024);

// ---- mask_over_a_domain ----
// EXPECT: not a mask of lanes
constexpr auto cost = co::total<co::cuda::cc90::load<32>>([](unsigned lane, unsigned step) { return 4 * lane * step; },
                                                          co::domain{4}, 'x');

// ---- domain_and_bases_past_the_end ----
// EXPECT: access_runs_past_the_end_of_shared_memory
// Every base moves the last step too: from byte 227 KiB + 896 on, a row of 128 bytes fits at the first base only.
constexpr auto row = [](unsigned lane, unsigned step) { return 227 * 1024 + 128 * step + 4 * lane; };
constexpr auto cost = co::total<co::cuda::cc90::shared_load<32>>(row, co::domain{8}, co::every_base{.alignment = 16});

// ---- launch_too_large_for_a_constant ----
// EXPECT: exceeds limit|step limit
// EXPECT GNU: ask_each_warp_or_do_so_at_run_time
// EXPECT Clang: ask_each_warp_or_do_so_at_run_time
// Each of 2^23 warps is asked.
constexpr auto far = [](co::invocation const& at) { return 4096ull * at.block.x; };
constexpr auto cost = co::total<co::cuda::cc90::load<32>>(far, co::launch{.grid = {1 << 23}});

// ---- mask_over_every_base ----
// EXPECT: not a mask of lanes
constexpr auto cost = co::total<co::cuda::cc90::load<32>>(co::linear{.stride = 4}, co::every_base{4}, 'x');

// ---- mask_over_no_points ----
// EXPECT: mask_names_lanes_beyond_the_wave
static_assert(co::total<co::cuda::cc90::load<32>>([](unsigned lane, unsigned) { return 4 * lane; }, co::domain{0},
                                                  1ull << 32)
                  .requests == 0);

// ---- predicate_of_another_rank ----
// EXPECT: over a domain of N dimensions a predicate takes the lane alone, or the lane and N more numbers
constexpr auto cost = co::total<co::cuda::cc90::load<32>>(
    [](unsigned lane, unsigned warp, unsigned step) { return 4 * lane * warp * step; }, co::domain{4, 8},
    [](unsigned lane, unsigned step) { return lane < step; });

// ---- predicate_of_another_rank_prints_both_numbers ----
// EXPECT: 4 == 2
constexpr auto cost = co::footprint<32, co::cuda::cc90::load<32>>(
    [](unsigned lane, unsigned step) { return 4 * lane * step; }, co::domain{4},
    [](unsigned lane, unsigned warp, unsigned step, unsigned k) { return lane < warp + step + k; });

// ---- scalar_load_of_a_layout_by_lane ----
// EXPECT: address_of_a_scalar_load_depends_on_the_lane
#include <coalesce/rdna.hpp>

static_assert(co::total<co::rdna::gfx1100::s_load<1>>(co::layout<1>{.shape = {64}, .stride = {4}}).transactions == 64);

// ---- scalar_load_that_depends_on_the_lane ----
// EXPECT: address_of_a_scalar_load_depends_on_the_lane
#include <coalesce/gcn.hpp>

static_assert(co::total<co::gcn::s_load<1>>([](co::invocation const& at) { return 4 * at.thread.x; },
                                            co::launch{.block = {64}})
                  .transactions == 64);

// ---- short_array_over_every_base ----
// EXPECT: the array of addresses has fewer elements than the instruction has lanes
constexpr unsigned addresses[31] = {};
constexpr auto cost = co::total<co::cuda::cc90::load<32>>(addresses, co::every_base{4});

// ---- swizzle_of_nothing ----
// EXPECT: swizzle_is_no_permutation
static_assert(co::total<co::cuda::cc90::load<32>>(co::swizzle{3, 4, 2}.over(co::layout<1>{.shape = {0}})).requests ==
              0);

// ---- total_by_blocks_of_four_modes ----
// EXPECT: they cover layouts of up to three modes
constexpr auto cost = co::total<co::cuda::cc90::load<32>>(
    co::layout<4>{.shape = {8, 8, 8, 8}, .stride = {4, 32, 256, 2048}}, co::block{64});

// ---- total_by_blocks_with_a_mask ----
// EXPECT: there is no other mask
constexpr auto cost =
    co::total<co::cuda::cc90::load<32>>(co::layout<1>{.shape = {64}, .stride = {4}}, co::block{64}, 0xff);

// ---- total_misaligned ----
// EXPECT: address_is_misaligned
// The second row begins at byte 4098.
static_assert(co::total<co::cuda::cc90::load<32>>(co::layout<2>{.shape = {1024, 1024}, .stride = {4, 4098}}).requests ==
              32768);

// ---- total_of_a_function_by_blocks ----
// EXPECT: blocks cover a co::layout of up to three modes
constexpr auto cost = co::total<co::cuda::cc90::load<32>>([](unsigned lane) { return 4 * lane; }, co::block{256});

// ---- total_of_a_function_over_nothing ----
// EXPECT: of other patterns say over what: a co::domain
constexpr auto cost = co::total<co::cuda::cc90::load<32>>([](unsigned lane) { return 4 * lane; });

// ---- total_of_addresses_that_wrap ----
// EXPECT: total_does_not_cover_addresses_that_wrap
static_assert(co::total<co::cuda::cc90::load<32>>(co::layout<1>{.shape = {1024}, .stride = {-4}}).requests == 32);

// ---- total_of_addresses_too_far_apart ----
// EXPECT: total_does_not_cover_addresses_so_far_apart
static_assert(co::total<co::cuda::cc90::load<32>>(co::layout<1>{.shape = {3}, .stride = {1ll << 62}}).transactions ==
              3);

// ---- total_over_a_number ----
// EXPECT: a total is over a co::domain
constexpr auto cost =
    co::total<co::cuda::cc90::load<32>>([](unsigned lane, unsigned step) { return 4 * lane * step; }, 8);

// ---- total_over_braces ----
// EXPECT: say what the braces are
constexpr auto cost =
    co::total<co::cuda::cc90::load<32>>(co::layout<2>{.shape = {64, 64}, .stride = {4, 256}}, {32, 8});

// ---- totals_print_both_numbers ----
// EXPECT: 4194304 == 2097152
static_assert(co::total<co::cuda::cc89::load<128>>(co::layout<2>{.shape = {1024, 4096}, .stride = {65536, 16}})
                  .transactions == 2097152);

// ---- worst_over_a_domain_of_another_rank ----
// EXPECT: a pattern is const-callable with the lane and N more numbers
constexpr auto cost =
    co::worst<co::cuda::cc90::load<32>>([](unsigned lane, unsigned step) { return 4 * lane * step; }, co::domain{4, 8});

// ---- worst_over_blocks ----
// EXPECT: worst and best are over a co::domain
constexpr auto cost = co::worst<co::cuda::cc90::load<32>>(co::layout<1>{.shape = {64}, .stride = {4}}, co::block{64});
