// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cdna.hpp>
#include <coalesce/rdna.hpp>
#include <coalesce/record.hpp>

#include <coalesce/host/hip.hpp>

#include "kernels/softmax_gfx1100.hip"
#include "kernels/swizzled_gfx942.hip"
//
#include "by_hand.hpp"

#include <cmath>

// A HIP kernel for waves of 64 lanes, and one for waves of 32.

namespace co = coalescing;
using co::cdna::gfx942;
using co::host::array;
using co::rdna::gfx1100;

TEST_CASE("host: a swizzled tile in the LDS of gfx942") {
  auto in = by_hand::count_up(64 * 64);
  std::vector<float> out(64 * 64);
  co::launch const threads{.block = {256}};
  auto const seen = co::host::record<gfx942>(swizzled, threads, array{"in", in}, array{"out", out});
  for (unsigned y = 0; y != 64; ++y)
    for (unsigned x = 0; x != 64; ++x) CHECK(out[y * 64 + x] == in[x * 64 + y]);
  CHECK((seen.loads("in").issued == 64 && seen.stores("out").issued == 64));
  CHECK((seen.of("tile").issued == 128 && seen.of("tile").conflicts == 0));
  CHECK(seen.of("tile").rounds == 128 * 2);

  auto const body = [](auto const& t, auto from, auto to, auto tile) {
    int const lane = static_cast<int>(t.thread.x) % 64, wave = static_cast<int>(t.thread.x) / 64;
    for (int row = wave; row < 64; row += 4) tile[row][lane ^ row] = from[row * 64 + lane];
    t.sync();
    for (int row = wave; row < 64; row += 4) to[row * 64 + lane] = tile[lane][row ^ lane];
  };
  co::kernel const same{threads, body, co::global<float const>{"in", 64 * 64}, co::global<float>{"out", 64 * 64},
                        co::shared<float[64][64]>{"tile"}};
  CHECK(by_hand::agree(seen, co::record<gfx942>(same), {"in", "out", "tile"}));
}

TEST_CASE("host: a softmax on gfx1100") {
  auto in = by_hand::count_up(2 * 1024);
  std::vector<float> out(2 * 1024);
  auto const seen =
      co::host::record<gfx1100>(softmax, co::launch{.grid = {2}, .block = {256}}, array{"in", in}, array{"out", out});
  float sum = 0.f, expected = 0.f;
  for (unsigned k = 0; k != 1024; ++k) sum += out[k], expected += std::exp(in[k] - 60.f);
  CHECK((sum == doctest::Approx(1) && out[60] == doctest::Approx(1 / expected)));
  CHECK((seen.loads("in").issued == 16 && seen.stores("out").issued == 16));
  CHECK((seen.stores("of_waves").issued == 2 * 2 * 8 && seen.loads("of_waves").issued == 2 * 2 * 8 * 8));
  CHECK(seen.of("of_waves").conflicts == 0);

  auto const body = [](auto const& t, auto from, auto to, auto of_waves) {
    auto const row = [&](auto array) { return array + t.block.x * 1024; };
    (void)co::value(co::as<float4 const>(row(from))[t.thread.x]);
    for (unsigned pass = 0; pass != 2; ++pass) {
      t.sync();
      if (t.lane() == 0) of_waves[t.thread.x / 32] = 0.f;
      t.sync();
      for (unsigned k = 0; k < 8; ++k) (void)co::value(of_waves[k]);
    }
    co::as<float4>(row(to))[t.thread.x] = float4{};
  };
  co::kernel const same{co::launch{.grid = {2}, .block = {256}}, body, co::global<float const>{"in"},
                        co::global<float>{"out"}, co::shared<float[8]>{"of_waves"}};
  CHECK(by_hand::agree(seen, co::record<gfx1100>(same, co::every_block), {"in", "out", "of_waves"}));
}

// "AMD Instinct MI300 CDNA3 ISA", V_MBCNT_LO_U32_B32 and V_MBCNT_HI_U32_B32: the bits of the mask below the lane, and
// the sum so far.
__global__ void ranks(int* out) {
  unsigned const some = __builtin_amdgcn_mbcnt_lo(0x55555555u, 7u);
  out[threadIdx.x] = static_cast<int>(__builtin_amdgcn_mbcnt_hi(0x55555555u, some));
}
TEST_CASE("host: the number of lanes below a lane in a mask, added to a number") {
  std::vector<int> out(64);
  static_cast<void>(co::host::record<gfx942>(ranks, co::launch{.block = {64}}, array{"out", out}));
  for (int lane = 0; lane != 64; ++lane) CHECK(out[static_cast<std::size_t>(lane)] == 7 + (lane + 1) / 2);
}

// The upper half of a wave reads the number of its first lane, and the lower half waits at the barrier.
__global__ void firsts(int* out) {
  int first = -1, turned = -1;
  if (threadIdx.x >= 32) {
    first = __builtin_amdgcn_readfirstlane(static_cast<int>(threadIdx.x));
    turned = __builtin_amdgcn_ds_bpermute(4 * (95 - static_cast<int>(threadIdx.x)), static_cast<int>(threadIdx.x));
  }
  __syncthreads();
  out[threadIdx.x] = first, out[64 + threadIdx.x] = turned;
}
TEST_CASE("host: a part of a wave reads the number of its first lane, and of each other, while the others wait") {
  std::vector<int> out(128);
  static_cast<void>(co::host::record<gfx942>(firsts, co::launch{.block = {64}}, array{"out", out}));
  for (std::size_t lane = 0; lane != 64; ++lane) {
    CHECK(out[lane] == (lane < 32 ? -1 : 32));
    CHECK(out[64 + lane] == (lane < 32 ? -1 : 95 - static_cast<int>(lane)));
  }
}
