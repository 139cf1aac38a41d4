// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cuda.hpp>

#include "cuda/global.hpp"
#include "machinery/check.hpp"

namespace co = coalescing;
using namespace coalescing_tests;

// ---- CC 5.x and 6.x ----

TEST_CASE("BPG13 10.2.1, forum 49571, CC 5.x and 6.x: sectors") {
  maxwell_and_pascal::each([]<class Device>() {
    using load = typename Device::template load<32>;
    COALESCE_CHECK(count<load>(at_128) == 4);
    COALESCE_CHECK(count<load>(at_132) == 5);
    COALESCE_CHECK(count<load>(co::linear{.base = 0, .stride = 8}) == 8);
    COALESCE_CHECK(count<load>(co::linear{.base = 0, .stride = 32}) == 32);
    COALESCE_CHECK(count<typename Device::template load<64>>(co::linear{.base = 0, .stride = 8}) == 8);
    COALESCE_CHECK(count<typename Device::template load<128>>(co::linear{.base = 0, .stride = 16}) == 16);
  });
}
TEST_CASE("forum 49571, CC 5.x and 6.x: requests of 8, 4 or 2 lanes by word size") {
  maxwell_and_pascal::each([]<class Device>() {
    COALESCE_CHECK(co::cost<typename Device::template load<8>>(co::linear{.base = 0, .stride = 1}).requests == 4);
    COALESCE_CHECK(co::cost<typename Device::template load<32>>(co::linear{.base = 0, .stride = 4}).requests == 4);
    COALESCE_CHECK(co::cost<typename Device::template load<64>>(co::linear{.base = 0, .stride = 8}).requests == 8);
    COALESCE_CHECK(co::cost<typename Device::template load<128>>(co::linear{.base = 0, .stride = 16}).requests == 16);
    COALESCE_CHECK(co::cost<typename Device::template load<32>>(co::linear{.base = 0, .stride = 4}, 0x101).requests ==
                   2);
  });
}
TEST_CASE(
    "CC 5.x: a sector that two requests share is counted once, as in NVIDIA's figure of 5 for a misaligned warp") {
  COALESCE_CHECK(count<cuda::cc61::load<32>>(at_132) == 5);  // summed over the requests it would be 8
}

// ---- CC 7.0 and later ----

TEST_CASE("BPG13 10.2.1, PG13 2.2.4.1, CC 7.0 and later: sectors, lines and their ideal by word size") {
  volta_on::each([]<class Device>() {
    using load = typename Device::template load<32>;
    COALESCE_CHECK(co::cost<load>(at_128).transactions == 4);  // BPG13 figure 3
    COALESCE_CHECK(co::cost<load>(at_128).lines == 1);
    COALESCE_CHECK(co::cost<load>(at_132).transactions == 5);  // BPG13 figure 4
    COALESCE_CHECK(co::cost<load>(at_132).lines == 2);
    COALESCE_CHECK(co::cost<load>(co::linear{.base = 0, .stride = 8}).transactions == 8);  // BPG13 figure 6
    COALESCE_CHECK(co::cost<load>(co::linear{.base = 0, .stride = 8}).lines == 2);
    COALESCE_CHECK(co::cost<load>(co::linear{.base = 0, .stride = 32}).transactions ==
                   32);  // PG13 figure 11: 1024 bytes, 12.5 % used
    COALESCE_CHECK(co::cost<load>(co::linear{.base = 0, .stride = 32}).bytes_moved == 1024);
    COALESCE_CHECK(co::cost<load>(co::linear{.base = 0, .stride = 32}).bytes_used == 128);
    COALESCE_CHECK(co::cost<typename Device::template load<64>>(co::linear{.base = 0, .stride = 8}).transactions == 8);
    COALESCE_CHECK(co::cost<typename Device::template load<64>>(co::linear{.base = 0, .stride = 8}).lines == 2);
    COALESCE_CHECK(co::cost<typename Device::template load<128>>(co::linear{.base = 0, .stride = 16}).transactions ==
                   16);
    COALESCE_CHECK(co::cost<typename Device::template load<128>>(co::linear{.base = 0, .stride = 16}).lines == 4);
    COALESCE_CHECK(co::cost<typename Device::template load<16>>(co::linear{.base = 0, .stride = 2}).transactions == 2);
    COALESCE_CHECK(co::cost<typename Device::template load<8>>(co::linear{.base = 0, .stride = 1}).transactions == 1);
  });
}
TEST_CASE(
    "NCU 2.11.2: the ideal sectors of a request are 4, 8 and 16 for 32, 64 and 128 bits; inferred: 1, 2, and 32 for "
    "256") {
  COALESCE_CHECK(co::ideal<cuda::cc90::load<8>>.transactions == 1);
  COALESCE_CHECK(co::ideal<cuda::cc90::load<16>>.transactions == 2);
  COALESCE_CHECK(co::ideal<cuda::cc90::load<32>>.transactions == 4);
  COALESCE_CHECK(co::ideal<cuda::cc61::load<64>>.transactions == 8);
  COALESCE_CHECK(co::ideal<cuda::cc90::store<128>>.transactions == 16);
  COALESCE_CHECK(co::ideal<cuda::cc100::load<256>>.transactions == 32);
  COALESCE_CHECK(co::footprint<32, 32>(co::linear{.stride = 16}, 16) ==
                 32 * co::ideal<cuda::cc90::load<128>>.transactions);
}
TEST_CASE("cold footprints of the strided SAXPY warp at 32, 64 and 128 bytes (no default is documented)") {
  constexpr co::linear strided{.stride = 65536};
  COALESCE_CHECK(co::footprint<32, 32>(strided, 16) == 1024);
  COALESCE_CHECK(co::footprint<64, 32>(strided, 16) == 2048);
  COALESCE_CHECK(co::footprint<128, 32>(strided, 16) == 4096);
  COALESCE_CHECK(co::footprint<64, cuda::cc89::load<128>>(strided) == 2048);
  COALESCE_CHECK(co::footprint<32, cuda::cc89::load<128>>(strided, 0xffff) == 512);
}
TEST_CASE("BPG13, offsetCopy on V100: 4 sectors where the offset is a multiple of 8 words, else 5") {
  for (std::uint64_t offset = 0; offset != 33; ++offset)
    CHECK(count<cuda::cc70::load<32>>(co::linear{.base = 4 * offset, .stride = 4}) == (offset % 8 == 0 ? 4 : 5));
}
TEST_CASE("CC 10.0 and later: 32 sectors are the ideal of 256-bit accesses, at any stride") {
  with_256_bits::each([]<class Device>() {
    using load = typename Device::template load<256>;
    COALESCE_CHECK(co::cost<load>(co::linear{.base = 0, .stride = 32}).transactions == 32);
    COALESCE_CHECK(co::cost<load>(co::linear{.base = 0, .stride = 32}).lines == 8);
    COALESCE_CHECK(co::cost<load>(co::linear{.base = 0, .stride = 32}).data_wavefronts == 8);
    COALESCE_CHECK(co::cost<load>(co::linear{.base = 0, .stride = 4096}).bytes_used ==
                   co::cost<load>(co::linear{.base = 0, .stride = 4096}).bytes_moved);
    COALESCE_CHECK(
        co::cost<typename Device::template store<256>>(co::linear{.base = 0, .stride = 4096}).partial_sectors == 0);
    COALESCE_CHECK(load::sources.transactions.evidence == co::evidence::inferred);
  });
}
TEST_CASE("one request for the warp; 0 of everything where no lane is active (forum 312884)") {
  volta_on::each([]<class Device>() {
    using load = typename Device::template load<128>;
    COALESCE_CHECK(co::cost<load>(co::linear{.base = 0, .stride = 16}).requests == 1);
    COALESCE_CHECK(co::cost<load>(co::linear{.base = 0, .stride = 16}, 0) == cuda::l1_load_cost<>{});
    COALESCE_CHECK(co::cost<typename Device::template store<32>>(co::linear{.base = 0, .stride = 4}, 0) ==
                   cuda::l1_store_cost<>{});
    COALESCE_CHECK(co::cost<load>(co::linear{.base = 0, .stride = 128}, 1).transactions == 1);
    COALESCE_CHECK(co::cost<load>(co::linear{.base = 0, .stride = 128}).transactions == 32);
  });
}
TEST_CASE("L1 wavefronts: the data stage has shared memory's banks, the tag stage four lines a cycle") {
  using load = cuda::cc90::load<32>;
  COALESCE_CHECK(co::cost<load>(co::linear{.base = 0, .stride = 4}).data_wavefronts == 1);
  COALESCE_CHECK(co::cost<load>(co::linear{.base = 0, .stride = 4}).tag_wavefronts_at_least == 1);
  COALESCE_CHECK(co::cost<load>(co::linear{.base = 0, .stride = 128}).data_wavefronts == 32);
  COALESCE_CHECK(co::cost<load>(co::linear{.base = 0, .stride = 128}).tag_wavefronts_at_least == 8);
  COALESCE_CHECK(co::cost<load>(co::linear{.base = 0, .stride = 8}).data_wavefronts == 2);
  COALESCE_CHECK(co::cost<load>(co::broadcast{}).data_wavefronts == 1);
  COALESCE_CHECK(co::cost<cuda::cc90::load<64>>(co::linear{.base = 0, .stride = 8}).data_wavefronts == 2);
  COALESCE_CHECK(co::cost<cuda::cc90::load<64>>(co::broadcast{}).data_wavefronts == 2);  // no merging (gpu-benches)
  COALESCE_CHECK(co::cost<cuda::cc90::load<128>>(co::linear{.base = 0, .stride = 16}).data_wavefronts == 4);
  COALESCE_CHECK(co::cost<cuda::cc90::load<128>>(co::linear{.base = 0, .stride = 65536}).data_wavefronts == 32);
  COALESCE_CHECK(co::cost<cuda::cc90::load<128>>(co::linear{.base = 0, .stride = 65536}).tag_wavefronts_at_least == 8);
}
TEST_CASE("the evidence of the data stage differs by machine and by width") {
  COALESCE_CHECK(cuda::cc80::load<32>::sources.data_wavefronts.evidence == co::evidence::measured);
  COALESCE_CHECK(cuda::cc86::load<64>::sources.data_wavefronts.evidence == co::evidence::measured);
  COALESCE_CHECK(cuda::cc90::load<64>::sources.data_wavefronts.evidence == co::evidence::measured);
  COALESCE_CHECK(cuda::cc90::load<128>::sources.data_wavefronts.evidence == co::evidence::inferred);
  COALESCE_CHECK(cuda::cc90::load<16>::sources.data_wavefronts.evidence == co::evidence::inferred);
  COALESCE_CHECK(cuda::cc90::load<32>::sources.tag_wavefronts_at_least.evidence == co::evidence::documented);
  COALESCE_CHECK(cuda::cc100::load<32>::sources.tag_wavefronts_at_least.evidence == co::evidence::inferred);
  COALESCE_CHECK(cuda::cc90::store<32>::sources.partial_sectors.evidence == co::evidence::documented);
  COALESCE_CHECK(cuda::cc61::store<32>::sources.partial_sectors.evidence == co::evidence::inferred);
  COALESCE_CHECK(cuda::cc20::store<32>::sources.operations.evidence == co::evidence::documented);
  COALESCE_CHECK(cuda::cc90::store<32>::sources.operations.evidence == co::evidence::inferred);
  COALESCE_CHECK(cuda::cc70::load<32>::sources.data_wavefronts.evidence == co::evidence::inferred);
  COALESCE_CHECK(cuda::cc89::load<32>::sources.data_wavefronts.evidence == co::evidence::inferred);
  COALESCE_CHECK(cuda::cc90::store<32>::sources.data_wavefronts.evidence == co::evidence::inferred);
  COALESCE_CHECK(cuda::cc90::load<32>::sources.transactions.evidence == co::evidence::documented);
  COALESCE_CHECK(cuda::cc100::load<32>::sources.transactions.evidence == co::evidence::documented);
  COALESCE_CHECK(cuda::cc103::load<32>::sources.transactions.evidence == co::evidence::inferred);
  COALESCE_CHECK(cuda::cc107::load<32>::sources.transactions.evidence == co::evidence::inferred);
  COALESCE_CHECK(cuda::cc120::load<32>::sources.transactions.evidence == co::evidence::documented);
  COALESCE_CHECK(cuda::cc121::load<32>::sources.transactions.evidence == co::evidence::inferred);
}
TEST_CASE("PTX ISA: 256 bits are of global memory, on sm_100 and later; that is documented, and nothing is assumed") {
  auto const check = []<class Device>() {
    constexpr auto widest = Device::row::widest_bits;
    COALESCE_CHECK(widest.value == 256);
    COALESCE_CHECK(Device::row::widest_shared_bits.value == 128);
    COALESCE_CHECK(widest.from.evidence == co::evidence::documented);
    CHECK(std::string(widest.from.claim).find("global memory") != std::string::npos);
    CHECK(std::string(widest.from.assumes) == "");
  };
  with_256_bits::each(check);
  COALESCE_CHECK(cuda::row<90>::widest_bits.value == 128);
}

// ---- Stores ----

TEST_CASE("NCU 2.11.3: sectors that a store covers only in part") {
  using store = cuda::cc90::store<32>;
  COALESCE_CHECK(co::cost<store>(at_128).partial_sectors == 0);
  COALESCE_CHECK(co::cost<store>(at_132).partial_sectors == 2);
  COALESCE_CHECK(co::cost<store>(at_128, 0x7fff'ffff).partial_sectors == 1);
  COALESCE_CHECK(co::cost<store>(co::linear{.base = 0, .stride = 8}).partial_sectors == 8);
  COALESCE_CHECK(co::cost<store>([](unsigned lane) { return 4 * (lane ^ 5); }).partial_sectors == 0);
  COALESCE_CHECK(co::cost<store>(co::broadcast{}).partial_sectors == 1);
  COALESCE_CHECK(co::cost<cuda::cc90::store<128>>(co::linear{.base = 0, .stride = 32}).partial_sectors == 32);
  COALESCE_CHECK(co::cost<cuda::cc20::store<32>>(at_132).partial_sectors == 2);
}
TEST_CASE("PG3.2 G.4.2: of lanes that write one location, one writes") {
  COALESCE_CHECK(co::cost<cuda::cc20::store<32>>(co::broadcast{}).operations == 1);
  COALESCE_CHECK(co::cost<cuda::cc90::store<32>>([](unsigned lane) { return lane / 4 * 4; }).operations == 8);
  COALESCE_CHECK(co::cost<cuda::cc61::store<64>>(co::linear{.base = 0, .stride = 8}).operations == 32);
}

// ---- The two SAXPY kernels of benfattori.com, Sectors, Coalescing and Vector Loads in CUDA ----

TEST_CASE(
    "benfattori.com, Sectors, Coalescing and Vector Loads: the first warps of the kernels make 16 and 32 sectors a "
    "request on every CC from 5.0 on") {
  auto const check = []<class Device>() {
    using float4 = typename Device::template load<128>;
    constexpr co::linear coalesced{.stride = 16}, strided{.stride = 4 * 4096 * 4};  // 4 * tid + row * K, in floats
    COALESCE_CHECK(co::cost<float4>(coalesced).transactions == 16);
    COALESCE_CHECK(co::cost<float4>(coalesced).bytes_used == co::cost<float4>(coalesced).bytes_moved);
    COALESCE_CHECK(co::cost<float4>(strided).transactions == 32);
    COALESCE_CHECK(2 * co::cost<float4>(strided).bytes_used == co::cost<float4>(strided).bytes_moved);
    COALESCE_CHECK(co::cost<typename Device::template store<128>>(strided).transactions == 32);
    // "data for thread 0 and thread 1 is contained in a single sector"
    COALESCE_CHECK(co::transactions<float4>(coalesced)[0].lanes == 0b11);
    COALESCE_CHECK(co::transactions<float4>(coalesced)[15].lanes == 0xc000'0000);
    for (unsigned k = 0; k != 16; ++k)
      CHECK(co::transactions<float4>(coalesced)[k].lanes == std::uint64_t{0b11} << 2 * k);
    COALESCE_CHECK(co::transactions<float4>(strided)[1].lanes == 0b10);
  };
  maxwell_and_pascal::each(check);
  volta_on::each(check);
}
TEST_CASE("benfattori.com, TL;DR: scalar loads take four times the requests for the same sectors (CC 7.0 and later)") {
  volta_on::each([]<class Device>() {
    constexpr auto vector = co::cost<typename Device::template load<128>>(co::linear{.stride = 16});
    constexpr auto scalar = co::cost<typename Device::template load<32>>(co::linear{.stride = 4}) * 4;
    COALESCE_CHECK(scalar.requests == 4 * vector.requests);
    COALESCE_CHECK(scalar.transactions == vector.transactions);
    COALESCE_CHECK(scalar.bytes_used == vector.bytes_used);
  });
}
TEST_CASE("benfattori.com's TL;DR does not hold on CC 5.x and 6.x, which split a float4 warp into 16 requests") {
  COALESCE_CHECK((co::cost<cuda::cc61::load<32>>(co::linear{.stride = 4}) * 4).requests ==
                 co::cost<cuda::cc61::load<128>>(co::linear{.stride = 16}).requests);
}

// ---- Against the oracle ----

TEST_CASE("CC 5.x and 6.x agree with the oracle on 100,000 random accesses") {
  CHECK(at_every_width<load_52>(share(10'000), split_sectors) == 0);
  CHECK(at_every_width<store_61>(share(10'000), split_sectors) == 0);
}
TEST_CASE("CC 7.0 and later agree with the oracle on 108,000 random accesses") {
  CHECK(at_every_width<load_75>(share(6'000), whole_sectors) == 0);
  CHECK(at_every_width<load_90>(share(7'000), whole_sectors) == 0);
  CHECK(at_every_width<store_90>(share(7'000), whole_sectors) == 0);
  CHECK(disagreements<cuda::cc100::load<256>>(share(4'000), whole_sectors) == 0);
  CHECK(disagreements<cuda::cc121::store<256>>(share(4'000), whole_sectors) == 0);
}
TEST_CASE("wavefronts and lines agree with the oracle") {
  auto const check = []<class Load>() {
    unsigned const parts = Load::bytes <= 4 ? 1 : Load::bytes / 4;
    std::vector<std::vector<unsigned>> lists(parts);
    for (unsigned lane = 0; lane != 32; ++lane) lists[lane / (32 / parts)].push_back(lane);
    warp_accesses accesses(Load::bytes, 6);
    unsigned noticed = 0;
    for (unsigned n = 0; n != 3'000; ++n) {
      auto const made = accesses.next();
      auto const cost = co::cost<Load>(made.address, made.active);
      std::uint64_t wavefronts = 0, of_16_banks = 0;
      for (auto const rounds : bank_rounds(made, Load::bytes, lists, 32, 4)) wavefronts += rounds;
      for (auto const rounds : bank_rounds(made, Load::bytes, lists, 16, 4)) of_16_banks += rounds;
      auto const lines = touched_pieces(touched_bytes(made, Load::bytes), 128).size();
      CHECK(cost.data_wavefronts == wavefronts);
      CHECK(cost.lines == lines);
      CHECK(cost.tag_wavefronts_at_least == lines / 4 + (lines % 4 != 0));
      noticed += cost.data_wavefronts != of_16_banks;
    }
    CHECK(noticed > 10);
  };
  devices<load_90<8>, load_90<16>, load_90<32>, load_90<64>, load_90<128>, cuda::cc100::load<256>>::each(check);
}

// ---- Properties ----

TEST_CASE("CC 5.0 and later: sectors do not depend on the order of the lanes, and fewer lanes never cost more") {
  std::mt19937_64 engine(4);
  auto const check = [&]<class Load>() {
    warp_accesses accesses(Load::bytes, 7);
    for (unsigned n = 0; n != 2'000; ++n) {
      auto made = accesses.next();
      auto const all = co::cost<Load>(made.address, made.active),
                 some = co::cost<Load>(made.address, made.active & engine());
      CHECK(some.transactions <= all.transactions);
      CHECK(some.bytes_used <= all.bytes_used);
      auto shuffled = made.address;
      std::shuffle(shuffled.begin(), shuffled.begin() + 32, engine);
      CHECK(co::cost<Load>(shuffled).transactions == co::cost<Load>(made.address).transactions);
    }
  };
  devices<load_52<32>, load_52<128>, load_75<32>, load_90<64>, load_90<128>, cuda::cc121::load<256>>::each(check);
}
