// SPDX-License-Identifier: BSL-1.0
//
// Simon Boehm's SGEMM in CUDA, at https://github.com/siboehm/SGEMM_CUDA/tree/60cba6f, src/kernels: matrices of 4096 x
// 4096 floats. Statements about compiled code are about nvcc of CUDA 13.0, -O3, for CC 8.6.

#include "line.hpp"

using co::cuda::cc86;

// 1_naive.cuh, lines 17 to 27: neighbouring threads take neighbouring rows. 2_kernel_global_mem_coalesce.cuh, lines 13
// to 22: columns. One of A and B is read at one address, the other by these lanes, and C is read and written by them.
// Step i of the loop shifts A by 4i bytes and B by i rows, so every base that can be is asked about.
namespace global {

constexpr co::every_base any_float{.alignment = 4}, any_row{.alignment = 4 * 4096};
constexpr co::linear down{.stride = 4 * 4096}, along{.stride = 4}, one{.stride = 0};
template <class Instruction>
constexpr bool always(co::linear lanes, co::every_base bases, std::uint64_t sectors) {
  return co::worst<Instruction>(lanes, bases).cost.transactions == sectors &&
         co::best<Instruction>(lanes, bases).cost.transactions == sectors;
}
static_assert(always<cc86::load<32>>(down, any_float, 32));
static_assert(always<cc86::store<32>>(down, any_float, 32));
static_assert(always<cc86::load<32>>(one, any_float, 1));
static_assert(always<cc86::load<32>>(along, any_row, 4));
static_assert(always<cc86::store<32>>(along, any_row, 4));

constexpr auto sectors1 = co::cost<cc86::load<32>>(down).transactions + co::cost<cc86::load<32>>(one).transactions;
constexpr auto sectors2 = co::cost<cc86::load<32>>(one).transactions + co::cost<cc86::load<32>>(along).transactions;
static_assert(sectors1 == 33 && sectors2 == 5);

constexpr line text{"SGEMM_CUDA 1 and 2",
                    "\"GMEM Coalescing\": 1986 GFLOPs, before 309",
                    "# sectors a step, before #",
                    {sectors2, sectors1},
                    verdict({sectors2 < sectors1})};

}  // namespace global

// 6_kernel_vectorize.cuh, lines 18 to 71: tiles of 128 x 8 and 8 x 128, 256 threads, each with 8 x 8 results. A is
// transposed on its way to shared memory; each thread then reads 8 floats of both tiles at each of 8 steps.
namespace vectorized {

// A thread's float4 of rows of 4096 floats, and where it goes.
constexpr auto global_a = [](unsigned lane, unsigned warp) {
  return 4 * (thread(lane, warp) / 2 * 4096 + 4 * (lane % 2));
};
constexpr auto global_b = [](unsigned lane, unsigned warp) { return 4 * (4096 * warp + 4 * lane); };
constexpr auto store_a = [](unsigned lane, unsigned warp, unsigned j) {
  return 4 * (128 * (4 * (lane % 2) + j) + thread(lane, warp) / 2);
};
constexpr auto store_b = [](unsigned lane, unsigned warp) { return 4 * (128 * warp + 4 * lane); };
// Floats 8x to 8x + 7 of a step's 128.
constexpr auto floats_a = [](unsigned lane, unsigned warp, unsigned step, unsigned i) {
  return 4 * (128 * step + 8 * (thread(lane, warp) / 16) + i);
};
constexpr auto floats_b = [](unsigned lane, unsigned, unsigned step, unsigned i) {
  return 4 * (128 * step + 8 * (lane % 16) + i);
};
constexpr auto quads_a = [](unsigned lane, unsigned warp, unsigned step, unsigned i) {
  return floats_a(lane, warp, step, 4 * i);
};
constexpr auto quads_b = [](unsigned lane, unsigned warp, unsigned step, unsigned i) {
  return floats_b(lane, warp, step, 4 * i);
};

static_assert(co::total<cc86::load<128>>(global_a, co::domain{8}).transactions == 8 * 16);
static_assert(co::total<cc86::load<128>>(global_b, co::domain{8}).transactions == 8 * 16);
constexpr auto stores_a = co::total<cc86::shared_store<32>>(store_a, co::domain{8, 4});
static_assert(stores_a.phases == 32 && stores_a.rounds == 32 * 2 && stores_a.ways == 2);
constexpr auto stores_b = co::total<cc86::shared_store<128>>(store_b, co::domain{8});
static_assert(stores_b.rounds == 8 * 4 && stores_b.conflicts == 0);
constexpr co::tile tile{.rows = 8, .columns = 128, .element_bytes = 4};
static_assert(co::covers<cc86::shared_store<32>>(store_a, co::domain{8, 4}, tile).exactly_once);
static_assert(co::covers<cc86::shared_store<128>>(store_b, co::domain{8}, tile).exactly_once);
static_assert(total<cc86::shared_load<32>, floats_a, 8, 8, 8>.rounds == 512);
static_assert(total<cc86::shared_load<128>, quads_a, 8, 8, 2>.rounds == 128 * 2);  // 16 lanes share a float4 of A
constexpr auto as_written = total<cc86::shared_load<32>, floats_b, 8, 8, 8>;
static_assert(as_written.phases == 512 && as_written.rounds == 512 * 4 && as_written.ways == 4);
// nvcc reads float4s, which are 2-way.
constexpr auto loads_b = total<cc86::shared_load<128>, quads_b, 8, 8, 2>;
static_assert(loads_b.rounds == 128 * 8 && loads_b.conflicts == 512 && loads_b.ways == 2);

constexpr line text{"SGEMM_CUDA 6, float4s",
                    "-",
                    "# reads of B #-way, # writes of A #-way",
                    {128, loads_b.ways, 32, stores_a.ways},
                    verdict({})};

}  // namespace vectorized

// 7_kernel_resolve_bank_conflicts.cuh, lines 55 to 75: the same, but B so that lanes read neighbouring floats.
namespace linearized {

constexpr auto store = [](unsigned lane, unsigned warp, unsigned k) {
  return 4 * (16 * (4 * (lane % 2) + 8 * warp + k) + lane / 2);
};
constexpr auto load = [](unsigned lane, unsigned, unsigned step, unsigned i) {
  return 4 * (16 * (8 * step + i) + lane % 16);
};
constexpr auto loads = total<cc86::shared_load<32>, load, 8, 8, 8>;
constexpr auto stores = co::total<cc86::shared_store<32>>(store, co::domain{8, 4});
static_assert(loads.rounds == 512 && loads.conflicts == 0);
static_assert(stores.rounds == 32 * 2 && stores.conflicts == 32 && stores.ways == 2);
constexpr co::tile tile{.rows = 8 * 8, .columns = 16, .element_bytes = 4};
static_assert(co::covers<cc86::shared_store<32>>(store, co::domain{8, 4}, tile).exactly_once);

constexpr line text{"SGEMM_CUDA 7, linearised",
                    "\"Avoid Bank Conflicts\"",
                    "# reads of B #-way, # writes #-way",
                    {512, loads.ways, 32, stores.ways},
                    verdict({loads.conflicts == 0, stores.conflicts == 0})};

}  // namespace linearized

// 8_kernel_bank_extra_col.cuh, lines 24 to 75: as kernel 6, but B's rows are 133 floats, and so written one by one.
// A row of the tile is what one warp writes, and what a step reads: the pitch is a constant for all lanes.
namespace extra_columns {

template <unsigned Pitch>
constexpr auto store = [](unsigned lane, unsigned warp, unsigned i) { return 4 * (Pitch * warp + 4 * lane + i); };
template <unsigned Pitch>
constexpr auto load =
    [](unsigned lane, unsigned, unsigned step, unsigned i) { return 4 * (Pitch * step + 8 * (lane % 16) + i); };
template <unsigned Pitch>
constexpr auto loads = total<cc86::shared_load<32>, load<Pitch>, 8, 8, 8>;
template <unsigned Pitch>
constexpr auto stores = co::total<cc86::shared_store<32>>(store<Pitch>, co::domain{8, 4});
static_assert(loads<133>.rounds == 512 * 4 && loads<133>.conflicts == 1536 && loads<133>.ways == 4);
static_assert(stores<133>.rounds == 32 * 4 && stores<133>.conflicts == 96 && stores<133>.ways == 4);
static_assert(loads<133> == loads<128> && stores<133> == stores<128>);
constexpr co::tile tile{.rows = 8, .columns = 128, .element_bytes = 4, .pitch = 4 * 133};
static_assert(co::covers<cc86::shared_store<32>>(store<133>, co::domain{8, 4}, tile).exactly_once);

// nvcc still merges reads where the row's alignment allows it: of a warp and tile into 14 of 128 bits, 4 of 64 and 4 of
// 32, against kernel 6's 16 of 128. (That is 68 floats for 64: four of the 14 seem to take one beside the row.)
constexpr auto floats8 = [](unsigned lane) { return 32 * (lane % 16); };
constexpr auto wide = co::cost<cc86::shared_load<128>>(floats8), pairs = co::cost<cc86::shared_load<64>>(floats8);
constexpr auto merged = 14 * wide + 4 * pairs + 4 * co::cost<cc86::shared_load<32>>(floats8);
static_assert(merged.rounds == 160 && 16 * wide.rounds == 128);
// The stores: one of 128 bits before, four of 32 now.
static_assert(co::cost<cc86::shared_store<128>>(co::linear{.stride = 16}).rounds == 4);
static_assert(4 * co::cost<cc86::shared_store<32>>(co::linear{.stride = 16}).rounds == 16);

constexpr line text{"SGEMM_CUDA 8, 5 columns more",
                    "\"Avoid Bank Conflicts\"",
                    "# reads of B: # rounds; without them #",
                    {512, loads<133>.rounds, loads<128>.rounds},
                    verdict({loads<133>.conflicts == 0, stores<133>.conflicts == 0})};

}  // namespace extra_columns

void sgemm() {
  print(global::text);
  print(vectorized::text);
  print(linearized::text);
  print(extra_columns::text);
}
