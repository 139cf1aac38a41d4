// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/rdna.hpp>
#include <coalesce/record.hpp>
#include <coalesce/total.hpp>

#include <string>

#include "every/machines.hpp"
#include "machinery/check.hpp"

// Kernels of the examples, recorded, and transcribed by hand into patterns: both cost the same on every machine.

namespace co = coalescing;
using coalescing_tests::each_that, coalescing_tests::is_asked;

namespace {

/// Whether each number of a cost that the transcription has is that of the recording.
template <class Cost>
bool agrees(co::recorded_cost const& recorded, Cost const& transcribed) {
  co::compared_cost expected;
  co::detail::take_numbers(expected, transcribed);
  return static_cast<co::compared_cost const&>(recorded) == expected;
}
template <class Instruction, class Pattern>
auto over_block(co::launch const& of, Pattern const& pattern) {
  return co::total<Instruction>(pattern, co::launch{.grid = {}, .block = of.block});
}

// ---- examples/padded_tile.cpp and the CUDA samples' transpose: 32 x 32 floats, a block of 32 x 8 ----

constexpr co::launch tiles{.grid = {4, 4}, .block = {32, 8}};
auto transpose_of(unsigned pitch) {
  return co::kernel{tiles,
                    [pitch](auto const& t, auto in, auto out, auto tile) {
                      unsigned const x = t.block.x * 32 + t.thread.x, y = t.block.y * 32 + t.thread.y;
                      for (unsigned j = 0; j < 32; j += 8)
                        tile[(t.thread.y + j) * pitch + t.thread.x] = in[(y + j) * 128 + x];
                      t.sync();
                      for (unsigned j = 0; j < 32; j += 8)
                        out[(x + j) * 128 + y] = tile[t.thread.x * pitch + t.thread.y + j];
                    },
                    co::global<float const>{"in", 128 * 128, 0}, co::global<float>{"out", 128 * 128 + 4096, 0},
                    co::shared<float[]>{"tile", 32ull * pitch}};
}
template <class Instruction, class Pattern>
auto four_steps(Pattern const& pattern) {
  typename Instruction::cost_type sum{};
  for (unsigned j = 0; j != 32; j += 8)
    sum += over_block<Instruction>(tiles, [&](co::invocation const& at) { return pattern(at.thread, j); });
  return sum;
}
template <class Machine>
void transpose_agrees(unsigned pitch) {
  using issues = typename Machine::issues;
  auto const seen = co::record<Machine>(transpose_of(pitch));
  CAPTURE(std::string(Machine::identity.name));
  CAPTURE(pitch);
  auto const in = [](co::place const& t, unsigned j) { return ((t.y + j) * 128 + t.x) * 4; };
  auto const out = [](co::place const& t, unsigned j) { return ((t.x + j) * 128 + t.y) * 4; };
  auto const rows = [pitch](co::place const& t, unsigned j) { return ((t.y + j) * pitch + t.x) * 4; };
  auto const columns = [pitch](co::place const& t, unsigned j) { return (t.x * pitch + t.y + j) * 4; };
  CHECK(seen.of("in").issued == 4 * (256 / issues::lanes));
  if constexpr (issues::template global_load<32>::exists) {
    CHECK(agrees(seen.loads("in"), four_steps<typename issues::template global_load<32>>(in)));
    CHECK(agrees(seen.stores("out"), four_steps<typename issues::template global_store<32>>(out)));
  } else {
    CHECK(!seen.loads("in").is_counted);
  }
  if constexpr (issues::template banked_load<32>::exists)
    CHECK(agrees(seen.loads("tile"), four_steps<typename issues::template banked_load<32>>(columns)));
  else
    CHECK(!seen.loads("tile").is_counted);
  if constexpr (issues::template banked_store<32>::exists)
    CHECK(agrees(seen.stores("tile"), four_steps<typename issues::template banked_store<32>>(rows)));
  else
    CHECK(!seen.stores("tile").is_counted);
}
struct transposes {
  template <class Machine>
  void operator()() const {
    if constexpr (co::detail::has_issues<Machine>) transpose_agrees<Machine>(32), transpose_agrees<Machine>(33);
  }
};

// ---- examples/saxpy_sectors: a float4 a thread, in rows and down columns ----

struct alignas(16) four {
  float x, y, z, w;
};
template <class Machine>
void saxpy_agrees(co::layout<2> const& layout) {
  using issues = typename Machine::issues;
  co::launch const threads{.grid = {4}, .block = {256}};
  auto const at = [&](unsigned index) { return layout(index) / 16; };
  co::kernel const kernel{threads,
                          [&](auto const& t, auto xs, auto ys) {
                            auto const i = at(t.block.x * t.block_size.x + t.thread.x);
                            four const x = xs[i], y = ys[i];
                            xs[i] = four{x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w};
                          },
                          co::global<four>{.name = "xs", .base = 0}, co::global<four const>{.name = "ys", .base = 0}};
  auto const seen = co::record<Machine>(kernel, co::every_block);
  auto const pattern = [&](co::invocation const& t) { return layout(t.block.x * 256 + t.thread.x); };
  CAPTURE(std::string(Machine::identity.name));
  if constexpr (issues::template global_load<128>::exists) {
    using load = typename issues::template global_load<128>;
    CHECK(agrees(seen.loads("xs"), co::total<load>(pattern, threads)));
    CHECK(seen.loads("ys") == seen.loads("xs"));
    CHECK(agrees(seen.stores("xs"), co::total<typename issues::template global_store<128>>(pattern, threads)));
  }
}
struct saxpys {
  template <class Machine>
  void operator()() const {
    if constexpr (co::detail::has_issues<Machine>) {
      saxpy_agrees<Machine>(co::layout<2>{.shape = {4096, 1}, .stride = {16, 0}});
      saxpy_agrees<Machine>(co::layout<2>{.shape = {64, 64}, .stride = {4 * 1024, 16}});
    }
  }
};

}  // namespace

TEST_CASE("record: the examples' transpose, recorded and transcribed, on every machine") {
  each_that<co::cuda::every_machine, is_asked>(transposes{});
  each_that<co::cdna::every_machine, is_asked>(transposes{});
  co::gcn::every_machine::each(transposes{});
  each_that<co::rdna::every_machine, is_asked>(transposes{});
  transposes{}.operator()<co::rdna::gfx1100::wave64>();
}

TEST_CASE("record: the examples' saxpy, recorded and transcribed, on every machine") {
  each_that<co::cuda::every_machine, is_asked>(saxpys{});
  each_that<co::cdna::every_machine, is_asked>(saxpys{});
  co::gcn::every_machine::each(saxpys{});
  each_that<co::rdna::every_machine, is_asked>(saxpys{});
}

TEST_CASE("record: the examples' GEMM tile, recorded and transcribed") {
  using co::cuda::cc80;
  static constexpr co::swizzle swizzle{.bits = 3, .base = 4, .shift = 3};
  auto const place = [](unsigned row, unsigned column) { return swizzle(128 * row + 16 * column); };
  co::launch const threads{.block = {128}};
  co::kernel const staged{threads,
                          [&](auto const& t, auto a, auto tile) {
                            for (unsigned step = 0; step != 8; ++step) {
                              unsigned const k = t.index() + 128 * step;
                              co::issue<cc80::cp_async<16>::global>(a + 4096 * (k / 8) + 8 * (k % 8));
                              co::issue<cc80::cp_async<16>::shared>(tile + place(k / 8, k % 8) / 2);
                            }
                            t.sync();
                            for (unsigned half = 0; half != 2; ++half)
                              for (unsigned k = 0; k != 4; ++k)
                                co::issue<cc80::ldmatrix<4>>(
                                    tile + place(32 * t.warp() + 16 * half + t.lane() % 16, 2 * k + t.lane() / 16) / 2);
                          },
                          co::global<unsigned short const>{.name = "a", .elements = 128 * 4096, .base = 0},
                          co::shared<unsigned short[128 * 64]>{"tile"}};
  auto const seen = co::record<cc80>(staged);
  auto const copied = [&](unsigned lane, unsigned warp, unsigned step) {
    unsigned const k = lane + 32 * warp + 128 * step;
    return place(k / 8, k % 8);
  };
  auto const from = [](unsigned lane, unsigned warp, unsigned step) {
    unsigned const k = lane + 32 * warp + 128 * step;
    return 8192ull * (k / 8) + 16 * (k % 8);
  };
  auto const read = [&](unsigned lane, unsigned warp, unsigned half, unsigned k) {
    return place(32 * warp + 16 * half + lane % 16, 2 * k + lane / 16);
  };
  REQUIRE(seen.size() == 3);
  CHECK(agrees(seen[0].cost, co::total<cc80::cp_async<16>::global>(from, co::domain{4, 8})));
  CHECK(agrees(seen[1].cost, co::total<cc80::cp_async<16>::shared>(copied, co::domain{4, 8})));
  CHECK(agrees(seen[2].cost, co::total<cc80::ldmatrix<4>>(read, co::domain{4, 2, 4})));
  CHECK(seen[2].cost.conflicts == 0);
}
