// SPDX-License-Identifier: BSL-1.0
//
// Whether a copy covers a tile of 64 KB in 4,096 accesses; whether two maps of 4,096 points are one; the footprint and
// the worst point of 32 accesses.
#include <coalesce/cdna.hpp>
#include <coalesce/claims.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/explain.hpp>
#include <coalesce/layout.hpp>
#include <coalesce/total.hpp>

namespace co = coalescing;
using co::cdna::gfx942, co::cuda::cc80, co::cuda::cc90;

constexpr co::tile tile{.rows = 256, .columns = 128, .element_bytes = 2};
constexpr co::tile padded{.rows = 256, .columns = 128, .element_bytes = 2, .pitch = 272};
constexpr auto swizzled_rows = [](unsigned lane, unsigned warp, unsigned i) {
  unsigned const row = 16 * i + 2 * warp + lane / 16;
  return 16 * (16 * row + (lane ^ row % 8) % 16);
};
constexpr auto padded_rows = [](unsigned lane, unsigned warp, unsigned i) {
  return 272 * (16 * i + 2 * warp + lane / 16) + 16 * (lane % 16);
};
constexpr auto short_step = [](unsigned lane, unsigned warp, unsigned i) {
  return 16 * (16 * (15 * i + 2 * warp + lane / 16) + lane % 16);
};
constexpr auto in_waves = [](unsigned lane, unsigned wave, unsigned i) { return 16 * (256 * i + 64 * wave + lane); };
constexpr auto formula = [](unsigned lane, unsigned warp, unsigned i) { return 16 * (256 * i + 32 * warp + lane); };
constexpr co::layout<3> layout{.shape = {32, 8, 16}, .stride = {16, 512, 4096}};
constexpr auto strided = [](unsigned lane, unsigned warp, unsigned step) {
  return 4 * lane * (step + 1) + 4096 * warp;
};

constexpr auto a_copy = co::covers<cc80::cp_async<16>::shared>(swizzled_rows, co::domain{8, 16}, tile);
constexpr auto a_copy_with_padding = co::covers<cc80::cp_async<16>::shared>(padded_rows, co::domain{8, 16}, padded);
constexpr auto a_wrong_copy = co::covers<cc80::cp_async<16>::shared>(short_step, co::domain{8, 16}, tile);
constexpr auto a_copy_of_waves = co::covers<gfx942::ds_write<128>>(in_waves, co::domain{4, 16}, tile);
constexpr auto one_map = co::same(formula, layout, co::domain{32, 8, 16});
constexpr auto footprint = co::footprint<128, cc90::load<32>>(strided, co::domain{4, 8});
constexpr auto worst_point = co::explain<cc90::shared_load<32>>(strided, co::domain{4, 8});
