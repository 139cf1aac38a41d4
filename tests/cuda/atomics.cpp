// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cuda.hpp>

#include "cuda/global.hpp"
#include "machinery/check.hpp"

namespace co = coalescing;
using namespace coalescing_tests;

TEST_CASE("atomics: sectors, one operation for each lane, and the most on one address") {
  using atomic = cuda::cc90::atomic<32>;
  COALESCE_CHECK(
      co::cost<atomic>(co::linear{.base = 0, .stride = 4}) ==
      cuda::atomic_cost<>{
          .transactions = 4, .bytes_moved = 128, .bytes_used = 128, .operations = 32, .lanes_on_one_address = 1});
  COALESCE_CHECK(co::cost<atomic>(co::broadcast{}).transactions == 1);
  COALESCE_CHECK(co::cost<atomic>(co::broadcast{}).operations == 32);
  COALESCE_CHECK(co::cost<atomic>(co::broadcast{}).lanes_on_one_address == 32);
  COALESCE_CHECK(co::cost<atomic>([](unsigned lane) { return lane % 5 * 4; }).lanes_on_one_address == 7);
  COALESCE_CHECK(co::cost<cuda::cc20::atomic<64>>(co::linear{.base = 0, .stride = 8}).transactions == 8);
  COALESCE_CHECK(co::cost<atomic>(co::broadcast{}, 0) == cuda::atomic_cost<>{});
}
TEST_CASE("PTX, atom and red: 16 bits since CC 7.0, 128 bits since CC 9.0; a reduction costs what an atomic does") {
  using wide = cuda::cc90::atomic<128>;
  COALESCE_CHECK(wide::alignment == 16);
  COALESCE_CHECK(
      co::cost<wide>(co::linear{.stride = 16}) ==
      cuda::atomic_cost<>{
          .transactions = 16, .bytes_moved = 512, .bytes_used = 512, .operations = 32, .lanes_on_one_address = 1});
  COALESCE_CHECK(co::cost<cuda::cc121::atomic<128>>(co::broadcast{}).lanes_on_one_address == 32);
  COALESCE_CHECK(co::cost<cuda::cc70::atomic<16>>(co::linear{.stride = 2}).transactions == 2);
  COALESCE_CHECK(co::cost<cuda::cc70::red<16>>(co::linear{.stride = 64}).transactions == 32);
  COALESCE_CHECK(co::cost<cuda::cc20::red<32>>([](unsigned lane) { return lane / 2 * 4; }).operations == 32);
  COALESCE_CHECK(co::cost<cuda::cc90::red<64>>(co::linear{.stride = 8}).transactions == 8);
  COALESCE_CHECK(cuda::cc90::red<32>::sources.transactions.evidence == co::evidence::inferred);
}
TEST_CASE("PG5.5 5.3.2: a constant load is as many requests as different addresses; CC 1.x by half-warps") {
  COALESCE_CHECK(co::cost<cuda::cc90::constant_load<32>>(co::broadcast{}).requests == 1);
  COALESCE_CHECK(co::cost<cuda::cc90::constant_load<32>>(co::linear{.base = 0, .stride = 4}).requests == 32);
  COALESCE_CHECK(co::cost<cuda::cc20::constant_load<32>>([](unsigned lane) { return lane / 16 * 4; }).requests == 2);
  COALESCE_CHECK(co::cost<cuda::cc10::constant_load<32>>(co::broadcast{}).requests == 2);
  COALESCE_CHECK(co::cost<cuda::cc13::constant_load<64>>(co::broadcast{}, half).requests == 1);
  COALESCE_CHECK(co::cost<cuda::cc90::constant_load<32>>(co::broadcast{}, 0).requests == 0);
}

// ---- Against the oracle ----

TEST_CASE("atomics and reductions agree with the oracle") {
  auto const atomics = []<class Atomic>() {
    CHECK(disagreements<Atomic>(share(2'000), whole_sectors) == 0);
    warp_accesses accesses(Atomic::bytes, 5);
    for (unsigned n = 0; n != 2'000; ++n) {
      auto const made = accesses.next();
      auto const cost = co::cost<Atomic>(made.address, made.active);
      std::uint64_t lanes = 0;
      for (auto const& [address, on_it] : lanes_of_address(made)) lanes += on_it;
      CHECK(cost.operations == lanes);
      CHECK(cost.lanes_on_one_address == most_lanes_on_one_address(made));
    }
  };
  devices<cuda::cc20::atomic<32>, cuda::cc20::atomic<64>, cuda::cc90::atomic<32>, cuda::cc90::atomic<64>,
          cuda::cc90::atomic<16>, cuda::cc90::atomic<128>, cuda::cc20::red<64>, cuda::cc70::red<16>>::each(atomics);
}
TEST_CASE("constant loads agree with a set of addresses, of the warp or of each half") {
  auto const check = []<class Load>() {
    unsigned const part =
        Load::sources.requests.document == cuda::cc10::constant_load<32>::sources.requests.document ? 16 : 32;
    warp_accesses accesses(Load::bytes, 16);
    for (unsigned n = 0; n != 5'000; ++n) {
      auto const made = accesses.next();
      std::uint64_t requests = 0;
      for (unsigned first = 0; first != 32; first += part) {
        auto of_part = made;
        of_part.active &= part_mask(first, part);
        requests += lanes_of_address(of_part).size();
      }
      CHECK(co::cost<Load>(made.address, made.active).requests == requests);
      CHECK(co::cost<Load>(made.address, made.active).bytes_used == touched_bytes(made, Load::bytes).size());
    }
  };
  devices<cuda::cc13::constant_load<32>, cuda::cc20::constant_load<64>, cuda::cc90::constant_load<8>>::each(check);
}
