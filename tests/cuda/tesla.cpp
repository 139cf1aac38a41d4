// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cuda.hpp>

#include "cuda/global.hpp"
#include "machinery/check.hpp"

#include <algorithm>

namespace co = coalescing;
using namespace coalescing_tests;

// ---- CC 1.0 and 1.1 ----

TEST_CASE("PG5.5 figure 16, CC 1.0: in order from byte 128, two 64-byte transactions") {
  COALESCE_CHECK(makes<cuda::cc10::load<32>>(at_128, warp, {{128, 64}, {192, 64}}));
  COALESCE_CHECK(makes<cuda::cc11::store<32>>(at_128, warp, {{128, 64}, {192, 64}}));
}
TEST_CASE("PG5.5 figure 16, CC 1.0: two pairs of lanes swapped, 32 transactions, 8 at each of 128, 160, 192, 224") {
  COALESCE_CHECK(count<cuda::cc10::load<32>>(swapped) == 32);
  constexpr auto list = co::transactions<cuda::cc10::load<32>>(swapped);
  for (std::uint64_t const address : {128u, 160u, 192u, 224u})
    CHECK(std::count_if(list.begin(), list.end(),
                        [&](auto const& t) { return t.address == address && t.bytes == 32; }) == 8);
}
TEST_CASE("PG5.5 figure 16, CC 1.0: misaligned by a word, 32 transactions: 7, 8, 8, 8 and 1") {
  constexpr auto list = co::transactions<cuda::cc10::load<32>>(at_132);
  COALESCE_CHECK(list.size() == 32);
  auto const at = [&](std::uint64_t address) {
    return std::count_if(list.begin(), list.end(),
                         [&](auto const& t) { return t.address == address && t.bytes == 32; });
  };
  CHECK(at(128) == 7);
  CHECK(at(160) == 8);
  CHECK(at(192) == 8);
  CHECK(at(224) == 8);
  CHECK(at(256) == 1);
}
TEST_CASE("PG2.0 figures 5-1 to 5-3, CC 1.0, half-warps") {
  COALESCE_CHECK(makes<cuda::cc10::load<32>>(at_128, 0x00ff & ~0x24u, {{128, 64}}));  // 5-1 right: some lanes inactive
  COALESCE_CHECK(count<cuda::cc10::load<32>>(swapped, half) == 16);                   // 5-2 left
  COALESCE_CHECK(count<cuda::cc10::load<32>>(at_132, half) == 16);                    // 5-2 right
  COALESCE_CHECK(count<cuda::cc10::load<32>>([](unsigned k) { return 128 + 4 * (k < 3 ? k : k + 1); }, half) ==
                 16);                                                                              // 5-3 left
  COALESCE_CHECK(count<cuda::cc10::load<32>>(co::linear{.base = 128, .stride = 12}, half) == 16);  // 5-3 right
}
TEST_CASE(
    "PG3.2 G.3.2.1: words of 8 and 16 bytes are one and two segments of 128 bytes; alignment of the later editions") {
  COALESCE_CHECK(makes<cuda::cc10::load<64>>(co::linear{.base = 128, .stride = 8}, half, {{128, 128}}));
  COALESCE_CHECK(count<cuda::cc10::load<64>>(co::linear{.base = 64, .stride = 8}, half) == 16);
  COALESCE_CHECK(makes<cuda::cc10::load<128>>(co::linear{.base = 0, .stride = 16}, half, {{0, 128}, {128, 128}}));
  COALESCE_CHECK(makes<cuda::cc10::load<128>>(co::linear{.base = 128, .stride = 16}, half,
                                              {{128, 128}, {256, 128}}));  // PG2.0: not coalesced
  COALESCE_CHECK(count<cuda::cc10::load<128>>(co::linear{.base = 64, .stride = 16}, half) == 16);
}
TEST_CASE("PG3.2 G.3.2.1: whole segments are moved even where lanes are inactive") {
  COALESCE_CHECK(makes<cuda::cc10::load<128>>(co::linear{.base = 0, .stride = 16}, 1, {{0, 128}, {128, 128}}));
  COALESCE_CHECK(makes<cuda::cc10::load<32>>(at_128, 0x8000'0000, {{192, 64}}));
  COALESCE_CHECK(makes<cuda::cc10::load<32>>(at_128, 0, {}));
}
TEST_CASE(
    "CC 1.0: segments around address 0, which inactive lanes would have before it, are listed in ascending order") {
  COALESCE_CHECK(makes<cuda::cc10::load<128>>([](unsigned lane) { return 16 * (lane - 8); }, 0xff00,
                                              {{0, 128}, {~std::uint64_t{127}, 128}}));
}
TEST_CASE("CC 1.0: the last two segments of memory are in ascending order, too") {
  constexpr std::uint64_t top = ~std::uint64_t{255};
  COALESCE_CHECK(
      makes<cuda::cc10::load<128>>(co::linear{.base = top, .stride = 16}, half, {{top, 128}, {top + 128, 128}}));
}
TEST_CASE("CC 1.0: bytes and shorts never coalesce, and one word for all lanes is no broadcast") {
  COALESCE_CHECK(count<cuda::cc10::load<8>>(co::linear{.base = 128, .stride = 1}) == 32);
  COALESCE_CHECK(count<cuda::cc10::load<16>>(co::linear{.base = 128, .stride = 2}) == 32);
  COALESCE_CHECK(count<cuda::cc10::load<32>>(co::broadcast{128}, half) == 16);
  COALESCE_CHECK(count<cuda::cc10::load<32>>(co::broadcast{128}, 1) == 1);
}
TEST_CASE("CC 1.0: what is not coalesced takes one transaction for each active lane (inferred)") {
  COALESCE_CHECK(count<cuda::cc10::load<32>>(at_132, 0x0101) == 2);
}

// ---- CC 1.2 and 1.3 ----

TEST_CASE("PG5.5 figure 16, CC 1.2: in order, or swapped within half-warps, two 64-byte transactions") {
  COALESCE_CHECK(makes<cuda::cc12::load<32>>(at_128, warp, {{128, 64}, {192, 64}}));
  COALESCE_CHECK(makes<cuda::cc13::store<32>>(swapped, warp, {{128, 64}, {192, 64}}));
}
TEST_CASE("PG5.5 figure 16, CC 1.2: misaligned by a word, 128 + 64 + 32 bytes") {
  COALESCE_CHECK(makes<cuda::cc13::load<32>>(at_132, warp, {{128, 128}, {192, 64}, {256, 32}}));
}
TEST_CASE("PG2.0 figure 5-4, CC 1.2, half-warps") {
  COALESCE_CHECK(
      makes<cuda::cc12::load<32>>([](unsigned k) { return 128 + 4 * (k * 7 % 16); }, half, {{128, 64}}));  // left
  COALESCE_CHECK(makes<cuda::cc12::load<32>>(co::linear{.base = 136, .stride = 4}, half, {{128, 128}}));   // centre
  COALESCE_CHECK(
      makes<cuda::cc12::load<32>>(co::linear{.base = 116, .stride = 4}, half, {{96, 32}, {128, 64}}));  // right
}
TEST_CASE("PG3.2 G.3.2.2, CC 1.2: strides and word sizes of a half-warp") {
  COALESCE_CHECK(makes<cuda::cc12::load<32>>(co::linear{.base = 0, .stride = 8}, half, {{0, 128}}));
  COALESCE_CHECK(count<cuda::cc12::load<32>>(co::linear{.base = 0, .stride = 128}, half) == 16);
  COALESCE_CHECK(co::cost<cuda::cc12::load<32>>(co::linear{.base = 0, .stride = 128}, half).bytes_moved == 16 * 32);
  COALESCE_CHECK(makes<cuda::cc12::load<8>>(co::linear{.base = 0, .stride = 1}, half, {{0, 32}}));
  COALESCE_CHECK(co::cost<cuda::cc12::load<8>>(co::linear{.base = 0, .stride = 1}, half).bytes_used == 16);
  COALESCE_CHECK(makes<cuda::cc12::load<16>>(co::linear{.base = 0, .stride = 2}, half, {{0, 32}}));
  COALESCE_CHECK(makes<cuda::cc12::load<64>>(co::linear{.base = 0, .stride = 8}, half, {{0, 128}}));
  COALESCE_CHECK(makes<cuda::cc12::load<128>>(co::linear{.base = 0, .stride = 16}, half, {{0, 128}, {128, 128}}));
  COALESCE_CHECK(makes<cuda::cc12::load<128>>(co::broadcast{16}, half, {{0, 32}}));
}

// ---- Mindfire Solutions, How to efficiently use global memory: its six pictures. Their bases are lost: each test
// states one that gives the words ----

TEST_CASE("Mindfire (1), CC 1.0, base 128: the 4th thread does not take part, one 64-byte transaction") {
  COALESCE_CHECK(makes<cuda::cc10::load<32>>(at_128, half & ~0b1000u, {{128, 64}}));
}
TEST_CASE("Mindfire (2), CC 1.0, base 128: out of sequence, 16 transactions of 32 bytes for 4 each") {
  COALESCE_CHECK(count<cuda::cc10::load<32>>(swapped, half) == 16);
  COALESCE_CHECK(co::cost<cuda::cc10::load<32>>(swapped, half).bytes_moved == 512);
  COALESCE_CHECK(co::cost<cuda::cc10::load<32>>(swapped, half).bytes_used == 64);
}
TEST_CASE("Mindfire (3), CC 1.0, base 132: misaligned, 64 of 512 bytes used") {
  COALESCE_CHECK(co::cost<cuda::cc10::load<32>>(at_132, half) ==
                 cuda::load_cost<>{.requests = 1, .transactions = 16, .bytes_moved = 512, .bytes_used = 64});
}
TEST_CASE("Mindfire (4), CC 1.2, base 128: out of sequence within 64 bytes, one 64-byte transaction") {
  COALESCE_CHECK(makes<cuda::cc12::load<32>>(swapped, half, {{128, 64}}));
}
TEST_CASE("Mindfire (5), CC 1.2, base 80: across a 128-byte boundary, 64 and 32 bytes") {
  COALESCE_CHECK(makes<cuda::cc12::load<32>>(co::linear{.base = 80, .stride = 4}, half, {{64, 64}, {128, 32}}));
}
TEST_CASE(
    "Mindfire (6), CC 1.2, base 4: 15 threads in the lower half of a 128-byte segment, one in the upper: 128 bytes") {
  COALESCE_CHECK(makes<cuda::cc12::load<32>>(co::linear{.base = 4, .stride = 4}, half, {{0, 128}}));
}
TEST_CASE("Mindfire is wrong where it says '1.2 and higher': from CC 2.0 on there is no such protocol") {
  COALESCE_CHECK(makes<cuda::cc20::load<32>>(co::linear{.base = 80, .stride = 4}, half, {{0, 128}, {128, 128}}));
  COALESCE_CHECK(
      makes<cuda::cc50::load<32>>(co::linear{.base = 80, .stride = 4}, half, {{64, 32}, {96, 32}, {128, 32}}));
}
TEST_CASE("Mindfire is wrong where it says 32-, 64- or 128-bit words: from CC 1.2 on bytes and shorts coalesce") {
  COALESCE_CHECK(count<cuda::cc11::load<8>>(co::linear{.base = 0, .stride = 1}, half) == 16);
  COALESCE_CHECK(count<cuda::cc12::load<8>>(co::linear{.base = 0, .stride = 1}, half) == 1);
}

// ---- Against the oracle ----

TEST_CASE("CC 1.0 and 1.1 agree with the oracle on 100,000 random accesses") {
  CHECK(at_every_width<load_10>(share(10'000), in_order_words) == 0);
  CHECK(at_every_width<store_11>(share(10'000), in_order_words) == 0);
}
TEST_CASE("CC 1.2 and 1.3 agree with the oracle on 100,000 random accesses") {
  CHECK(at_every_width<load_12>(share(10'000), segment_protocol) == 0);
  CHECK(at_every_width<store_13>(share(10'000), segment_protocol) == 0);
}
