// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cuda.hpp>
#include <coalesce/layout.hpp>

#include "cuda/devices.hpp"
#include "machinery/check.hpp"
#include "truth/oracle/oracle.hpp"

namespace co = coalescing;
using namespace coalescing_tests;
using cuda::cc80, cuda::cc90, cuda::cc120;

namespace {

constexpr co::swizzle atoms{.bits = 3, .base = 4, .shift = 3};

template <class Side, class Pattern>
constexpr std::uint64_t sectors(Pattern const& pattern) {
  return co::cost<Side>(pattern).transactions;
}

}  // namespace

TEST_CASE("cp.async, example 2a: 16 bytes a lane, both sides dense: 16 sectors, 4 lines; 4 rounds") {
  constexpr auto read = co::cost<cc80::cp_async<16>::global>(co::linear{.stride = 16});
  COALESCE_CHECK(
      read == cuda::copy_cost<>{.requests = 1, .transactions = 16, .bytes_moved = 512, .bytes_used = 512, .lines = 4});
  COALESCE_CHECK(co::cost<cc80::cp_async<16>::shared>(co::linear{.stride = 16}).rounds == 4);
  COALESCE_CHECK(co::cost<cc80::cp_async<16>::shared>(co::linear{.stride = 16}).conflicts == 0);
}
TEST_CASE("cp.async, example 2b: rows of 128 bytes out of rows of 8 KiB, into the 128-byte swizzle") {
  constexpr auto from = [](unsigned lane) { return 8192 * (lane / 8) + 16 * (lane % 8); };
  constexpr auto to = atoms.over([](unsigned lane) { return 128 * (lane / 8) + 16 * (lane % 8); });
  COALESCE_CHECK(sectors<cc80::cp_async<16>::global>(from) == 16);
  COALESCE_CHECK(co::cost<cc80::cp_async<16>::global>(from).lines == 4);
  COALESCE_CHECK(co::cost<cc80::cp_async<16>::shared>(to).conflicts == 0);
}
TEST_CASE("cp.async, example 2c: a column: 32 sectors in 32 lines; 32 rounds, swizzled 4") {
  COALESCE_CHECK(sectors<cc80::cp_async<16>::global>(co::linear{.stride = 8192}) == 32);
  COALESCE_CHECK(co::cost<cc80::cp_async<16>::global>(co::linear{.stride = 8192}).lines == 32);
  COALESCE_CHECK(co::cost<cc80::cp_async<16>::shared>(co::linear{.stride = 128}).rounds == 32);
  COALESCE_CHECK(co::cost<cc80::cp_async<16>::shared>(co::linear{.stride = 128}).conflicts == 28);
  COALESCE_CHECK(co::cost<cc80::cp_async<16>::shared>(atoms.over(co::linear{.stride = 128})).conflicts == 0);
}
TEST_CASE("cp.async, example 2d: 4 bytes a lane: 4 sectors; 32 rounds at 128 bytes, 1 at 132") {
  COALESCE_CHECK(sectors<cc80::cp_async<4>::global>(co::linear{.stride = 4}) == 4);
  COALESCE_CHECK(co::cost<cc80::cp_async<4>::shared>(co::linear{.stride = 128}).conflicts == 31);
  COALESCE_CHECK(co::cost<cc80::cp_async<4>::shared>(co::linear{.stride = 132}).conflicts == 0);
}
TEST_CASE("cp.async reads its source size, and writes all of its bytes") {
  constexpr auto half = co::cost<cc90::cp_async<16, 8>::global>(co::linear{.stride = 16});
  COALESCE_CHECK(half.bytes_used == 256);
  COALESCE_CHECK(half.transactions == 16);
  COALESCE_CHECK(co::cost<cc90::cp_async<16, 0>::global>(co::linear{.stride = 16}) == cuda::copy_cost<>{});
  COALESCE_CHECK(co::transactions<cc90::cp_async<16, 0>::global>(co::linear{.stride = 16}).empty());
  COALESCE_CHECK(co::cost<cc90::cp_async<16, 0>::shared>(co::linear{.stride = 16}).rounds == 4);
  // Lanes of a tile's edge, with a source size of 0: not active on one side, on the other they write zeros.
  COALESCE_CHECK(co::cost<cc90::cp_async<16>::global>(co::linear{.stride = 16}, 0xff).transactions == 4);
  COALESCE_CHECK(co::cost<cc90::cp_async<16>::global>(co::linear{.stride = 16}, 1).requests == 1);
  COALESCE_CHECK(co::cost<cc90::cp_async<16>::global>(co::linear{.stride = 16}, 0) == cuda::copy_cost<>{});
}
TEST_CASE("cp.async: addresses are aligned to its size on both sides") {
  CHECK_THROWS_AS(static_cast<void>(co::cost<cc80::cp_async<16>::global>(co::linear{.stride = 8})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<cc80::cp_async<16, 4>::global>(co::linear{.stride = 4})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<cc80::cp_async<8>::shared>(co::linear{.stride = 4})), co::misuse);
}
TEST_CASE("cp.async: its sectors and rounds are measured on CC 9.0, and inferred elsewhere") {
  capabilities<80>::each([]<class Machine>() {
    using copy = typename Machine::template cp_async<8>;
    constexpr auto known = std::is_same_v<Machine, cc90> ? co::evidence::measured : co::evidence::inferred;
    static_assert(copy::global::sources.transactions.evidence == known);
    static_assert(copy::shared::sources.rounds.evidence == known);
  });
}
TEST_CASE_TEMPLATE("cp.async: random accesses against bytes in sets", Copy, cc80::cp_async<4>, cc90::cp_async<8, 5>,
                   cc120::cp_async<16>, cc90::cp_async<16, 1>, cc90::cp_async<16, 0>) {
  using side = typename Copy::global;
  constexpr unsigned size = side::bytes, read = std::is_same_v<Copy, cc90::cp_async<8, 5>>    ? 5
                                                : std::is_same_v<Copy, cc90::cp_async<16, 1>> ? 1
                                                : std::is_same_v<Copy, cc90::cp_async<16, 0>> ? 0
                                                                                              : size;
  random_accesses random(size, size);
  unsigned wrong = 0;
  for (unsigned k = 0; k != share(5000); ++k) {
    auto access = random.next();
    access.active &= 0xffff'ffff;
    auto const bytes = touched_bytes(access, read);
    auto const cost = co::cost<side>(access.address, access.active);
    wrong += cost.bytes_used != bytes.size() || cost.transactions != touched_pieces(bytes, 32).size() ||
             cost.lines != touched_pieces(bytes, 128).size() || cost.requests != (bytes.empty() ? 0 : 1) ||
             co::transactions<side>(access.address, access.active).size() != cost.transactions ||
             co::footprint<64, side>(access.address, access.active) != 64 * touched_pieces(bytes, 64).size();
    for (auto& address : access.address) address %= 65536;
    wrong += co::cost<typename Copy::shared>(access.address, access.active) !=
             co::cost<cc90::shared_store<8 * size>>(access.address, access.active);
  }
  CHECK(wrong == 0);
}
