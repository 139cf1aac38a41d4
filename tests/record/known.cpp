// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>
#include <coalesce/cuda.hpp>
#include <coalesce/gcn.hpp>
#include <coalesce/rdna.hpp>
#include <coalesce/record.hpp>

#include <cstdint>

#include "machinery/check.hpp"

// Kernels of the examples, recorded. The figures are those that the examples state of transcribed formulas
// (examples/known_kernels, examples/rdna_lds.cpp, examples/gcn_patterns.cpp).

namespace co = coalescing;
using co::memory_space;
using co::cdna::gfx942, co::cdna::gfx950, co::cuda::cc13, co::cuda::cc80, co::cuda::cc86, co::cuda::cc90;
using co::rdna::gfx1100, co::rdna::gfx1201;

namespace {

struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(8) half4 {
  unsigned short of[4];
};

}  // namespace

TEST_CASE("record: SGEMM_CUDA 6, tiles of 128 x 8 and 8 x 128") {  // known_kernels/sgemm.cpp, `vectorized`
  co::launch const threads{.grid = {32, 32}, .block = {256}};
  auto const body = [](auto const& t, auto a, auto b, auto tile_a, auto tile_b) {
    unsigned const k = t.index(), row = k / 2, column = k % 2;
    float4 const from_a = a[row * 1024 + column];
    for (unsigned j = 0; j != 4; ++j) tile_a[(4 * column + j) * 128 + row] = from_a.x;
    co::as<float4>(&tile_b[0])[k] = b[k / 32 * 1024 + k % 32];
    t.sync();
    float sum = 0;
    for (unsigned step = 0; step != 8; ++step)
      for (unsigned i = 0; i != 8; ++i)
        sum += tile_a[128 * step + 8 * (k / 16) + i] * tile_b[128 * step + 8 * (k % 16) + i];
    return sum;
  };
  co::kernel const gemm{threads,
                        [&](auto const&... all) { (void)body(all...); },
                        co::global<float4 const>{"a"},
                        co::global<float4 const>{"b"},
                        co::shared<float[1024]>{"tile_a"},
                        co::shared<float[1024]>{"tile_b"}};
  auto const seen = co::record<cc86>(gemm);
  CHECK(seen.loads("a").transactions == 8 * 16);
  CHECK(seen.loads("b").transactions == 8 * 16);
  CHECK(seen.stores("tile_a").phases == 32);
  CHECK(seen.stores("tile_a").rounds == 32 * 2);
  CHECK(seen.stores("tile_a").ways == 2);
  CHECK(seen.stores("tile_b").rounds == 8 * 4);
  CHECK(seen.stores("tile_b").conflicts == 0);
  CHECK(seen.loads("tile_a").rounds == 512);
  CHECK(seen.loads("tile_b").phases == 512);
  CHECK(seen.loads("tile_b").rounds == 512 * 4);
  CHECK(seen.loads("tile_b").ways == 4);
}

TEST_CASE("record: the CUDA samples' reductions of 256 floats") {  // known_kernels/cuda_samples.cpp, `reduction`
  co::launch const threads{.block = {256}};
  auto const interleaved = [](auto const& t, auto s) {
    for (unsigned step = 1; step < 256; step *= 2) {
      unsigned const index = 2 * step * t.index();
      if (index < 256) s[index] += s[index + step];
      t.sync();
    }
  };
  auto const sequential = [](auto const& t, auto s) {
    for (unsigned step = 128; step > 0; step /= 2) {
      if (t.index() < step) s[t.index()] += s[t.index() + step];
      t.sync();
    }
  };
  auto const reduce1 = co::record<cc90>(co::kernel{threads, interleaved, co::shared<float[256]>{"s"}}).of("s");
  CHECK(reduce1.phases == 36);
  CHECK(reduce1.rounds == 141);
  CHECK(reduce1.conflicts == 105);
  CHECK(reduce1.ways == 8);
  auto const reduce2 = co::record<cc90>(co::kernel{threads, sequential, co::shared<float[256]>{"s"}}).of("s");
  CHECK(reduce2.phases == 36);
  CHECK(reduce2.rounds == 36);
  CHECK(reduce2.conflicts == 0);
}

TEST_CASE("record: the CUDA samples' histogram64") {  // known_kernels/cuda_samples.cpp, `histogram64`
  auto const count = [](auto const& t, auto s) {
    unsigned const column = t.index() % 16 * 4 + t.index() / 16, value = 37 * t.lane() % 64;
    s[64 * value + column] += static_cast<unsigned char>(1);
  };
  auto const sum = [](auto const& t, auto s) {
    unsigned total = 0;
    for (unsigned i = 0; i != 16; ++i)
      for (unsigned byte = 0; byte != 4; ++byte) total += s[64 * t.index() + (4 * (t.lane() % 16) + 4 * i) % 64 + byte];
    (void)total;
  };
  co::launch const threads{.block = {64}};
  co::shared<unsigned char[64 * 64]> const bytes{.name = "s", .any_value = true};
  auto const counting = co::record<cc13>(co::kernel{threads, count, bytes});
  CHECK(counting.loads("s").rounds == 2 * 2);
  CHECK(counting.stores("s").rounds == 2 * 2);
  CHECK(counting.of("s").conflicts == 0);
  co::kernel const summing{threads, sum, bytes};
  CHECK(co::record<cc13>(summing).of("s").rounds == 128 * 2);
  CHECK(co::record<cc13>(summing).of("s").conflicts == 0);
  CHECK(co::record<cc90>(summing).of("s").rounds == 128 * 2);
  CHECK(co::record<cc90>(summing).of("s").ways == 2);
}

TEST_CASE("record: CUB's exchange of blocked and striped items") {  // known_kernels/cub.cpp, `exchange`
  auto const rounds = [](unsigned items) {
    auto const place = [items](unsigned item) {
      return item + (items > 4 && (items & (items - 1)) == 0 ? item / 32 : 0);
    };
    co::kernel const exchange{co::launch{.block = {128}},
                              [&](auto const& t, auto s) {
                                for (unsigned i = 0; i != items; ++i) s[place(items * t.index() + i)] = 0.f;
                                t.sync();
                                for (unsigned i = 0; i != items; ++i) (void)co::value(s[place(128 * i + t.index())]);
                              },
                              co::shared<float[]>{"s", 128 * 33}};
    auto const seen = co::record<cc80>(exchange);
    CHECK(seen.loads("s").conflicts == 0);
    CHECK(co::races(exchange).count == 0);
    return seen.stores("s").rounds;
  };
  CHECK(rounds(2) == 4 * 2 * 2);
  CHECK(rounds(4) == 4 * 4 * 4);
  CHECK(rounds(7) == 4 * 7);
  CHECK(rounds(8) == 4 * 8);
  CHECK(rounds(12) == 4 * 12 * 4);
  CHECK(rounds(24) == 4 * 24 * 8);
  CHECK(rounds(32) == 4 * 32);
}

TEST_CASE("record: FlashInfer's swizzled tiles on gfx942 and gfx950") {  // known_kernels/amd.cpp, `flashinfer`
  auto const reads = [](unsigned period) {
    return co::kernel{co::launch{.block = {64}},
                      [period](auto const& t, auto s) {
                        for (unsigned q = 0; q != 4; ++q)
                          for (unsigned d = 0; d != 8; ++d) {
                            unsigned const row = t.lane() % 16 + 16 * q, column = t.lane() / 16 + 4 * d;
                            (void)co::value(s[32 * row + (column ^ row % period)]);
                          }
                      },
                      co::shared<half4[64 * 32]>{.name = "s", .any_value = true}};
  };
  CHECK(co::record<gfx942>(reads(8)).of("s").rounds == 32 * 8);
  CHECK(co::record<gfx942>(reads(8)).of("s").conflicts == 32 * 4);
  CHECK(co::record<gfx942>(reads(16)).of("s").rounds == 32 * 4);
  CHECK(co::record<gfx942>(reads(16)).of("s").conflicts == 0);
  CHECK(co::record<gfx942>(reads(1)).of("s").rounds == 32 * 64);
  CHECK(co::record<gfx950>(reads(8)).of("s").ways == 4);
  CHECK(co::record<gfx950>(reads(16)).of("s").rounds == 32 * 4);
}

TEST_CASE("record: Composable Kernel's XOR on gfx942 and gfx950") {  // known_kernels/amd.cpp, `composable_kernel`
  auto const tile = [](bool swizzle, unsigned rows) {
    return co::kernel{co::launch{.block = {256}},
                      [=](auto const& t, auto s) {
                        auto const unit = [&](unsigned n, unsigned k) { return 8 * n + (swizzle ? k ^ n % 8 : k); };
                        for (unsigned r = 0; r != 4; ++r) s[unit(t.index() / 8 + 32 * r, t.lane() % 8)] = float4{};
                        t.sync();
                        if (t.warp() != 0) return;
                        for (unsigned m = 0; m != 128 / rows; ++m)
                          for (unsigned k = 0; k != rows / 8; ++k)
                            (void)co::value(s[unit(t.lane() % rows + rows * m, t.lane() / rows + 64 / rows * k)]);
                      },
                      co::shared<float4[128 * 8]>{"s"}};
  };
  CHECK(co::record<gfx942>(tile(true, 32)).stores("s").rounds == 16 * 8);
  CHECK(co::record<gfx942>(tile(true, 32)).of("s").conflicts == 0);
  CHECK(co::record<gfx942>(tile(true, 16)).of("s").conflicts == 0);
  CHECK(co::record<gfx942>(tile(false, 32)).loads("s").rounds == 16 * 64);
  CHECK(co::record<gfx950>(tile(true, 32)).loads("s").phases == 16 * 4);
  CHECK(co::record<gfx950>(tile(true, 32)).loads("s").rounds == 16 * 8);
  CHECK(co::record<gfx950>(tile(true, 16)).loads("s").rounds == 16 * 4);
}

TEST_CASE("record: a column of 16-byte chunks in LDS of RDNA") {  // examples/rdna_lds.cpp
  auto const conflicts = []<class Chip>(Chip, auto const& chunk) {
    co::kernel const column{co::launch{.block = {32}},
                            [&](auto const& t, auto s) { (void)co::value(s[8 * t.lane() + chunk(t.lane())]); },
                            co::shared<float4[32 * 8]>{"s"}};
    return co::record<Chip>(column).of("s").conflicts;
  };
  auto const by_row = [](unsigned lane) { return lane % 8; };
  auto const by_quads = [](unsigned lane) { return lane % 4 + lane / 16 * 4; };
  auto const crossed = [](unsigned lane) { return lane % 8 ^ lane / 16 * 4; };
  CHECK(conflicts(gfx1100{}, by_row) == 0);
  CHECK(conflicts(gfx1201{}, by_row) == 0);
  CHECK(conflicts(gfx1100{}, by_quads) == 0);
  CHECK(conflicts(gfx1201{}, by_quads) == 4);
  CHECK(conflicts(gfx1100{}, crossed) == 4);
  CHECK(conflicts(gfx1201{}, crossed) == 0);
}

TEST_CASE("record: dwords of GCN in order and out of order") {  // examples/gcn_patterns.cpp
  auto const loads = [](auto const& index) {
    co::kernel const one{co::launch{.block = {64}}, [&](auto const& t, auto a) { (void)co::value(a[index(t.lane())]); },
                         co::global<float const>{.name = "a", .base = 0x10000}};
    return co::record<co::gcn::machine>(one).of("a");
  };
  auto const is = [](co::recorded_cost const& seen, std::uint64_t clocks, std::uint64_t transactions) {
    return seen.clocks == clocks && seen.transactions == transactions;
  };
  CHECK(is(loads([](unsigned lane) { return lane; }), 4, 4));
  CHECK(is(loads([](unsigned lane) { return lane + 1; }), 4, 5));
  CHECK(is(loads([](unsigned lane) { return 63 - lane; }), 4, 4));
  CHECK(is(loads([](unsigned lane) { return lane * 3 % 16; }), 16, 1));
  CHECK(is(loads([](unsigned) { return 0u; }), 4, 1));
  CHECK(is(loads([](unsigned lane) { return 2 * lane; }), 16, 8));
  CHECK(is(loads([](unsigned lane) { return 16 * lane; }), 16, 64));
}
