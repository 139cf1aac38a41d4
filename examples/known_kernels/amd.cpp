// SPDX-License-Identifier: BSL-1.0
//
// Kernels for AMD's MI300 (gfx942: 32 banks) and MI350 (gfx950: 64 banks for reads).

#include "line.hpp"

using co::cdna::gfx942, co::cdna::gfx950;

// https://github.com/ROCm/rocm-examples/blob/7dfb7d4/Applications/histogram/main.hip, lines 47 to 92: 128 threads, each
// with a byte for each of 256 values, in a column that is its index with the bits rotated for 32 banks.
namespace histogram {

constexpr auto column = [](unsigned t) { return 4 * (t % 32) + t / 32; };
constexpr unsigned work_item(unsigned lane, unsigned wave) { return 64 * wave + lane; }
constexpr auto count = [](unsigned lane, unsigned v, unsigned wave) { return 128 * v + column(work_item(lane, wave)); };
/// Byte 8 * part + i of those that a work-item clears, and of the 2 x 128 that it adds up.
constexpr auto clear = [](unsigned lane, unsigned part, unsigned wave, unsigned i) {
  return 8 * part + i + 256 * column(work_item(lane, wave));
};
constexpr auto sum = [](unsigned lane, unsigned part, unsigned wave, unsigned i) {
  return 128 * (part / 16 * 128 + column(work_item(lane, wave))) + 8 * (part % 16) + i;
};
constexpr auto plain_clear = [](unsigned lane, unsigned part, unsigned wave, unsigned i) {
  return 8 * part + i + 256 * work_item(lane, wave);
};
constexpr auto plain_sum = [](unsigned lane, unsigned part, unsigned wave, unsigned i) {
  return 128 * (part / 16 * 128 + work_item(lane, wave)) + 8 * (part % 16) + i;
};

// Any index: whichever value each lane counts. (A value is a whole turn of the banks. So 4 values are as bad as 256.)
static_assert(128 % gfx942::ds_read<8>::period == 0);
constexpr auto counted = [](unsigned lane, unsigned wave, unsigned v) { return count(lane, v, wave); };
constexpr auto counting = co::worst<gfx942::ds_read<8>>(counted, co::domain{2}, co::any{4}).cost;
static_assert(counting.rounds == 2 && counting.conflicts == 0);
static_assert(co::worst<gfx942::ds_write<8>>(counted, co::domain{2}, co::any{4}).cost.rounds == 2);
constexpr auto plain_count = [](unsigned lane) { return 128 * (37 * lane % 256) + lane; };
static_assert(co::cost<gfx942::ds_read<8>>(plain_count).rounds == 8);
static_assert(co::cost<gfx942::ds_read<8>>(plain_count).ways == 4);
// Of 64 banks, the parity of v chooses the half: lanes l and l + 32 meet with two values of one parity.
static_assert(co::worst<gfx950::ds_read<8>>(counted, co::domain{2}, co::any{4}).cost.ways == 2);
static_assert(co::cost<gfx950::ds_read<8>>([](unsigned lane) { return count(lane, 0, 0); }).rounds == 1);

constexpr auto clearing = total<gfx942::ds_write<8>, clear, 32, 2, 8>;
constexpr auto summing = total<gfx942::ds_read<8>, sum, 32, 2, 8>;
static_assert(clearing.rounds == 512 * 64 && clearing.ways == 32 && summing.rounds == 512 * 64 && summing.ways == 32);
static_assert(total<gfx942::ds_write<8>, plain_clear, 32, 2, 8> == clearing);
static_assert(total<gfx942::ds_read<8>, plain_sum, 32, 2, 8> == summing);
// A wave and 1024 items: clearing and adding up is most of it.
static_assert(clearing.rounds / 2 == 16384 && summing.rounds / 2 == 16384 && 1024 * (2 + 2) == 4096);
// clang 22 -O3 merges each 16 bytes into one access, which takes as many rounds.
constexpr auto wide_clear = [](unsigned lane, unsigned part, unsigned wave) { return clear(lane, 2 * part, wave, 0); };
constexpr auto wide_sum = [](unsigned lane, unsigned part, unsigned wave) { return sum(lane, 2 * part, wave, 0); };
constexpr auto merged = total<gfx942::ds_write<128>, wide_clear, 16, 2>;
static_assert(merged.phases == 32 * 8 && merged.rounds == 32 * 64 && merged.ways == 8);
static_assert(total<gfx942::ds_read<128>, wide_sum, 16, 2> == merged);
static_assert(total<gfx950::ds_read<8>, sum, 32, 2, 8>.rounds == 512 * 32);
static_assert(total<gfx950::ds_write<8>, clear, 32, 2, 8>.rounds == 512 * 64);

constexpr line text{"rocm-examples histogram",
                    "\"reduce bank conflicts\", a bank a thread",
                    "count #-way; clear #-way, sum #-way",
                    {counting.ways, clearing.ways, summing.ways},
                    verdict({counting.conflicts == 0, clearing.conflicts == 0, summing.conflicts == 0})};

}  // namespace histogram

// https://github.com/AMD-Ecosystem/flashinfer/blob/0b42866/include/flashinfer/rocm/attention/permuted_smem.cuh (and
// prefill.cuh, SWIZZLE_MODE_Q; pull request 207): rows of 32 units of 8 bytes, swizzled by the row modulo 8 or 16.
namespace flashinfer {

template <unsigned Period>
constexpr auto unit = [](unsigned row, unsigned column) { return 8 * (32 * row + (column ^ row % Period)); };
template <unsigned Period>
constexpr auto read =
    [](unsigned lane, unsigned q, unsigned d) { return unit<Period>(lane % 16 + 16 * q, lane / 16 + 4 * d); };
template <unsigned Period>
constexpr auto write =
    [](unsigned lane, unsigned a, unsigned c) { return unit<Period>(lane / 16 + 4 * a, lane % 16 + 16 * c); };
/// Of 4 tiles of 16 rows.
template <class Instruction, unsigned Period>
constexpr auto reads = total<Instruction, read<Period>, 4, 8>;
template <class Instruction, unsigned Period>
constexpr bool each_is(std::uint64_t rounds, std::uint64_t ways) {
  return reads<Instruction, Period>.rounds == 32 * rounds && reads<Instruction, Period>.ways == ways;
}
using old_read = gfx942::ds_read<64>;
using new_read = gfx950::ds_read<64>;
static_assert(each_is<old_read, 8>(8, 2) && each_is<old_read, 16>(4, 1) && each_is<old_read, 1>(64, 16));
static_assert(reads<old_read, 8>.conflicts == 32 * 4 && reads<old_read, 16>.conflicts == 0);
static_assert(each_is<new_read, 8>(8, 4) && each_is<new_read, 16>(4, 2));
static_assert(total<gfx942::ds_write<64>, write<1>, 16, 2>.rounds == 32 * 4);
static_assert(total<gfx942::ds_write<64>, write<8>, 16, 2>.rounds == 32 * 4);
static_assert(total<gfx942::ds_write<64>, write<16>, 16, 2>.rounds == 32 * 4);

constexpr line text{"FlashInfer for ROCm, PR 207",
                    "k128B \"8-way\", 16Row \"zero\"",
                    "k128B #-way, 16Row #-way, linear #-way",
                    {reads<old_read, 8>.ways, reads<old_read, 16>.ways, reads<old_read, 1>.ways},
                    verdict({reads<old_read, 8>.ways == 8, reads<old_read, 16>.conflicts == 0})};

}  // namespace flashinfer

// https://github.com/HazyResearch/HipKittens/tree/f09e968, include/types/shared/st_shape.cuh, lines 83 to 178, and
// include/ops/warp/memory/tile/shared_to_register.cuh, lines 28 to 193 (README.md, line 17): bf16 tiles whose rows are
// read for a matrix instruction, by 16 bytes a lane; each shape has its swizzle.
namespace hipkittens {

template <unsigned Rows, unsigned Columns>
constexpr auto plain =
    [](unsigned lane, unsigned k) { return 2 * (Columns * (lane % Rows) + 8 * (lane / Rows) + 16 * k); };
constexpr auto st_16x32 = co::swizzle{.bits = 1, .base = 5, .shift = 4}.over(plain<16, 32>);
constexpr auto st_32x32 = co::swizzle{.bits = 1, .base = 4, .shift = 6}.over(
    co::swizzle{.bits = 1, .base = 5, .shift = 4}.over(plain<32, 32>));
constexpr co::swizzle of_32x16{.bits = 1, .base = 4, .shift = 5};
constexpr auto st_32x16 = of_32x16.over(plain<32, 16>);
// Two reads of 8 bytes instead (rt_32x32_8), of two tiles that lie 1024 bytes apart.
constexpr auto halves = [](unsigned lane, unsigned k, unsigned half) {
  return 1024 * k + of_32x16(plain<32, 16>(lane, 0) + 8 * half);
};

template <class Instruction, auto Pattern, int Reads>
constexpr bool each_is(std::uint64_t rounds, std::uint64_t ways) {
  constexpr auto reads = co::total<Instruction>(Pattern, co::domain{Reads});
  return reads.rounds == Reads * rounds && reads.ways == ways;
}
using read = gfx950::ds_read<128>;
static_assert(each_is<read, st_16x32, 1>(4, 1) && each_is<read, plain<16, 32>, 1>(8, 2));
static_assert(each_is<read, st_32x32, 2>(4, 1) && each_is<read, plain<32, 32>, 2>(16, 4));
static_assert(each_is<read, st_32x16, 1>(4, 1) && each_is<read, plain<32, 16>, 1>(8, 2));
constexpr auto pairs = co::total<gfx950::ds_read<64>>(halves, co::domain{2, 2});
static_assert(pairs.phases == 4 * 2 && pairs.rounds == 4 * 4 && pairs.ways == 2);
// They are made for gfx950:
using old_read = gfx942::ds_read<128>;
static_assert(each_is<old_read, st_16x32, 1>(16, 2) && each_is<old_read, st_32x32, 2>(16, 2));
static_assert(each_is<old_read, st_32x16, 1>(8, 1));

constexpr line text{"HipKittens row loads",
                    "tile memory ops are \"bank conflict free\"",
                    "ds_read_b128: #-way; 32x16 as two b64: #-way",
                    {co::total<read>(st_32x16, co::domain{1}).ways, pairs.ways},
                    verdict({each_is<read, st_16x32, 1>(4, 1) && each_is<read, st_32x32, 2>(4, 1),
                             each_is<read, st_32x16, 1>(4, 1), pairs.conflicts == 0})};

}  // namespace hipkittens

// https://github.com/ROCm/composable_kernel/tree/8e22e1a,
// include/ck/tensor_operation/gpu/grid/gridwise_gemm_xdl_cshuffle_v3.hpp, lines 761 to 798: a tile of 128 rows of 64
// halves, in 16-byte columns. Which thread writes what is our assumption.
namespace composable_kernel {

template <bool Swizzle>
constexpr auto column = [](unsigned n, unsigned k) { return 2 * (64 * n + 8 * (Swizzle ? k ^ n % 8 : k)); };
template <bool Swizzle, unsigned Rows>
constexpr auto read = [](unsigned lane, unsigned m, unsigned s) {
  return column<Swizzle>(lane % Rows + Rows * m, lane / Rows + 64 / Rows * s);
};
constexpr auto write = [](unsigned lane, unsigned wave, unsigned r) {
  return column<true>((64 * wave + lane) / 8 + 32 * r, lane % 8);
};
template <class Instruction, bool Swizzle, unsigned Rows>
constexpr auto reads = co::total<Instruction>(read<Swizzle, Rows>, co::domain{128 / Rows, Rows / 8});
using old_read = gfx942::ds_read<128>;
using new_read = gfx950::ds_read<128>;
static_assert(reads<old_read, true, 32>.rounds == 16 * 8 && reads<old_read, true, 32>.conflicts == 0);
static_assert(reads<old_read, true, 16>.rounds == 16 * 8 && reads<old_read, true, 16>.conflicts == 0);
static_assert(reads<old_read, false, 32>.rounds == 16 * 64 && reads<old_read, false, 32>.ways == 8);
constexpr auto writes = co::total<gfx942::ds_write<128>>(write, co::domain{4, 4});
static_assert(writes.rounds == 16 * 8 && writes.conflicts == 0);
// Each 16 bytes are written once, and read once.
constexpr co::tile tile{.rows = 128, .columns = 64, .element_bytes = 2};
static_assert(co::covers<gfx942::ds_write<128>>(write, co::domain{4, 4}, tile).exactly_once);
static_assert(co::covers<old_read>(read<true, 32>, co::domain{4, 4}, tile).exactly_once);
static_assert(co::covers<old_read>(read<true, 16>, co::domain{8, 2}, tile).exactly_once);
static_assert(reads<new_read, true, 32>.phases == 16 * 4 && reads<new_read, true, 32>.rounds == 16 * 8);
static_assert(reads<new_read, true, 32>.ways == 2 && reads<new_read, true, 16>.rounds == 16 * 4);

constexpr line text{"Composable Kernel, XOR of B",
                    "\"NLdsLayer * K0 as logical Bank\", by xor",
                    "reads #-way, plain #-way; gfx950: 32 rows #-way",
                    {reads<old_read, true, 32>.ways, reads<old_read, false, 32>.ways, reads<new_read, true, 32>.ways},
                    verdict({reads<old_read, true, 32>.conflicts == 0, writes.conflicts == 0})};

}  // namespace composable_kernel

void amd() {
  print(histogram::text);
  print(flashinfer::text);
  print(hipkittens::text);
  print(composable_kernel::text);
}
