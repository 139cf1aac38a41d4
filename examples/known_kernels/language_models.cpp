// SPDX-License-Identifier: BSL-1.0
//
// DeepGEMM, ThunderKittens, FlashAttention, llama.cpp.

#include "line.hpp"

using co::cuda::cc75, co::cuda::cc80, co::cuda::cc90, co::cuda::cc100;

// https://github.com/deepseek-ai/DeepGEMM/tree/54e2261, csrc/jit_kernels/heuristics/sm90.hpp, lines 40 to 57, and
// deep_gemm/include/deep_gemm/impls/sm90_fp8_gemm_1d1d.cuh, lines 244 to 327: float2s of a warpgroup's accumulators, a
// row of the tile for each 4 lanes. Candidates for its width are 16, and 24 to 152 in steps of 16.
namespace deepgemm_1d1d {

template <unsigned Width>
constexpr auto store = [](unsigned lane, unsigned warp, unsigned half, unsigned i) {
  return 4 * (Width * (16 * warp + lane / 4 + 8 * half) + 2 * (lane % 4) + 8 * i);
};
template <unsigned Width>
constexpr auto stores = total<cc90::shared_store<64>, store<Width>, 4, 2, Width / 8>;
/// Each store of that many rounds, of which both halves of the warp take as many.
template <unsigned Width>
constexpr bool each_is(std::uint64_t rounds, std::uint64_t ways) {
  return stores<Width>.rounds == Width * rounds && stores<Width>.ways == ways;  // 4 warps * 2 * Width / 8
}
static_assert(each_is<24>(2, 1) && each_is<40>(2, 1) && each_is<56>(2, 1) && each_is<72>(2, 1) && each_is<88>(2, 1));
static_assert(each_is<104>(2, 1) && each_is<120>(2, 1) && each_is<136>(2, 1) && each_is<152>(2, 1));
static_assert(each_is<16>(4, 2));
// Those that it avoids.
static_assert(each_is<32>(8, 4) && each_is<64>(8, 4) && each_is<96>(8, 4) && each_is<128>(8, 4) && each_is<160>(8, 4));
static_assert(each_is<48>(4, 2));

constexpr line text{"DeepGEMM 1d1d, FP32 output",
                    "widths that \"avoid bank conflicts\"",
                    "24, 40, .. 152: #-way; 16: #-way; 128: #",
                    {stores<152>.ways, stores<16>.ways, stores<128>.ways},
                    verdict({each_is<24>(2, 1), each_is<16>(2, 1)})};

}  // namespace deepgemm_1d1d

// The same, deep_gemm/include/deep_gemm/epilogue/sm100_store_cd.cuh, lines 63 to 92: 32 rows of 128, 64, 32 or 16 bytes
// for each warp, swizzled as TMA wants it, in 16-byte pieces.
namespace deepgemm_store_cd {

/// Of (lane, warp, piece), for rows of 16 << Bits bytes.
template <unsigned Bits>
constexpr co::layout<3> rows{.shape = {32, 4, 1 << Bits}, .stride = {16 << Bits, 512 << Bits, 16}};
template <unsigned Bits>
constexpr auto swizzled = co::swizzle{.bits = Bits, .base = 4, .shift = 3}.over(rows<Bits>);
template <unsigned Bits>
constexpr auto stores = co::total<cc100::shared_store<128>>(swizzled<Bits>, co::domain{4, 1 << Bits});
template <unsigned Bits>
constexpr auto plain = co::total<cc100::shared_store<128>>(rows<Bits>, co::domain{4, 1 << Bits});
static_assert(stores<3>.rounds == 4 * 8 * 4 && plain<3>.rounds == 4 * 8 * 32);
static_assert(stores<2>.rounds == 4 * 4 * 4 && plain<2>.rounds == 4 * 4 * 16);
static_assert(stores<1>.rounds == 4 * 2 * 4 && plain<1>.rounds == 4 * 2 * 8);
static_assert(stores<0>.rounds == 4 * 1 * 4 && plain<0>.rounds == 4 * 1 * 4);
constexpr auto all = stores<3> + stores<2> + stores<1> + stores<0>;
static_assert(all.conflicts == 0);

constexpr line text{"DeepGEMM store_cd",
                    "\"8 is the number of bank groups\", a swizzle",
                    "# conflicts; 128-byte rows unswizzled: #-way",
                    {all.conflicts, plain<3>.ways},
                    verdict({all.conflicts == 0})};

}  // namespace deepgemm_store_cd

// https://github.com/HazyResearch/ThunderKittens/tree/0b55588, kernels/gemm/nvfp4_b200/nvfp4_b200_gemm.cu, lines 462 to
// 536: a thread a row of 128 bf16s, quantized in blocks of 16, both rotated by the thread.
namespace nvfp4 {

constexpr auto block_of = [](unsigned lane, unsigned i) { return (i + lane / 8) % 4; };
constexpr auto load = [](unsigned lane, unsigned j, unsigned warp, unsigned half, unsigned i) {
  return 2 * (128 * thread(lane, warp) + 16 * (block_of(lane, i) + 4 * half) + 2 * (lane + j) % 16);
};
constexpr auto unrotated = [](unsigned lane, unsigned j, unsigned warp, unsigned half, unsigned i) {
  return 2 * (128 * thread(lane, warp) + 16 * (i + 4 * half) + 2 * j);
};
constexpr auto store = [](unsigned lane, unsigned j, unsigned warp, unsigned half, unsigned i) {
  return 64 * thread(lane, warp) + 8 * (block_of(lane, i) + 4 * half) + (lane + j) % 8;
};
constexpr auto scale = [](unsigned lane, unsigned warp, unsigned) { return 16 * lane + 4 * warp; };

constexpr auto loads = total<cc100::shared_load<32>, load, 8, 4, 2, 4>;
static_assert(loads.rounds == 256 && loads.conflicts == 0);
static_assert(total<cc100::shared_load<32>, unrotated, 8, 4, 2, 4>.rounds == 256 * 32);
// The source makes no claim about these. The scales lie as the tensor core wants them.
constexpr auto stores = total<cc100::shared_store<8>, store, 8, 4, 2, 4>;
static_assert(stores.rounds == 256 * 2 && stores.ways == 2);
constexpr auto scales = co::total<cc100::shared_store<32>>(scale, co::domain{4, 2});
static_assert(scales.rounds == 8 * 4 && scales.ways == 4);

constexpr line text{"ThunderKittens nvfp4",
                    "loads \"avoid bank conflicts\"",
                    "# loads #-way; stores #-way, scales #-way",
                    {256, loads.ways, stores.ways, scales.ways},
                    verdict({loads.conflicts == 0})};

}  // namespace nvfp4

// https://github.com/Dao-AILab/flash-attention/tree/0251105, csrc/flash_attn/src/kernel_traits.h, lines 79 to 133: a
// tile of 128 x 128 halves in two swizzled pages of 64 columns, filled in pieces of 16 bytes by 8 or 16 threads a row.
namespace fa2_traits {

constexpr auto page = co::swizzle{.bits = 3, .base = 4, .shift = 3}.over(
    [](unsigned row, unsigned column) { return 2 * (64 * row + column % 64 + 8192 * (column / 64)); });
template <unsigned Threads>
constexpr auto fill = [](unsigned lane, unsigned warp, unsigned m, unsigned n) {
  unsigned const t = thread(lane, warp);
  return page(t / Threads + 128 / Threads * m, 8 * (t % Threads) + 8 * Threads * n);
};
template <unsigned Threads>
constexpr auto fills = total<cc80::shared_store<128>, fill<Threads>, 4, Threads, 16 / Threads>;
static_assert(fills<8>.rounds == 64 * 4 && fills<8>.conflicts == 0);
static_assert(fills<16>.rounds == 64 * 4 && fills<16>.conflicts == 0);

// ldmatrix.x4 of Q.
constexpr auto q = [](unsigned lane, unsigned warp, unsigned m, unsigned k) {
  return page(16 * warp + 64 * m + lane % 16, 16 * k + 8 * (lane / 16));
};
constexpr auto reads = total<cc80::ldmatrix<4>, q, 4, 2, 8>;
static_assert(reads.rounds == 64 * 4 && reads.conflicts == 0);

// Global memory, of 32 heads.
template <unsigned Threads>
constexpr auto row = [](unsigned lane) { return 2 * (32 * 128 * (lane / Threads) + 8 * (lane % Threads)); };
static_assert(co::cost<cc80::load<128>>(row<8>).transactions == 16 && co::cost<cc80::load<128>>(row<8>).lines == 4);
static_assert(co::cost<cc80::load<128>>(row<16>).transactions == 16 && co::cost<cc80::load<128>>(row<16>).lines == 4);

constexpr line text{"FlashAttention 2, traits",
                    "16 threads a row: slower by \"bank conflicts\"",
                    "8 threads: # rounds; 16: #, # conflicts",
                    {fills<8>.rounds, fills<16>.rounds, fills<16>.conflicts},
                    verdict({fills<16>.conflicts > fills<8>.conflicts})};

}  // namespace fa2_traits

// The same, flash_fwd_kernel.h, lines 1130 to 1222: the log-sum-exps of S splits of M rows, written by splits, read
// across them by 128 threads, in rows of M + 1 floats.
namespace fa2_lse {

template <unsigned M, unsigned S>
struct combine {
  static constexpr unsigned rows = 128 / M, readers = rows < S ? rows : S, steps = S > rows ? S / rows : 1;
  static constexpr unsigned split(unsigned lane, unsigned warp, unsigned k) {
    return rows * k + thread(lane, warp) / M;
  }
  template <unsigned Pad>
  static constexpr auto store =
      [](unsigned lane, unsigned warp, unsigned k) { return 4 * (split(lane, warp, k) * (M + Pad) + lane % M); };
  template <unsigned Pad>
  static constexpr auto load = [](unsigned lane, unsigned warp, unsigned k) {
    unsigned const t = thread(lane, warp);
    return 4 * ((readers * k + t % readers) * (M + Pad) + t / readers);
  };
  static constexpr auto stored = [](unsigned lane, unsigned warp, unsigned k) { return split(lane, warp, k) < S; };
  static constexpr auto loaded = [](unsigned lane, unsigned warp, unsigned) {
    return thread(lane, warp) / readers < M;
  };
  template <unsigned Pad>
  static constexpr auto stores = total_where<cc80::shared_store<32>, store<Pad>, stored, 4, steps>;
  template <unsigned Pad>
  static constexpr auto loads = total_where<cc80::shared_load<32>, load<Pad>, loaded, 4, steps>;
};
/// The ways of stores and loads without the pad, and with it.
template <unsigned M, unsigned S>
constexpr bool is(std::uint64_t stores, std::uint64_t loads, std::uint64_t padded_stores, std::uint64_t padded_loads) {
  using all = combine<M, S>;
  return all::template stores<0>.ways == stores && all::template loads<0>.ways == loads &&
         all::template stores<1>.ways == padded_stores && all::template loads<1>.ways == padded_loads;
}
static_assert(is<4, 128>(1, 4, 2, 1) && is<4, 64>(1, 4, 2, 1) && is<4, 32>(1, 4, 2, 1));
static_assert(is<4, 16>(1, 2, 2, 2) && is<4, 8>(1, 1, 2, 2));
static_assert(is<8, 128>(1, 4, 2, 2) && is<8, 64>(1, 4, 2, 2) && is<8, 32>(1, 4, 2, 2) && is<8, 16>(1, 4, 2, 2));
static_assert(is<8, 8>(1, 2, 2, 2) && is<8, 4>(1, 1, 2, 2));
static_assert(is<16, 128>(1, 4, 2, 2) && is<16, 64>(1, 4, 2, 2) && is<16, 32>(1, 4, 2, 2) && is<16, 16>(1, 4, 2, 2));
static_assert(is<16, 8>(1, 4, 2, 2) && is<16, 4>(1, 2, 2, 2) && is<16, 2>(1, 1, 2, 2));
// Allowed, never used.
static_assert(is<32, 128>(1, 4, 1, 4) && is<32, 64>(1, 4, 1, 4) && is<32, 32>(1, 4, 1, 4) && is<32, 16>(1, 4, 1, 4));
static_assert(is<32, 8>(1, 4, 1, 4) && is<32, 4>(1, 4, 1, 4) && is<32, 2>(1, 2, 1, 2));
using many = combine<4, 128>;
using few = combine<4, 8>;
static_assert(many::stores<0>.rounds == 16 && many::loads<0>.rounds == 64);
static_assert(many::stores<1>.rounds == 32 && many::loads<1>.rounds == 16);

template <class Splits, unsigned Pad>
constexpr auto rounds = Splits::template stores<Pad>.rounds + Splits::template loads<Pad>.rounds;
static_assert(rounds<combine<4, 16>, 1> > rounds<combine<4, 16>, 0> && rounds<many, 1> < rounds<many, 0>);
static_assert(rounds<combine<8, 8>, 1> > rounds<combine<8, 8>, 0> &&
              rounds<combine<8, 16>, 1> < rounds<combine<8, 16>, 0>);
static_assert(rounds<combine<16, 4>, 1> > rounds<combine<16, 4>, 0> &&
              rounds<combine<16, 8>, 1> < rounds<combine<16, 8>, 0>);
constexpr line text{"FlashAttention 2, LSE",
                    "M + 1 columns \"reduce bank conflicts\"",
                    "128 splits: # rounds to #; 8 splits: # to #",
                    {rounds<many, 0>, rounds<many, 1>, rounds<few, 0>, rounds<few, 1>},
                    verdict({rounds<many, 1> < rounds<many, 0>, rounds<few, 1> < rounds<few, 0>})};

}  // namespace fa2_lse

// https://github.com/ggml-org/llama.cpp/blob/2a57183/ggml/src/ggml-cuda/fattn-swizzle.cuh, lines 42 to 73: rows of 32
// to 256 half2s. https://github.com/ggml-org/llama.cpp/blob/00cd208/ggml/src/ggml-cuda/mmq.cuh, at MMQ_TILE_NE_K: rows
// of K ints, K % 8 == 4 for ldmatrix.
namespace llama {

template <unsigned Pitch, bool Swizzle>
constexpr auto address =
    [](unsigned row, unsigned column) { return 4 * (Pitch * row + column) ^ (Swizzle ? 16 * (row % 8) : 0); };
template <unsigned Columns, unsigned Pitch, bool Swizzle>
constexpr auto ldmatrix = [](unsigned lane, unsigned base, unsigned step) {
  return address<Pitch, Swizzle>(16 * base + lane % 16, 8 * step + 4 * (lane / 16));
};
template <unsigned Columns, unsigned Pitch, bool Swizzle>
constexpr auto reads = total<cc75::ldmatrix<4>, ldmatrix<Columns, Pitch, Swizzle>, 2, Columns / 8>;
template <unsigned Columns>
constexpr auto fill =
    [](unsigned lane) { return address<Columns, true>(lane / (Columns / 4), 4 * (lane % (Columns / 4))); };
template <unsigned Columns>
constexpr bool holds = reads<Columns, Columns, true>.conflicts == 0 &&
                       reads<Columns, Columns + 4, false>.conflicts == 0 &&
                       reads<Columns, Columns, false>.rounds == Columns / 4 * 32 &&
                       reads<Columns, Columns, false>.ways == 8 &&
                       co::cost<cc75::shared_store<128>>(fill<Columns>).conflicts == 0;
static_assert(holds<32> && holds<64> && holds<96> && holds<128> && holds<160> && holds<192> && holds<224> &&
              holds<256>);
static_assert(reads<32, 32, true>.rounds == 8 * 4);

template <unsigned K>
constexpr auto mmq = [](unsigned lane, unsigned k) { return 4 * (K * (lane % 16) + 4 * k + 4 * (lane / 16)); };
template <unsigned K>
constexpr auto mma = co::total<cc75::ldmatrix<4>>(mmq<K>, co::domain{8});
static_assert(mma<76>.rounds == 8 * 4 && mma<84>.rounds == 8 * 4 && mma<100>.rounds == 8 * 4 &&
              mma<68>.rounds == 8 * 4);
static_assert(mma<72>.rounds == 8 * 8 && mma<64>.rounds == 8 * 32);
constexpr auto dp4a = co::cost<cc75::shared_load<32>>(co::linear{.stride = 4 * 33});
static_assert(dp4a.rounds == 1);

constexpr line text{"llama.cpp fattn and mmq",
                    "swizzle and pad \"avoid bank conflicts\"",
                    "# conflicts, plain #-way; K = 76: #, K = 33: #",
                    {reads<64, 64, true>.conflicts, reads<64, 64, false>.ways, mma<76>.conflicts, dp4a.conflicts},
                    verdict({reads<64, 64, true>.conflicts == 0, mma<76>.conflicts == 0, dp4a.conflicts == 0})};

}  // namespace llama

void language_models() {
  print(deepgemm_1d1d::text);
  print(deepgemm_store_cd::text);
  print(nvfp4::text);
  print(fa2_traits::text);
  print(fa2_lse::text);
  print(llama::text);
}
