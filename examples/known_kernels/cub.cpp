// SPDX-License-Identifier: BSL-1.0
//
// CUB, at https://github.com/NVIDIA/cccl/tree/571f2fc, cub/cub/block.

#include "line.hpp"

using co::cuda::cc80;

// block_exchange.cuh, lines 90 to 205: 128 threads store `Items` items of `Bytes` each, neighbours of which are one
// thread's, and load them `striped`. One item is left out after every 32, if there are 8, 16, 32, .. a thread.
namespace exchange {

constexpr unsigned threads = 128;
template <unsigned Bytes, unsigned Items>
constexpr auto place =
    [](unsigned item) { return Bytes * (item + (Items > 4 && (Items & (Items - 1)) == 0 ? item / 32 : 0)); };
template <unsigned Bytes, unsigned Items>
constexpr auto store =
    [](unsigned lane, unsigned warp, unsigned i) { return place<Bytes, Items>(Items * thread(lane, warp) + i); };
template <unsigned Bytes, unsigned Items>
constexpr auto load =
    [](unsigned lane, unsigned warp, unsigned i) { return place<Bytes, Items>(threads * i + thread(lane, warp)); };
template <unsigned Bytes, unsigned Items>
constexpr auto stores = total<cc80::shared_store<8 * Bytes>, store<Bytes, Items>, 4, Items>;
/// The source stores one item at a time. Each store takes this many rounds, equally many in all parts of the warp. The
/// loads are free of conflicts.
template <unsigned Bytes, unsigned Items>
constexpr bool each_is(std::uint64_t rounds, std::uint64_t ways) {
  return stores<Bytes, Items>.rounds == 4 * Items * rounds && stores<Bytes, Items>.ways == ways &&
         total<cc80::shared_load<8 * Bytes>, load<Bytes, Items>, 4, Items>.conflicts == 0;
}
static_assert(each_is<4, 2>(2, 2) && each_is<4, 4>(4, 4) && each_is<4, 6>(2, 2) && each_is<4, 7>(1, 1));
static_assert(each_is<4, 8>(1, 1) && each_is<4, 16>(1, 1) && each_is<4, 32>(1, 1) && each_is<4, 10>(2, 2));
static_assert(each_is<4, 12>(4, 4) && each_is<4, 24>(8, 8));
static_assert(each_is<8, 4>(8, 4) && each_is<8, 7>(2, 1) && each_is<8, 8>(4, 2) && each_is<8, 16>(4, 2));
static_assert(each_is<8, 12>(8, 4) && each_is<16, 8>(16, 4));
/// The items of 8, 16 or 32 a thread, by rows of 32 and the one that is left out.
template <unsigned Bytes, unsigned Items>
constexpr co::tile tile{.rows = threads * Items / 32, .columns = 32, .element_bytes = Bytes, .pitch = 33 * Bytes};
static_assert(co::covers<cc80::shared_store<32>>(store<4, 8>, co::domain{4, 8}, tile<4, 8>).exactly_once);
static_assert(co::covers<cc80::shared_load<32>>(load<4, 8>, co::domain{4, 8}, tile<4, 8>).exactly_once);
static_assert(co::covers<cc80::shared_store<64>>(store<8, 8>, co::domain{4, 8}, tile<8, 8>).exactly_once);

/// Items narrower than a bank: some stores of a warp take one round, some two.
template <unsigned Bytes, unsigned Items>
constexpr bool one_or_two = [] {
  using instruction = cc80::shared_store<8 * Bytes>;
  auto const first_warp = [](unsigned lane, unsigned i) { return store<Bytes, Items>(lane, 0, i); };
  return co::best<instruction>(first_warp, co::domain{Items}).cost.rounds == 1 &&
         co::worst<instruction>(first_warp, co::domain{Items}).cost.rounds == 2 && stores<Bytes, Items>.ways == 2 &&
         total<cc80::shared_load<8 * Bytes>, load<Bytes, Items>, 4, Items>.conflicts == 0;
}();
static_assert(one_or_two<2, 8> && one_or_two<2, 16> && one_or_two<1, 8> && one_or_two<1, 16>);

// nvcc 13.0 (sm_80, sm_90) merges what is not padded: int 2, 6, 10 and 4, 12, 20, 24, double 4 and 12.
template <unsigned Bytes, unsigned Items, unsigned Width>
constexpr auto merged =
    [](unsigned lane, unsigned warp, unsigned i) { return Bytes * Items * thread(lane, warp) + Width / 8 * i; };
template <unsigned Bytes, unsigned Items, unsigned Width>
constexpr auto compiled = total<cc80::shared_store<Width>, merged<Bytes, Items, Width>, 4, 8 * Bytes * Items / Width>;
static_assert(compiled<4, 2, 64>.conflicts + compiled<4, 6, 64>.conflicts + compiled<4, 10, 64>.conflicts == 0);
static_assert(compiled<4, 4, 128>.conflicts + compiled<4, 12, 128>.conflicts + compiled<4, 20, 128>.conflicts == 0);
static_assert(compiled<8, 4, 128>.rounds == 4 * 2 * 8 && compiled<8, 4, 128>.ways == 2);
static_assert(compiled<8, 12, 128>.rounds == 4 * 6 * 8 && compiled<8, 12, 128>.ways == 2);
static_assert(compiled<4, 24, 128>.rounds == 4 * 6 * 8 && compiled<4, 24, 128>.ways == 2);

constexpr line text{"CUB exchange",
                    "\"zero bank conflicts for most types\"",
                    "8 items of 4 bytes: #-way, of 8: #, 16: #, 2: #",
                    {stores<4, 8>.ways, stores<8, 8>.ways, stores<16, 8>.ways, stores<2, 8>.ways},
                    verdict({stores<4, 8>.conflicts == 0, stores<8, 8>.conflicts == 0, stores<16, 8>.conflicts == 0,
                             stores<2, 8>.conflicts == 0})};

}  // namespace exchange

// block_raking_layout.cuh, lines 36 to 121, and specializations/block_reduce_raking.cuh, lines 123 to 192: B threads
// place an item each, and the 32 of a warp rake B / 32 each. One is left out after these if they are 4, 6, 8, ...
namespace raking {

template <unsigned Bytes, unsigned Threads, bool Padded = true>
struct rake {
  static constexpr unsigned segment = Threads / 32, pad = Padded && segment % 2 == 0 && segment > 2 ? 1 : 0;
  static constexpr auto place = [](unsigned lane, unsigned warp) {
    return Bytes * (thread(lane, warp) + pad * (thread(lane, warp) / segment));
  };
  static constexpr auto read = [](unsigned lane, unsigned k) { return Bytes * ((segment + pad) * lane + k); };
  static constexpr auto places = co::total<cc80::shared_store<8 * Bytes>>(place, co::domain{segment});
  static constexpr auto reads = co::total<cc80::shared_load<8 * Bytes>>(read, co::domain{segment});
};
template <unsigned Bytes, unsigned Threads>
constexpr auto& reads = rake<Bytes, Threads>::reads;
template <unsigned Bytes, unsigned Threads>
constexpr auto& places = rake<Bytes, Threads>::places;

/// For blocks of First, First + 32, .. Last threads.
template <unsigned First, unsigned Last>
constexpr bool for_blocks(auto&& holds) {
  return [&]<unsigned... K>(std::integer_sequence<unsigned, K...>) {
    return (holds.template operator()<First + 32 * K>() && ...);
  }
  (std::make_integer_sequence<unsigned, (Last - First) / 32 + 1>{});
}
static_assert(for_blocks<96, 1024>([]<unsigned Threads>() {
  return reads<4, Threads>.conflicts == 0 && reads<8, Threads>.conflicts == 0 && reads<16, Threads>.conflicts == 0;
}));

// Each read of a segment's items, and the worst where some are better.
template <unsigned Bytes, unsigned Threads>
constexpr bool each_is(std::uint64_t ways) {
  return reads<Bytes, Threads>.rounds == Threads / 32 * ways && reads<Bytes, Threads>.ways == ways;
}
template <unsigned Bytes, unsigned Threads>
constexpr bool one_or_two =
    reads<Bytes, Threads>.ways == 2 &&
    co::best<cc80::shared_load<8 * Bytes>>(rake<Bytes, Threads>::read, co::domain{Threads / 32}).cost.rounds == 1;
static_assert(for_blocks<96, 512>([]<unsigned Threads>() { return each_is<2, Threads>(2); }) && one_or_two<2, 1024>);
static_assert(for_blocks<128, 384>([]<unsigned Threads>() { return each_is<1, Threads>(2); }) && one_or_two<1, 1024>);
static_assert(reads<1, 512>.ways == 3);

// Placing pays for the pad.
template <unsigned Bytes, unsigned Threads>
constexpr bool each_place_is(std::uint64_t rounds, std::uint64_t ways) {
  return places<Bytes, Threads>.rounds == Threads / 32 * rounds && places<Bytes, Threads>.ways == ways;
}
static_assert(each_place_is<4, 128>(2, 2) && each_place_is<4, 192>(2, 2) && each_place_is<4, 256>(2, 2));
static_assert(each_place_is<4, 384>(2, 2) && each_place_is<4, 512>(2, 2) && each_place_is<4, 1024>(1, 1));
static_assert(each_place_is<8, 128>(4, 2) && each_place_is<8, 192>(4, 2) && each_place_is<8, 256>(4, 2));
static_assert(each_place_is<8, 384>(4, 2) && each_place_is<8, 1024>(2, 1));
static_assert(each_place_is<16, 128>(8, 2) && each_place_is<16, 192>(8, 2) && each_place_is<16, 1024>(4, 1));
static_assert(places<4, 256>.rounds == 16 && reads<4, 256>.rounds == 8);
static_assert(rake<4, 256, false>::places.rounds == 8 && rake<4, 256, false>::reads.rounds == 64);

constexpr line text{"CUB raking",
                    "\"eliminate bank conflicts (for most data types)\"",
                    "256 ints: read #-way, placed #; short #, char #",
                    {reads<4, 256>.ways, places<4, 256>.ways, reads<2, 256>.ways, reads<1, 256>.ways},
                    verdict({reads<4, 256>.conflicts == 0, places<4, 256>.conflicts == 0, reads<2, 256>.conflicts == 0,
                             reads<1, 256>.conflicts == 0})};

}  // namespace raking

void cub() {
  print(exchange::text);
  print(raking::text);
}
