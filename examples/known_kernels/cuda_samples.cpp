// SPDX-License-Identifier: BSL-1.0
//
// NVIDIA's CUDA samples, at https://github.com/NVIDIA/cuda-samples/tree/c94ff36.

#include "line.hpp"

using co::cuda::cc13, co::cuda::cc90;
using load = cc90::shared_load<32>;
using store = cc90::shared_store<32>;

// Samples/6_Performance/transpose/transpose.cu, lines 124 to 189: a tile of 32 x 32 floats, which a block of 32 x 16
// threads fills by rows and reads by columns, of a matrix of 1024 x 1024.
namespace transpose {

constexpr auto filled = [](std::int64_t pitch) { return co::layout<2>{.shape = {32, 32}, .stride = {4, pitch}}; };
constexpr co::tile plain{.rows = 32, .columns = 32, .element_bytes = 4};
constexpr co::tile padded{.rows = 32, .columns = 32, .element_bytes = 4, .pitch = 132};
constexpr auto read = co::total<load>(plain, co::domain{32});
constexpr auto read_padded = co::total<load>(padded, co::domain{32});

static_assert(co::total<store>(filled(128), co::domain{32}).rounds == 32);
static_assert(co::total<store>(filled(132), co::domain{32}).rounds == 32);
static_assert(co::covers<store>(filled(128), co::domain{32}, plain).exactly_once);
static_assert(co::covers<store>(filled(132), co::domain{32}, padded).exactly_once);
static_assert(co::covers<load>(padded, co::domain{32}, padded).exactly_once);
static_assert(read.rounds == 32 * 32 && read.ways == 32);
static_assert(read_padded.rounds == 32 && read_padded.conflicts == 0);

// Global memory: by rows on both sides, or without a tile, where the write goes down a column.
constexpr auto row = [](unsigned lane, unsigned y) { return 4 * (1024 * y + lane); };
constexpr auto column = [](unsigned lane, unsigned y) { return 4 * (y + 1024 * lane); };
static_assert(co::total<cc90::load<32>>(row, co::domain{32}).transactions == 32 * 4);
static_assert(co::total<cc90::store<32>>(row, co::domain{32}).transactions == 32 * 4);
constexpr auto naive = co::total<cc90::store<32>>(column, co::domain{32});
static_assert(naive.transactions == 32 * 32 && naive.partial_sectors == naive.transactions);

constexpr line text{"cuda-samples transpose",
                    "\"with bank conflicts\"; 33 columns: \"no\"",
                    "# reads: # rounds, #-way; 33 columns: #",
                    {32, read.rounds, read.ways, read_padded.rounds},
                    verdict({read.conflicts != 0, read_padded.conflicts == 0})};

}  // namespace transpose

// Samples/2_Concepts_and_Techniques/reduction/reduction_kernel.cu, lines 133 to 195: 256 floats. In reduce1, at s = 1,
// 2, .., 128, thread t adds float 2st + s to float 2st; in reduce2, at s = 128, .., 1, float t + s to float t.
namespace reduction {

template <unsigned Term>
constexpr auto interleaved =
    [](unsigned lane, unsigned warp, unsigned step) { return 4 * ((2 * thread(lane, warp) + Term) << step); };
template <unsigned Term>
constexpr auto sequential =
    [](unsigned lane, unsigned warp, unsigned step) { return 4 * (thread(lane, warp) + Term * (128u >> step)); };
constexpr auto active1 = [](unsigned lane, unsigned warp, unsigned step) {
  return 2 * thread(lane, warp) << step < 256;
};
constexpr auto active2 = [](unsigned lane, unsigned warp, unsigned step) { return thread(lane, warp) < 128u >> step; };

constexpr auto reduce1 = total_where<load, interleaved<0>, active1, 8, 8> +
                         total_where<load, interleaved<1>, active1, 8, 8> +
                         total_where<store, interleaved<0>, active1, 8, 8>;
constexpr auto reduce2 = total_where<load, sequential<0>, active2, 8, 8> +
                         total_where<load, sequential<1>, active2, 8, 8> +
                         total_where<store, sequential<0>, active2, 8, 8>;
static_assert(reduce1.phases == 36 && reduce1.rounds == 141 && reduce1.conflicts == 105 && reduce1.ways == 8);
static_assert(reduce2.phases == 36 && reduce2.rounds == 36 && reduce2.conflicts == 0);

// A first warp reads once; how many warps still do is the number of phases.
constexpr bool at_each_step = [] {
  unsigned const rounds[] = {2, 4, 8, 8, 8, 4, 2, 1}, warps[] = {4, 2, 1, 1, 1, 1, 1, 1};
  bool same = true;
  for (unsigned step = 0; step != 8; ++step) {
    auto const read = [=](unsigned lane, unsigned warp) { return interleaved<0>(lane, warp, step); };
    auto const active = [=](unsigned lane, unsigned warp) { return active1(lane, warp, step); };
    same &= co::total<load>(read, co::domain{1}, active).rounds == rounds[step];
    same &= co::total<load>(read, co::domain{4}, active).phases == warps[step];
  }
  return same;
}();
static_assert(at_each_step);

constexpr line text{"cuda-samples reduction",
                    "reduce1 \"many ... bank conflicts\", reduce2 none",
                    "# accesses: # rounds, #-way; reduce2: #",
                    {reduce1.phases, reduce1.rounds, reduce1.ways, reduce2.rounds},
                    verdict({reduce1.conflicts != 0, reduce2.conflicts == 0})};

}  // namespace reduction

// Samples/2_Concepts_and_Techniques/histogram/histogram64.cu, lines 71 to 119, and histogram_common.h, lines 47 to 51:
// 64 threads, each with a byte for each of 64 values, in a column that is its index with the bits rotated for 16 banks.
namespace histogram64 {

constexpr auto column = [](unsigned t) { return t % 16 * 4 + t / 16; };
constexpr auto count = [](unsigned lane, unsigned v, unsigned warp) { return 64 * v + column(thread(lane, warp)); };
constexpr auto sum = [](unsigned lane, unsigned i, unsigned warp, unsigned byte) {
  return 64 * thread(lane, warp) + (4 * (lane % 16) + 4 * i) % 64 + byte;
};
constexpr auto init = [](unsigned lane, unsigned warp, unsigned i) { return 4 * (thread(lane, warp) + 64 * i); };

// A value is a whole turn of 16 banks, so that it does not matter which each lane counts.
static_assert(64 % (4 * co::cuda::row<13>::banks.value) == 0);
constexpr auto scattered = [](unsigned lane, unsigned warp) { return count(lane, 37 * lane % 64, warp); };
constexpr auto counting = co::total<cc13::shared_load<8>>(scattered, co::domain{2});
static_assert(counting.rounds == 2 * 2 && counting.conflicts == 0);
static_assert(co::total<cc13::shared_store<8>>(scattered, co::domain{2}).rounds == 2 * 2);
constexpr auto summing = total<cc13::shared_load<8>, sum, 16, 2, 4>;
static_assert(summing.rounds == 128 * 2 && summing.conflicts == 0);
static_assert(co::total<cc13::shared_store<32>>(init, co::domain{2, 16}).conflicts == 0);

// Of 32 banks, value v takes the half that its parity says: lanes l and l + 16 meet with two values of one parity. Any
// index: whichever value each lane counts, no more than two meet.
constexpr auto counted = [](unsigned lane, unsigned v) { return count(lane, v, 0); };
static_assert(co::worst<cc90::shared_load<8>>(counted, co::any{16}).cost.ways == 2);
static_assert(co::cost<cc90::shared_load<8>>([](unsigned lane) { return counted(lane, lane / 16); }).ways == 1);
constexpr auto summing_now = total<cc90::shared_load<8>, sum, 16, 2, 4>;
static_assert(summing_now.rounds == 128 * 2 && summing_now.conflicts == 128 && summing_now.ways == 2);

constexpr line text{"cuda-samples histogram64",
                    "\"to avoid bank conflicts\" of 16 banks",
                    "CC 1.x: # conflicts; of 32 banks #-way",
                    {summing.conflicts, summing_now.ways},
                    verdict({counting.conflicts == 0, summing.conflicts == 0})};

}  // namespace histogram64

void cuda_samples() {
  print(transpose::text);
  print(reduction::text);
  print(histogram64::text);
}
