// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cuda.hpp>

#include "cuda/global.hpp"
#include "machinery/check.hpp"

namespace co = coalescing;
using namespace coalescing_tests;

#ifdef __cpp_exceptions
TEST_CASE("words that are not naturally aligned are refused on every machine; bytes always are") {
  auto const check = []<class Device>() {
    CHECK_THROWS_AS(static_cast<void>(co::cost<typename Device::template load<16>>(co::linear{.base = 1, .stride = 2})),
                    co::misuse);
    CHECK_THROWS_AS(static_cast<void>(co::cost<typename Device::template load<32>>(co::linear{.base = 2, .stride = 4})),
                    co::misuse);
    CHECK_THROWS_AS(static_cast<void>(co::cost<typename Device::template load<64>>(co::linear{.base = 4, .stride = 8})),
                    co::misuse);
    CHECK_THROWS_AS(
        static_cast<void>(co::cost<typename Device::template store<128>>(co::linear{.base = 8, .stride = 16})),
        co::misuse);
    CHECK_NOTHROW(static_cast<void>(co::cost<typename Device::template load<8>>(co::linear{.base = 1, .stride = 1})));
  };
  tesla::each(check), fermi_and_kepler::each(check), maxwell_and_pascal::each(check), volta_on::each(check);
  CHECK_THROWS_AS(static_cast<void>(co::cost<cuda::cc100::load<256>>(co::linear{.base = 16, .stride = 32})),
                  co::misuse);
}
TEST_CASE("a warp has 32 lanes: a mask with others is refused, all_lanes and -1 are not") {
  CHECK_THROWS_AS(static_cast<void>(co::cost<cuda::cc90::load<32>>(co::linear{}, 0x1'0000'0000)), co::misuse);
  CHECK(co::cost<cuda::cc90::load<32>>(co::linear{.base = 0, .stride = 4}, -1).bytes_used == 128);
  CHECK(co::cost<cuda::cc90::load<32>>(co::linear{.base = 0, .stride = 4}, 0xffff'ffff).bytes_used == 128);
}
#endif

TEST_CASE("levels: CC 1.x counts at DRAM, CC 6.x loads at L1 and its stores at L2") {
  COALESCE_CHECK(cuda::cc13::load<32>::level == co::level::dram);
  COALESCE_CHECK(cuda::cc52::load<32>::level == co::level::l2);
  COALESCE_CHECK(cuda::cc60::load<32>::level == co::level::l1);
  COALESCE_CHECK(cuda::cc60::store<32>::level == co::level::l2);
  COALESCE_CHECK(cuda::cc70::store<32>::level == co::level::l1);
  COALESCE_CHECK(cuda::cc90::atomic<32>::level == co::level::l2);
}

TEST_CASE("control: the accesses tell each rule from its neighbours and from other readings") {
  CHECK(disagreements<load_10<32>>(2'000, segment_protocol) > 10);
  CHECK(disagreements<load_12<32>>(2'000, in_order_words) > 10);
  CHECK(disagreements<load_10<128>>(2'000, [](random_access const& made, unsigned bytes) {  // PG2.0's alignment
          return answer{{in_order_half(made, 0, bytes, 256), in_order_half(made, 16, bytes, 256)},
                        parts_with_a_lane(made, 16)};
        }) > 10);
  CHECK(disagreements<load_10<32>>(2'000, [](random_access const& made, unsigned bytes) {  // order does not matter
          return answer{{in_order_half(made, 0, bytes, 128, true), in_order_half(made, 16, bytes, 128, true)},
                        parts_with_a_lane(made, 16)};
        }) > 10);
  CHECK(disagreements<load_12<32>>(2'000, [](random_access const& made, unsigned bytes) {  // no reduction to 32 bytes
          return answer{{protocol_half(made, 0, bytes, false), protocol_half(made, 16, bytes, false)},
                        parts_with_a_lane(made, 16)};
        }) > 10);
  CHECK(disagreements<load_20<64>>(2'000, [](random_access const& made, unsigned bytes) {  // merged across requests
          return answer{pieces_of_parts(made, bytes, 32, 128), parts_with_a_lane(made, 16)};
        }) > 10);
  CHECK(disagreements<load_20<32>>(2'000, requests_of<32>) > 10);
  CHECK(
      disagreements<load_52<32>>(2'000, [](random_access const& made, unsigned bytes) {  // sectors summed over requests
        return answer{pieces_of_parts(made, bytes, 8, 32), parts_with_a_lane(made, 8)};
      }) > 10);
  CHECK(disagreements<load_52<32>>(2'000, whole_sectors) > 10);
  CHECK(disagreements<load_90<32>>(2'000, requests_of<128>) > 10);
}

// ---- Properties ----

TEST_CASE("fewer lanes never cost more transactions, on machines with segments and lines too") {
  std::mt19937_64 engine(5);
  auto const check = [&]<class Load>() {
    warp_accesses accesses(Load::bytes, 8);
    for (unsigned n = 0; n != 2'000; ++n) {
      auto const made = accesses.next();
      CHECK(co::cost<Load>(made.address, made.active & engine()).transactions <=
            co::cost<Load>(made.address, made.active).transactions);
    }
  };
  devices<load_12<8>, load_12<32>, load_12<128>, load_20<32>, load_20<128>, load_20_l2<64>, load_35<32>>::each(check);
}
TEST_CASE(
    "shifting every address by 128 bytes changes nothing, on any machine, across the top of the address space too") {
  auto const check = []<class Load>() {
    static_assert(Load::period == 128);
    warp_accesses accesses(Load::bytes, 9);
    for (unsigned n = 0; n != 1'000; ++n) {
      auto const made = accesses.next();
      auto shifted = made.address;
      for (auto& address : shifted) address += 128;
      CHECK(co::cost<Load>(made.address, made.active) == co::cost<Load>(shifted, made.active));
    }
  };
  devices<load_10<32>, load_10<64>, load_10<128>, load_12<8>, load_12<32>, load_20<64>, load_35<128>, load_52<32>,
          load_90<16>, load_90<128>, store_90<32>, cuda::cc90::atomic<64>, cuda::cc100::load<256>>::each(check);
}
