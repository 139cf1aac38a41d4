// SPDX-License-Identifier: BSL-1.0
//
// CUTLASS and CuTe, at https://github.com/NVIDIA/cutlass/tree/7107b05.

#include "line.hpp"

using co::cuda::cc80, co::cuda::cc90, co::cuda::cc100;

// examples/50_hopper_gemm_with_epilogue_swizzle/50_hopper_gemm_with_epilogue_swizzle.cu, lines 481 to 500, as
// include/cutlass/epilogue/collective/sm70_epilogue_vectorized.hpp, lines 322 to 420, uses it: 128 x 64 ints of four
// blocks of 32 rows each. Registers are stored as wgmma has them and loaded 16 to a thread, down the columns.
namespace example50 {

constexpr auto block = [](unsigned m, unsigned n) { return 4 * (m % 32 + 32 * n + 2048 * (m / 32)); };
constexpr auto swizzled = co::swizzle{.bits = 3, .base = 4, .shift = 3}.over(block);
template <auto Layout>
constexpr auto store = [](unsigned lane, unsigned b, unsigned warp, unsigned i, unsigned j) {
  return Layout(lane / 4 + 8 * (i % 2) + 16 * warp + 64 * (i / 2), 2 * (lane % 4) + j + 8 * b);
};
template <auto Layout, unsigned Ints>
constexpr auto load = [](unsigned lane, unsigned v, unsigned warp, unsigned rest) {
  unsigned const first = 16 * thread(lane, warp) + Ints * v;
  return Layout(first % 128, first / 128 + 16 * rest);
};
template <auto Layout>
constexpr auto stores = total<cc90::shared_store<32>, store<Layout>, 8, 4, 4, 2>;
template <auto Layout, unsigned Ints>
constexpr auto loads = total<cc90::shared_load<32 * Ints>, load<Layout, Ints>, 16 / Ints, 4, 4>;
static_assert(stores<swizzled>.rounds == 256 && stores<swizzled>.conflicts == 0);
static_assert(stores<block>.rounds == 256 * 4);
static_assert(loads<swizzled, 4>.rounds == 64 * 16 && loads<swizzled, 4>.conflicts == 768 &&
              loads<swizzled, 4>.ways == 4);
static_assert(loads<swizzled, 4> == loads<block, 4>);
// CuTe emits loads of 32 bits, which nvcc may merge. There the swizzle helps, and not enough.
static_assert(loads<swizzled, 1>.rounds == 256 * 4 && loads<swizzled, 1>.conflicts == 768 &&
              loads<swizzled, 1>.ways == 4);
static_assert(loads<block, 1>.rounds == 256 * 16);

constexpr line text{"CUTLASS example 50",
                    "\"bank-conflict free loads & stores\"",
                    "stores #-way; loads #-way, unswizzled #-way",
                    {stores<swizzled>.ways, loads<swizzled, 4>.ways, loads<block, 4>.ways},
                    verdict({stores<swizzled>.conflicts == 0, loads<swizzled, 4>.conflicts == 0})};

}  // namespace example50

// examples/cute/tutorial/sgemm_2.cu, lines 354 to 371 (and sgemm_sm80.cu, lines 538 to 553; the claim is in
// media/docs/cpp/cute/0x_gemm_tutorial.md, line 449): tiles of 8 columns of 128 floats and a pad, written by 8 threads
// a row.
namespace sgemm_2 {

template <unsigned Pad>
constexpr auto store = [](unsigned lane, unsigned warp, unsigned r) {
  unsigned const t = thread(lane, warp);
  return 4 * (t / 8 + 32 * r + (128 + Pad) * (t % 8));
};
template <unsigned Pad>
constexpr auto load_a =
    [](unsigned lane, unsigned, unsigned m, unsigned k) { return 4 * (lane % 16 + 16 * m + (128 + Pad) * k); };
template <unsigned Pad>
constexpr auto load_b = [](unsigned lane, unsigned warp, unsigned m, unsigned k) {
  return 4 * (thread(lane, warp) / 16 + 16 * m + (128 + Pad) * k);
};
template <unsigned Pad>
constexpr auto stores = co::total<cc80::shared_store<32>>(store<Pad>, co::domain{8, 4});
template <unsigned Pad>
constexpr bool free_reads = total<cc80::shared_load<32>, load_a<Pad>, 8, 8, 8>.rounds == 512 &&
                            total<cc80::shared_load<32>, load_b<Pad>, 8, 8, 8>.rounds == 512;
static_assert(free_reads<0> && free_reads<1> && free_reads<4>);
static_assert(stores<0>.rounds == 32 * 8);
static_assert(stores<1>.rounds == 32 * 4 && stores<1>.conflicts == 96 && stores<1>.ways == 4);
static_assert(stores<4>.rounds == 32);
template <unsigned Pad>
constexpr co::tile tile{.rows = 8, .columns = 128, .element_bytes = 4, .pitch = 4 * (128 + Pad)};
static_assert(co::covers<cc80::shared_store<32>>(store<1>, co::domain{8, 4}, tile<1>).exactly_once);
static_assert(co::covers<cc80::shared_store<32>>(store<4>, co::domain{8, 4}, tile<4>).exactly_once);
constexpr auto global = [](unsigned lane) { return 4 * (4096 * (lane / 8) + lane % 8); };
static_assert(co::cost<cc80::load<32>>(global).transactions == 4);

constexpr line text{"CuTe tutorial sgemm_2",
                    "\"padded to avoid ... bank conflicts\"",
                    "stores #-way, unpadded #, padded by 4: #",
                    {stores<1>.ways, stores<0>.ways, stores<4>.ways},
                    verdict({stores<1>.conflicts == 0})};

}  // namespace sgemm_2

// include/cutlass/epilogue: threadblock/default_epilogue_tensor_op.h, lines 190 to 374;
// warp/tile_iterator_tensor_op_mixed.h, lines 152 to 492; threadblock/shared_load_iterator_mixed.h, lines 160 to 172:
// accumulators on their way to narrower results, 8 halves or 16 chars a thread. Rows are padded by 8; the order of the
// pieces alternates.
namespace epilogue_mixed {

template <unsigned Pad>
constexpr auto store_half = [](unsigned lane, unsigned w, unsigned n) {
  return 8 * ((128 + Pad) / 2 * (lane / 4) + (lane % 4 ^ 2 * (n / 4)) + 32 * w + 4 * n);
};
constexpr auto load_half = [](unsigned lane, unsigned i) {
  return 544 * (lane / 16) + 16 * (2 * (lane % 16) + (lane % 16 / 4 + i) % 2);
};
constexpr auto plain_half = [](unsigned lane, unsigned i) { return 544 * (lane / 16) + 16 * (2 * (lane % 16) + i); };
template <unsigned N, unsigned Pad>
constexpr auto store_int8 = [](unsigned lane, unsigned w, unsigned n) {
  return 8 * ((N + Pad) / 2 * (lane / 4) + (lane % 4 ^ 2 * (n / 4)) + 32 * w + 16 * (n / 4)) + 32 * (n % 4 ^ w);
};
template <unsigned N>
constexpr auto load_int8 = [](unsigned lane, unsigned i) {
  unsigned const c = lane % (N / 16);
  return 4 * (N + 8) * (lane / (N / 16)) + 16 * (4 * c + (c / 2 + i) % 4);
};
template <unsigned N>
constexpr auto plain_int8 =
    [](unsigned lane, unsigned i) { return 4 * (N + 8) * (lane / (N / 16)) + 16 * (4 * (lane % (N / 16)) + i); };
constexpr auto plain_store = [](unsigned lane, unsigned n) { return 8 * (132 * (lane / 4) + lane % 4 + 4 * n); };

template <auto Pattern>
constexpr auto stores = co::total<cc80::shared_store<64>>(Pattern, co::domain{2, 8});
template <auto Pattern, int Loads>
constexpr auto loads = co::total<cc80::shared_load<128>>(Pattern, co::domain{Loads});
static_assert(stores<store_half<8>>.rounds == 16 * 2 && stores<store_half<8>>.conflicts == 0);
static_assert(stores<store_half<0>>.rounds == 16 * 8 && stores<store_half<0>>.ways == 4);
static_assert(stores<store_int8<64, 8>>.rounds == 16 * 2 && stores<store_int8<128, 8>>.rounds == 16 * 2);
static_assert(stores<store_int8<64, 0>>.rounds == 16 * 8 && stores<store_int8<128, 0>>.rounds == 16 * 8);
static_assert(loads<load_half, 2>.rounds == 2 * 4 && loads<load_half, 2>.conflicts == 0);
static_assert(loads<plain_half, 2>.rounds == 2 * 8 && loads<plain_half, 2>.ways == 2);
static_assert(loads<load_int8<64>, 4>.rounds == 4 * 4 && loads<load_int8<128>, 4>.rounds == 4 * 4);
static_assert(loads<plain_int8<128>, 4>.rounds == 4 * 16 && loads<plain_int8<128>, 4>.ways == 4);
constexpr auto wide = loads<plain_int8<256>, 4>;
static_assert(wide.rounds == 4 * 16 && wide.conflicts == 48 && wide.ways == 4);
static_assert(co::total<cc80::shared_store<64>>(plain_store, co::domain{8}).conflicts == 0);

constexpr line text{"CUTLASS epilogue, mixed",
                    "\"avoids\" conflicts; kN = 256 \"still has\" some",
                    "loads #-way, unmixed #; kN = 256 #-way",
                    {loads<load_int8<128>, 4>.ways, loads<plain_int8<128>, 4>.ways, wide.ways},
                    verdict({loads<load_int8<128>, 4>.conflicts == 0, wide.conflicts != 0})};

}  // namespace epilogue_mixed

// include/cutlass/gemm/threadblock/default_mma_core_simt.h, lines 72 to 78 and 370 to 403: 256 threads transpose a tile
// of K x M elements; the pad is worked out from the width and K.
namespace simt_padding {

template <unsigned Bits, unsigned K>
constexpr unsigned pad = Bits >= 32 ? 32 / K / (Bits / 32) : 32 / K*(32 / Bits);
template <unsigned Bits, unsigned M, unsigned K, unsigned Pad>
constexpr auto store = [](unsigned lane, unsigned warp, unsigned r) {
  unsigned const t = thread(lane, warp);
  return Bits / 8 * (t / K + r * 256 / K + t % K * (M + Pad));
};
template <unsigned Bits, unsigned M, unsigned K, unsigned Pad>
constexpr auto stores = total<cc80::shared_store<Bits>, store<Bits, M, K, Pad>, 8, M * K / 256>;
/// The padded stores are free; of the unpadded, the ways.
template <unsigned Bits, unsigned M, unsigned K>
constexpr bool is(unsigned padding, std::uint64_t unpadded_ways) {
  return pad<Bits, K> == padding && stores<Bits, M, K, pad<Bits, K>>.conflicts == 0 &&
         stores<Bits, M, K, pad<Bits, K>>.phases == M * K / 32 * (Bits == 64 ? 2 : 1) &&
         stores<Bits, M, K, 0>.ways == unpadded_ways;
}
static_assert(is<32, 128, 8>(4, 8) && is<32, 64, 8>(4, 8) && is<64, 64, 8>(2, 8) && is<64, 128, 8>(2, 8));
static_assert(is<16, 128, 8>(8, 8) && is<8, 128, 8>(16, 8) && is<8, 128, 32>(4, 32));
static_assert(is<32, 128, 16>(2, 16) && is<16, 128, 32>(2, 32));

constexpr line text{
    "CUTLASS SIMT padding",
    "\"transpose without bank conflicts\"",
    "floats #-way, chars #; unpadded #, #",
    {stores<32, 128, 8, 4>.ways, stores<8, 128, 32, 4>.ways, stores<32, 128, 8, 0>.ways, stores<8, 128, 32, 0>.ways},
    verdict({is<32, 128, 8>(4, 8), is<8, 128, 32>(4, 32)})};

}  // namespace simt_padding

// examples/93_blackwell_low_latency_gqa/tgv_gqa.cuh, lines 1965 to 1981, store at line 1399: bf16s in the 128-byte
// swizzle atom of 64 rows x 8 columns; a warp stores 32 rows of a column.
namespace low_latency_gqa {

constexpr auto column =
    co::swizzle{.bits = 3, .base = 4, .shift = 3}.over([](unsigned lane, unsigned warp, unsigned n) {
      unsigned const m = thread(lane, warp);
      return 2 * (m % 64 + 64 * (n % 8)) + 1024 * (m / 64) + 2048 * (n / 8);
    });
constexpr auto stores = total<cc100::shared_store<16>, column, 4, 16>;
static_assert(stores.rounds == 64 && stores.conflicts == 0);

constexpr line text{"CUTLASS example 93, GQA",
                    "\"none ... gives bank conflict free store\"",
                    "# stores: # rounds, #-way",
                    {64, stores.rounds, stores.ways},
                    verdict({stores.conflicts != 0})};

}  // namespace low_latency_gqa

void cutlass() {
  print(example50::text);
  print(sgemm_2::text);
  print(epilogue_mixed::text);
  print(simt_padding::text);
  print(low_latency_gqa::text);
}
