// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cuda.hpp>

#include "cuda/global.hpp"
#include "machinery/check.hpp"

namespace co = coalescing;
using namespace coalescing_tests;
using cuda::caching;

// ---- CC 2.x and 3.x ----

TEST_CASE("PG5.5 figure 16, CC 2.x: one line through L1, four segments past it; misaligned 2 and 5") {
  using l1 = cuda::cc20::load<32>;
  using l2 = cuda::cc20::load<32, caching::l2>;
  COALESCE_CHECK(makes<l1>(at_128, warp, {{128, 128}}));
  COALESCE_CHECK(makes<l1>(swapped, warp, {{128, 128}}));
  COALESCE_CHECK(makes<l1>(at_132, warp, {{128, 128}, {256, 128}}));
  COALESCE_CHECK(makes<l2>(swapped, warp, {{128, 32}, {160, 32}, {192, 32}, {224, 32}}));
  COALESCE_CHECK(makes<l2>(at_132, warp, {{128, 32}, {160, 32}, {192, 32}, {224, 32}, {256, 32}}));
  COALESCE_CHECK(l1::level == co::level::l1);
  COALESCE_CHECK(l2::level == co::level::l2);
}
TEST_CASE("BPG5.5 9.2.1.4: stride 2 is 2 lines, or 8 segments; one word for all is one of either") {
  COALESCE_CHECK(count<cuda::cc20::load<32>>(co::linear{.base = 0, .stride = 8}) == 2);
  COALESCE_CHECK(count<cuda::cc20::load<32, caching::l2>>(co::linear{.base = 0, .stride = 8}) == 8);
  COALESCE_CHECK(count<cuda::cc20::load<32>>(co::broadcast{}) == 1);
  COALESCE_CHECK(count<cuda::cc20::load<32, caching::l2>>(co::broadcast{}) == 1);
}
TEST_CASE("PG3.2 G.4.2: words of 8 bytes are two requests, of 16 bytes four, and nothing merges across them") {
  using wide = cuda::cc20::load<64>;
  using widest = cuda::cc20::load<128>;
  COALESCE_CHECK(co::cost<cuda::cc20::load<32>>(co::linear{.base = 0, .stride = 4}).requests == 1);
  COALESCE_CHECK(co::cost<wide>(co::linear{.base = 0, .stride = 8}) ==
                 cuda::load_cost<>{.requests = 2, .transactions = 2, .bytes_moved = 256, .bytes_used = 256});
  COALESCE_CHECK(count<cuda::cc20::load<64, caching::l2>>(co::linear{.base = 0, .stride = 8}) == 8);
  COALESCE_CHECK(co::cost<widest>(co::linear{.base = 0, .stride = 16}) ==
                 cuda::load_cost<>{.requests = 4, .transactions = 4, .bytes_moved = 512, .bytes_used = 512});
  COALESCE_CHECK(count<cuda::cc20::load<128, caching::l2>>(co::linear{.base = 0, .stride = 16}) == 16);
  COALESCE_CHECK(count<widest>(co::broadcast{}) == 4);  // the same line, asked for four times
  COALESCE_CHECK(co::cost<widest>(co::broadcast{}, 0xff).requests == 1);
}
TEST_CASE("stores of CC 2.x and 3.x are in segments of 32 bytes, whatever loads do") {
  COALESCE_CHECK(count<cuda::cc20::store<32>>(at_128) == 4);
  COALESCE_CHECK(count<cuda::cc37::store<32>>(at_132) == 5);
}
TEST_CASE("PG10.2 figure 18, CC 3.x: 4 x 32 bytes past L1, the default; 1 x 128 through it; misaligned 5 and 2") {
  COALESCE_CHECK(count<cuda::cc30::load<32>>(at_128) == 4);
  COALESCE_CHECK(count<cuda::cc30::load<32>>(at_132) == 5);
  COALESCE_CHECK(count<cuda::cc37::load<32, caching::l1>>(at_128) == 1);
  COALESCE_CHECK(count<cuda::cc35::load<32, caching::l1>>(at_132) == 2);
  COALESCE_CHECK(count<cuda::cc32::load<32, caching::l2>>(at_128) == 4);
}

// ---- Against the oracle ----

TEST_CASE("CC 2.x and 3.x agree with the oracle on 100,000 random accesses") {
  CHECK(at_every_width<load_20>(share(4'000), requests_of<128>) == 0);
  CHECK(at_every_width<load_20_l2>(share(4'000), requests_of<32>) == 0);
  CHECK(at_every_width<store_20>(share(4'000), requests_of<32>) == 0);
  CHECK(at_every_width<load_35>(share(4'000), requests_of<32>) == 0);
  CHECK(at_every_width<load_37_l1>(share(4'000), requests_of<128>) == 0);
}
