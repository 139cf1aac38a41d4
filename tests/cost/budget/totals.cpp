// SPDX-License-Identifier: BSL-1.0
//
// Totals: 8 warps by 8 steps, every base, whole launches. The steps for a launch do not grow with its size.
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/total.hpp>

namespace co = coalescing;
using co::cdna::gfx942, co::cuda::cc89, co::cuda::cc90;

constexpr auto strided = [](unsigned lane, unsigned warp, unsigned step) {
  return 4 * lane * (step + 1) + 4096 * warp;
};
constexpr auto moved = [](unsigned lane, unsigned warp, unsigned step) { return 4 * lane + 4096 * warp + 128 * step; };
constexpr auto scrambled = [](unsigned lane, unsigned warp, unsigned step) {
  return 4 * ((lane * 37 + step * 5) % 1024) + 256 * warp;
};
constexpr auto rows_of_132 = [](unsigned lane, unsigned warp, unsigned step) {
  return 4ull * lane + 4096 * warp + 132 * step;
};
constexpr auto elementwise = [](co::invocation const& at) { return 4ull * (at.block.x * 128 + at.thread.x); };
constexpr auto with_a_tail = [](co::invocation const& at) { return at.block.x * 128 + at.thread.x < 20'400; };
constexpr co::layout<3> columns{.shape = {32, 8, 8}, .stride = {128, 4096, 16}};
constexpr co::layout<2> aligned_rows{.shape = {4096, 4096}, .stride = {4, 16400}};
constexpr co::layout<2> more_rows{.shape = {1 << 20, 1 << 20}, .stride = {4, (4 << 20) + 16}};
constexpr co::layout<2> odd_columns{.shape = {4099, 4096}, .stride = {16400, 4}};
constexpr co::layout<2> image{.shape = {1000, 100}, .stride = {4, 4000}};

constexpr auto domain = co::total<cc90::shared_load<32>>(strided, co::domain{8, 8});
constexpr auto domain_of_moved_warps = co::total<cc90::load<32>>(moved, co::domain{16, 16});
constexpr auto domain_in_any_order = co::total<cc90::shared_load<32>>(scrambled, co::domain{8, 8});
constexpr auto domain_worst = co::worst<cc90::shared_load<32>>(strided, co::domain{8, 8});
constexpr auto domain_of_a_layout = co::total<cc90::shared_load<128>>(columns, co::domain{8, 8});
constexpr auto domain_swizzled =
    co::total<cc90::shared_load<128>>(co::swizzle{3, 4, 3}.over(columns), co::domain{8, 8});
constexpr auto bases = co::worst<cc90::load<32>>(co::linear{.stride = 4}, co::every_base{.alignment = 4});
constexpr auto domain_and_bases =
    co::worst<cc90::load<32>>(rows_of_132, co::domain{2, 4}, co::every_base{.alignment = 16});
constexpr auto domain_and_bases_in_lds =
    co::worst<gfx942::ds_read<32>>(strided, co::domain{4, 4}, co::every_base{.alignment = 16});
constexpr auto domain_and_bases_moved =
    co::worst<cc90::shared_load<32>>(moved, co::domain{8, 8}, co::every_base{.alignment = 4});
constexpr auto launch = co::total<cc89::load<32>>(aligned_rows);
constexpr auto launch_of_2_to_the_40 = co::total<cc89::load<32>>(more_rows);
constexpr auto launch_of_odd_rows = co::total<cc89::load<32>>(odd_columns);
constexpr auto launch_of_odd_rows_of_64_lanes = co::total<gfx942::global_load<32>>(odd_columns);
constexpr auto launch_of_a_function =
    co::total<cc90::load<32>>(elementwise, co::launch{.grid = {160}, .block = {128}}, with_a_tail);
constexpr auto launch_by_blocks = co::total<cc90::load<32>>(image, co::block{32, 8});
