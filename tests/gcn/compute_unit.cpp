// SPDX-License-Identifier: BSL-1.0
#include <coalesce/gcn.hpp>

#include "machinery/check.hpp"

namespace gcn = coalescing::gcn;
using cu = gcn::compute_unit;

// The figures of "Reviewing peak throughput limits for a GCN Compute Unit (CU)", as the post prints them.

TEST_CASE("post: there are 4 SIMD units and 1 TEX unit per CU") {
  COALESCE_CHECK(cu::simds == 4);
  COALESCE_CHECK(cu::tex_units == 1);
}
TEST_CASE("post: a SIMD is 16 wide and takes a VALU instruction of a 64-wide wave in 4 clocks") {
  COALESCE_CHECK(cu::lanes_per_wave == 64);
  COALESCE_CHECK(cu::lanes_per_simd == 16);
  COALESCE_CHECK(cu::valu_clocks_per_wave == 4);
}
TEST_CASE("post: the aggregate for the 4 SIMD units is 64 invocations per clock") {
  COALESCE_CHECK(cu::valu_lanes_per_clock == 64);
}
TEST_CASE("post: filtered peak is one 2x2 quad per clock, a 64-wide wave in 16 clocks") {
  COALESCE_CHECK(cu::quads_per_clock == 1);
  COALESCE_CHECK(cu::lanes_per_quad == 4);
  COALESCE_CHECK(cu::tex_clocks_per_wave == 16);
}
TEST_CASE("post: 16 texel reads and 16 32-bit returns per clock") {
  COALESCE_CHECK(cu::texel_reads_per_clock == 16);
  COALESCE_CHECK(cu::returns_per_clock == 16);
}
TEST_CASE("post: image addresses for 4 invocations in one clock") {
  COALESCE_CHECK(cu::image_addresses_per_clock == 4);
}
TEST_CASE("post: up to four 128-bit point-sampled texels per clock") {
  COALESCE_CHECK(cu::point_sampled_texels_per_clock == 4);
  COALESCE_CHECK(cu::point_sampled_texel_bits == 128);
}
TEST_CASE("post: filtering takes 32 bits of each of four fragments per clock, so four 128-bit texels take 4 clocks") {
  COALESCE_CHECK(cu::filtered_bits_per_fragment_per_clock == 32);
  COALESCE_CHECK(cu::filtered_128_bit_clocks_per_quad == 4);
}
TEST_CASE("post: single-channel buffer loads in the favourable cases take 4 clocks a wave, 16 lanes at a time") {
  COALESCE_CHECK(cu::lanes_per_coalesced_group == 16);
  COALESCE_CHECK(cu::coalesced_clocks_per_wave == 4);
}

TEST_CASE("post: invocationIndex = x + (width * y) + (width * height * z)") {
  COALESCE_CHECK(gcn::invocation_index({.x = 0, .y = 0, .z = 0}, {.width = 8, .height = 8}) == 0);
  COALESCE_CHECK(gcn::invocation_index({3, 2, 1}, {8, 4}) == 3 + 8 * 2 + 8 * 4 * 1);
  COALESCE_CHECK(gcn::invocation_index({7, 7, 0}, {8, 8}) == 63);
  COALESCE_CHECK(gcn::invocation_index({.x = 70}, {.width = 256}) == 70);
}
TEST_CASE("a position that says nothing is the first invocation, and an extent that says nothing is of one") {
  COALESCE_CHECK(gcn::position{}.x == 0);
  COALESCE_CHECK(gcn::position{}.y == 0);
  COALESCE_CHECK(gcn::position{}.z == 0);
  COALESCE_CHECK(gcn::extent{}.width == 1);
  COALESCE_CHECK(gcn::extent{}.height == 1);
  COALESCE_CHECK(gcn::invocation_index({}, {}) == 0);
  COALESCE_CHECK(gcn::invocation_index({.z = 5}, {}) == 5);
  COALESCE_CHECK(gcn::invocation_index({.y = 2, .z = 1}, {.height = 4}) == 6);
}
TEST_CASE("wave, lane and quad follow from the index") {
  constexpr auto index = gcn::invocation_index({1, 2, 3}, {16, 4});  // 1 + 32 + 192
  COALESCE_CHECK(index == 225);
  COALESCE_CHECK(gcn::wave_of(index) == 3);
  COALESCE_CHECK(gcn::lane_of(index) == 33);
  COALESCE_CHECK(gcn::quad_of(index) == 8);
}
TEST_CASE("post: invocations {0,1,2,3} are a group; every quad is 4 consecutive lanes, and the 16 quads are the wave") {
  COALESCE_CHECK(gcn::quad_lanes(0) == 0b1111);
  COALESCE_CHECK(gcn::quad_lanes(15) == 0xf000'0000'0000'0000);
  constexpr auto all = [] {
    std::uint64_t lanes = 0;
    for (unsigned quad = 0; quad != cu::quads_per_wave; ++quad) lanes += gcn::quad_lanes(quad);
    return lanes;
  }();
  COALESCE_CHECK(all == ~std::uint64_t{0});
}
TEST_CASE("a compute quad and a fragment quad are the same 4 consecutive lanes") {
  constexpr auto same = [] {
    for (unsigned lane = 0; lane != cu::lanes_per_wave; ++lane)
      if (gcn::fragment_quad_of(lane) != gcn::quad_of(lane) || (gcn::quad_lanes(gcn::quad_of(lane)) >> lane & 1) != 1 ||
          gcn::quad_of(lane) != lane / 4)
        return false;
    return true;
  }();
  COALESCE_CHECK(same);
}
TEST_CASE("in an 8-wide work-group a quad is 4 invocations of one row, not a 2x2 block") {
  COALESCE_CHECK(gcn::quad_of(gcn::invocation_index({0, 0, 0}, {8, 8})) ==
                 gcn::quad_of(gcn::invocation_index({3, 0, 0}, {8, 8})));
  COALESCE_CHECK(gcn::quad_of(gcn::invocation_index({0, 0, 0}, {8, 8})) !=
                 gcn::quad_of(gcn::invocation_index({0, 1, 0}, {8, 8})));
}
TEST_CASE("an index may have 64 bits") {
  constexpr unsigned most = 0xffff'ffff;
  COALESCE_CHECK(gcn::invocation_index({0xffff, 0xffff, most}, {0x10000, 0x10000}) == ~std::uint64_t{0});
  COALESCE_CHECK(gcn::invocation_index({most - 1, most - 1, 0}, {most, most}) == std::uint64_t{most} * most - 1);
  COALESCE_CHECK(gcn::invocation_index({0, 2, 1}, {most, most}) == ~std::uint64_t{0});
}
#ifdef __cpp_exceptions
TEST_CASE("a position outside the work-group, and a quad or lane outside the wave, are refused") {
  CHECK_THROWS_AS(static_cast<void>(gcn::invocation_index({8, 0, 0}, {8, 8})), coalescing::misuse);
  CHECK_THROWS_AS(static_cast<void>(gcn::invocation_index({0, 8, 0}, {8, 8})), coalescing::misuse);
  CHECK_THROWS_AS(static_cast<void>(gcn::quad_lanes(16)), coalescing::misuse);
  CHECK_THROWS_AS(static_cast<void>(gcn::fragment_quad_of(64)), coalescing::misuse);
}
TEST_CASE("an index of 2^64 or more is refused, not wrapped") {
  constexpr unsigned most = 0xffff'ffff;
  constexpr char const* words = "coalesce: the linear index of the invocation is 2^64 or more";
  CHECK_THROWS_WITH_AS(static_cast<void>(gcn::invocation_index({1, 2, 1}, {most, most})), words, coalescing::misuse);
  CHECK_THROWS_WITH_AS(static_cast<void>(gcn::invocation_index({0, 0, 2}, {most, most})), words, coalescing::misuse);
  CHECK_THROWS_WITH_AS(static_cast<void>(gcn::invocation_index({0, 0, most}, {0x10001, 0x10000})), words,
                       coalescing::misuse);
}
#endif
