// SPDX-License-Identifier: BSL-1.0
//
// How a GEMM on CC 8.0 and later stages its tiles: 128 x 64 halves of A are copied into shared memory by cp.async and
// read as fragments by ldmatrix, over all warps, steps of the copy and k; and 16 rows of results leave through
// stmatrix. A row of the tile is 8 chunks of 16 bytes; layouts place chunks.

#include <coalesce/cuda.hpp>
#include <coalesce/cuda/fragments.hpp>
#include <coalesce/cuda/tma.hpp>
#include <coalesce/total.hpp>

#include <cstdio>

namespace co = coalescing;
using co::cuda::cc80, co::cuda::cc90;

constexpr co::tile plain{.rows = 128, .columns = 8, .element_bytes = 16};
constexpr co::tile padded{.rows = 128, .columns = 8, .element_bytes = 16, .pitch = 144};
constexpr auto swizzled =
    co::swizzle{.bits = 3, .base = 4, .shift = 3}.over(plain);  // CuTe's Swizzle<3, 3, 3> of halves

// 128 threads copy 128 chunks in each of 8 steps: a warp four rows.
template <class Layout>
constexpr auto copied_to(Layout const& place) {
  return [=](unsigned lane, unsigned warp, unsigned step) {
    unsigned const chunk = lane + 32 * warp + 128 * step;
    return place(chunk / 8, chunk % 8);
  };
}
constexpr auto copied_from = [](unsigned lane, unsigned warp, unsigned step) {  // A has 4096 halves a row
  unsigned const chunk = lane + 32 * warp + 128 * step;
  return 8192ull * (chunk / 8) + 16 * (chunk % 8);
};
// A warp owns 32 rows, two fragments of 16 x 16 for each of 4 steps of k: lane l gives row l % 16, chunk l / 16.
template <class Layout>
constexpr auto read_from(Layout const& place) {
  return [=](unsigned lane, unsigned warp, unsigned half, unsigned k) {
    return place(32 * warp + 16 * half + lane % 16, 2 * k + lane / 16);
  };
}

template <class Layout>
constexpr auto fill(Layout const& place) {
  return co::total<cc80::cp_async<16>::shared>(copied_to(place), co::domain{4, 8});
}
template <class Layout>
constexpr auto read(Layout const& place) {
  return co::total<cc80::ldmatrix<4>>(read_from(place), co::domain{4, 2, 4});
}
static_assert(fill(plain).conflicts == 0);
static_assert(fill(padded).conflicts == 0);
static_assert(fill(swizzled).conflicts == 0);
static_assert(read(plain).ways == 8);
static_assert(read(padded).ways == 1);
static_assert(read(swizzled).ways == 1);

// The copy reads whole rows of 128 bytes, whatever the layout of the tile.
constexpr auto loaded = co::total<cc80::cp_async<16>::global>(copied_from, co::domain{4, 8});
static_assert(loaded.transactions == 16 * loaded.requests && loaded.bytes_used == loaded.bytes_moved);

// ldmatrix delivers the A fragment of mma.m16n8k16, here for the first 16 rows and columns. An element is 2 bytes.
constexpr auto halves = [](unsigned row, unsigned column) { return swizzled(row, column / 8) + 2 * (column % 8); };
constexpr auto first_rows = [](unsigned lane) { return swizzled(lane % 16, lane / 16); };
static_assert(co::moves<cc80::ldmatrix<4>, co::cuda::mma<16, 8, 16, 16>::a>(first_rows, halves));

// On CC 9.0 one thread has TMA copy the whole tile: with its 128-byte swizzle, to where cp.async above puts it.
constexpr co::cuda::tensor_map map{.element = co::cuda::tensor_element::f16,
                                   .rank = 2,
                                   .extent = {4096, 4096},
                                   .stride = {8192},
                                   .box = {64, 128},
                                   .swizzle = co::cuda::tensor_swizzle::bytes_128};
static_assert(map.fault() == co::cuda::tensor_fault::none);
constexpr auto box = map.cost({0, 0});
constexpr auto by_tma = map.shared();  // (column, row) -> byte
constexpr bool lies_as_swizzled = [] {
  for (unsigned row = 0; row != 16; ++row)  // the swizzle repeats after 8
    for (unsigned chunk = 0; chunk != 8; ++chunk)
      if (by_tma(8 * chunk, row) != swizzled(row, chunk)) return false;
  return true;
}();
static_assert(lies_as_swizzled && box.sectors == loaded.transactions && box.lines == loaded.lines);

// An accumulator of m16n8 holds two neighbours of row l / 4 in each lane: stored from there, a row gets 16 bytes at a
// time, half of a sector. 16 x 64 halves by way of shared memory: rows of 128 bytes.
constexpr auto from_registers = [](unsigned lane, unsigned row_of_8, unsigned n) {
  return 8192ull * (8 * row_of_8 + lane / 4) + 16 * n + 4 * (lane % 4);
};
constexpr auto direct = co::total<cc90::store<32>>(from_registers, co::domain{2, 8});
constexpr auto stage = [](unsigned lane, unsigned n) { return swizzled(lane % 16, 2 * n + lane / 16); };
constexpr auto fetch = [](unsigned lane, unsigned step) { return swizzled(4 * step + lane / 8, lane % 8); };
constexpr auto to_rows = [](unsigned lane, unsigned step) { return 8192ull * (4 * step + lane / 8) + 16 * (lane % 8); };
constexpr auto staged = co::total<cc90::stmatrix<4>>(stage, co::domain{4});
constexpr auto fetched = co::total<cc90::shared_load<128>>(fetch, co::domain{4});
constexpr auto stored = co::total<cc90::store<128>>(to_rows, co::domain{4});
static_assert(direct.partial_sectors == direct.transactions && stored.partial_sectors == 0);
static_assert(staged.conflicts == 0 && fetched.conflicts == 0);

namespace {

unsigned long long whole(std::uint64_t number) { return number; }

template <class Layout>
void row(char const* name, Layout const& place, std::uint64_t bytes) {
  constexpr auto width = 8;
  std::printf("  %-24s%*llu%*llu%*llu%*llu%*llu\n", name, width, whole(bytes), width, whole(fill(place).rounds), width,
              whole(fill(place).conflicts), width, whole(read(place).rounds), width, whole(read(place).conflicts));
}

}  // namespace

int main() {
  std::printf("128 x 64 halves, 4 warps, CC 8.0           cp.async: to     ldmatrix.x4\n");
  std::printf("  %-24s%8s%8s%8s%8s%8s\n", "rows of 128 bytes", "bytes", "rounds", "confl.", "rounds", "confl.");
  row("plain", plain, 128 * 128);
  row("padded to 144", padded, 128 * 144);
  row("swizzled", swizzled, 128 * 128);
  std::printf("  cp.async, from: %llu requests, %llu sectors, %llu lines\n", whole(loaded.requests),
              whole(loaded.transactions), whole(loaded.lines));
  std::printf("  TMA, the whole tile: %llu sectors, %llu lines, %llu bytes signalled\n", whole(box.sectors),
              whole(box.lines), whole(box.bytes_signalled));
  std::printf("16 x 64 halves of results, a warp, CC 9.0\n");
  std::printf("  from registers: %llu stores, %llu sectors, %llu of them in part\n", whole(direct.requests),
              whole(direct.transactions), whole(direct.partial_sectors));
  std::printf("  by stmatrix.x4: %llu + %llu rounds, %llu stores, %llu sectors, %llu of them in part\n",
              whole(staged.rounds), whole(fetched.rounds), whole(stored.requests), whole(stored.transactions),
              whole(stored.partial_sectors));
}
