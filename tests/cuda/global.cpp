// SPDX-License-Identifier: BSL-1.0
#include <coalesce/cuda.hpp>

#include "../check.hpp"
#include "devices.hpp"
#include "oracle.hpp"

#include <initializer_list>
#include <string>

namespace co = coalescing;
using namespace coalescing_tests;
using cuda::caching;

namespace {

struct expected_piece {
  std::uint64_t address, bytes;
};

/// The transactions are these, in order.
template <class Instruction, class Pattern>
constexpr bool makes(Pattern const& pattern, std::uint64_t active, std::initializer_list<expected_piece> pieces) {
  auto const list = co::transactions<Instruction>(pattern, active);
  if (list.size() != pieces.size() || co::cost<Instruction>(pattern, active).transactions != pieces.size())
    return false;
  std::uint64_t at = 0, moved = 0;
  for (auto const& piece : pieces) {
    if (list[at].address != piece.address || list[at].bytes != piece.bytes) return false;
    moved += piece.bytes, ++at;
  }
  return co::cost<Instruction>(pattern, active).bytes_moved == moved;
}
template <class Instruction, class Pattern>
constexpr std::uint64_t count(Pattern const& pattern, std::uint64_t active = co::all_lanes) {
  return co::cost<Instruction>(pattern, active).transactions;
}

constexpr std::uint64_t warp = 0xffff'ffff, half = 0xffff;
constexpr co::linear at_128{.base = 128, .stride = 4}, at_132{.base = 132, .stride = 4};
/// PG5.5 figure 16, middle: lanes 3 and 4, and 25 and 26, have changed places.
constexpr auto swapped = [](unsigned lane) {
  unsigned const word = lane == 3 ? 4 : lane == 4 ? 3 : lane == 25 ? 26 : lane == 26 ? 25 : lane;
  return 128 + 4 * word;
};

}  // namespace

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
                 16);                                                            // 5-3 left
  COALESCE_CHECK(count<cuda::cc10::load<32>>(co::linear{128, 12}, half) == 16);  // 5-3 right
}
TEST_CASE(
    "PG3.2 G.3.2.1: words of 8 and 16 bytes are one and two segments of 128 bytes; alignment of the later editions") {
  COALESCE_CHECK(makes<cuda::cc10::load<64>>(co::linear{128, 8}, half, {{128, 128}}));
  COALESCE_CHECK(count<cuda::cc10::load<64>>(co::linear{64, 8}, half) == 16);
  COALESCE_CHECK(makes<cuda::cc10::load<128>>(co::linear{0, 16}, half, {{0, 128}, {128, 128}}));
  COALESCE_CHECK(
      makes<cuda::cc10::load<128>>(co::linear{128, 16}, half, {{128, 128}, {256, 128}}));  // PG2.0: not coalesced
  COALESCE_CHECK(count<cuda::cc10::load<128>>(co::linear{64, 16}, half) == 16);
}
TEST_CASE("PG3.2 G.3.2.1: whole segments are moved even where lanes are inactive") {
  COALESCE_CHECK(makes<cuda::cc10::load<128>>(co::linear{0, 16}, 1, {{0, 128}, {128, 128}}));
  COALESCE_CHECK(makes<cuda::cc10::load<32>>(at_128, 0x8000'0000, {{192, 64}}));
  COALESCE_CHECK(makes<cuda::cc10::load<32>>(at_128, 0, {}));
}
TEST_CASE(
    "CC 1.0: segments around address 0, which inactive lanes would have before it, are listed in ascending order") {
  COALESCE_CHECK(makes<cuda::cc10::load<128>>([](unsigned lane) { return 16 * (lane - 8); }, 0xff00,
                                              {{0, 128}, {~std::uint64_t{127}, 128}}));
}
TEST_CASE("CC 1.0: bytes and shorts never coalesce, and one word for all lanes is no broadcast") {
  COALESCE_CHECK(count<cuda::cc10::load<8>>(co::linear{128, 1}) == 32);
  COALESCE_CHECK(count<cuda::cc10::load<16>>(co::linear{128, 2}) == 32);
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
  COALESCE_CHECK(makes<cuda::cc12::load<32>>(co::linear{136, 4}, half, {{128, 128}}));                     // centre
  COALESCE_CHECK(makes<cuda::cc12::load<32>>(co::linear{116, 4}, half, {{96, 32}, {128, 64}}));            // right
}
TEST_CASE("facts 2, CC 1.2: strides and word sizes of a half-warp") {
  COALESCE_CHECK(makes<cuda::cc12::load<32>>(co::linear{0, 8}, half, {{0, 128}}));
  COALESCE_CHECK(count<cuda::cc12::load<32>>(co::linear{0, 128}, half) == 16);
  COALESCE_CHECK(co::cost<cuda::cc12::load<32>>(co::linear{0, 128}, half).bytes_moved == 16 * 32);
  COALESCE_CHECK(makes<cuda::cc12::load<8>>(co::linear{0, 1}, half, {{0, 32}}));
  COALESCE_CHECK(co::cost<cuda::cc12::load<8>>(co::linear{0, 1}, half).bytes_used == 16);
  COALESCE_CHECK(makes<cuda::cc12::load<16>>(co::linear{0, 2}, half, {{0, 32}}));
  COALESCE_CHECK(makes<cuda::cc12::load<64>>(co::linear{0, 8}, half, {{0, 128}}));
  COALESCE_CHECK(makes<cuda::cc12::load<128>>(co::linear{0, 16}, half, {{0, 128}, {128, 128}}));
  COALESCE_CHECK(makes<cuda::cc12::load<128>>(co::broadcast{16}, half, {{0, 32}}));
}

// ---- Seed 002, the six pictures. Their bases are lost: each test states one that gives the seed's words ----

TEST_CASE("seed 002 (1), CC 1.0, base 128: the 4th thread does not take part, one 64-byte transaction") {
  COALESCE_CHECK(makes<cuda::cc10::load<32>>(at_128, half & ~0b1000u, {{128, 64}}));
}
TEST_CASE("seed 002 (2), CC 1.0, base 128: out of sequence, 16 transactions of 32 bytes for 4 each") {
  COALESCE_CHECK(count<cuda::cc10::load<32>>(swapped, half) == 16);
  COALESCE_CHECK(co::cost<cuda::cc10::load<32>>(swapped, half).bytes_moved == 512);
  COALESCE_CHECK(co::cost<cuda::cc10::load<32>>(swapped, half).bytes_used == 64);
}
TEST_CASE("seed 002 (3), CC 1.0, base 132: misaligned, 64 of 512 bytes used") {
  COALESCE_CHECK(co::cost<cuda::cc10::load<32>>(at_132, half) ==
                 cuda::load_cost<>{.requests = 1, .transactions = 16, .bytes_moved = 512, .bytes_used = 64});
}
TEST_CASE("seed 002 (4), CC 1.2, base 128: out of sequence within 64 bytes, one 64-byte transaction") {
  COALESCE_CHECK(makes<cuda::cc12::load<32>>(swapped, half, {{128, 64}}));
}
TEST_CASE("seed 002 (5), CC 1.2, base 80: across a 128-byte boundary, 64 and 32 bytes") {
  COALESCE_CHECK(makes<cuda::cc12::load<32>>(co::linear{80, 4}, half, {{64, 64}, {128, 32}}));
}
TEST_CASE(
    "seed 002 (6), CC 1.2, base 4: 15 threads in the lower half of a 128-byte segment, one in the upper: 128 bytes") {
  COALESCE_CHECK(makes<cuda::cc12::load<32>>(co::linear{4, 4}, half, {{0, 128}}));
}
TEST_CASE("seed 002 is wrong where it says '1.2 and higher': from CC 2.0 on there is no such protocol") {
  COALESCE_CHECK(makes<cuda::cc20::load<32>>(co::linear{80, 4}, half, {{0, 128}, {128, 128}}));
  COALESCE_CHECK(makes<cuda::cc50::load<32>>(co::linear{80, 4}, half, {{64, 32}, {96, 32}, {128, 32}}));
}
TEST_CASE("seed 002 is wrong where it says 32-, 64- or 128-bit words: from CC 1.2 on bytes and shorts coalesce") {
  COALESCE_CHECK(count<cuda::cc11::load<8>>(co::linear{0, 1}, half) == 16);
  COALESCE_CHECK(count<cuda::cc12::load<8>>(co::linear{0, 1}, half) == 1);
}

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
  COALESCE_CHECK(count<cuda::cc20::load<32>>(co::linear{0, 8}) == 2);
  COALESCE_CHECK(count<cuda::cc20::load<32, caching::l2>>(co::linear{0, 8}) == 8);
  COALESCE_CHECK(count<cuda::cc20::load<32>>(co::broadcast{}) == 1);
  COALESCE_CHECK(count<cuda::cc20::load<32, caching::l2>>(co::broadcast{}) == 1);
}
TEST_CASE("PG3.2 G.4.2: words of 8 bytes are two requests, of 16 bytes four, and nothing merges across them") {
  using wide = cuda::cc20::load<64>;
  using widest = cuda::cc20::load<128>;
  COALESCE_CHECK(co::cost<cuda::cc20::load<32>>(co::linear{0, 4}).requests == 1);
  COALESCE_CHECK(co::cost<wide>(co::linear{0, 8}) ==
                 cuda::load_cost<>{.requests = 2, .transactions = 2, .bytes_moved = 256, .bytes_used = 256});
  COALESCE_CHECK(count<cuda::cc20::load<64, caching::l2>>(co::linear{0, 8}) == 8);
  COALESCE_CHECK(co::cost<widest>(co::linear{0, 16}) ==
                 cuda::load_cost<>{.requests = 4, .transactions = 4, .bytes_moved = 512, .bytes_used = 512});
  COALESCE_CHECK(count<cuda::cc20::load<128, caching::l2>>(co::linear{0, 16}) == 16);
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

// ---- CC 5.x and 6.x ----

TEST_CASE("facts 5, CC 5.x and 6.x: sectors") {
  maxwell_and_pascal::each([]<class Device>() {
    using load = typename Device::template load<32>;
    COALESCE_CHECK(count<load>(at_128) == 4);
    COALESCE_CHECK(count<load>(at_132) == 5);
    COALESCE_CHECK(count<load>(co::linear{0, 8}) == 8);
    COALESCE_CHECK(count<load>(co::linear{0, 32}) == 32);
    COALESCE_CHECK(count<typename Device::template load<64>>(co::linear{0, 8}) == 8);
    COALESCE_CHECK(count<typename Device::template load<128>>(co::linear{0, 16}) == 16);
  });
}
TEST_CASE("forum 49571, CC 5.x and 6.x: requests of 8, 4 or 2 lanes by word size") {
  maxwell_and_pascal::each([]<class Device>() {
    COALESCE_CHECK(co::cost<typename Device::template load<8>>(co::linear{0, 1}).requests == 4);
    COALESCE_CHECK(co::cost<typename Device::template load<32>>(co::linear{0, 4}).requests == 4);
    COALESCE_CHECK(co::cost<typename Device::template load<64>>(co::linear{0, 8}).requests == 8);
    COALESCE_CHECK(co::cost<typename Device::template load<128>>(co::linear{0, 16}).requests == 16);
    COALESCE_CHECK(co::cost<typename Device::template load<32>>(co::linear{0, 4}, 0x101).requests == 2);
  });
}
TEST_CASE(
    "CC 5.x: a sector that two requests share is counted once, as in NVIDIA's figure of 5 for a misaligned warp") {
  COALESCE_CHECK(count<cuda::cc61::load<32>>(at_132) == 5);  // summed over the requests it would be 8
}

// ---- CC 7.0 and later ----

TEST_CASE("facts 6.7, CC 7.0 and later: sectors, lines and their ideal by word size") {
  volta_on::each([]<class Device>() {
    using load = typename Device::template load<32>;
    COALESCE_CHECK(co::cost<load>(at_128).transactions == 4);  // BPG13 figure 3
    COALESCE_CHECK(co::cost<load>(at_128).lines == 1);
    COALESCE_CHECK(co::cost<load>(at_132).transactions == 5);  // BPG13 figure 4
    COALESCE_CHECK(co::cost<load>(at_132).lines == 2);
    COALESCE_CHECK(co::cost<load>(co::linear{0, 8}).transactions == 8);  // BPG13 figure 6
    COALESCE_CHECK(co::cost<load>(co::linear{0, 8}).lines == 2);
    COALESCE_CHECK(co::cost<load>(co::linear{0, 32}).transactions == 32);  // PG13 figure 11: 1024 bytes, 12.5 % used
    COALESCE_CHECK(co::cost<load>(co::linear{0, 32}).bytes_moved == 1024);
    COALESCE_CHECK(co::cost<load>(co::linear{0, 32}).bytes_used == 128);
    COALESCE_CHECK(co::cost<typename Device::template load<64>>(co::linear{0, 8}).transactions == 8);
    COALESCE_CHECK(co::cost<typename Device::template load<64>>(co::linear{0, 8}).lines == 2);
    COALESCE_CHECK(co::cost<typename Device::template load<128>>(co::linear{0, 16}).transactions == 16);
    COALESCE_CHECK(co::cost<typename Device::template load<128>>(co::linear{0, 16}).lines == 4);
    COALESCE_CHECK(co::cost<typename Device::template load<16>>(co::linear{0, 2}).transactions == 2);
    COALESCE_CHECK(co::cost<typename Device::template load<8>>(co::linear{0, 1}).transactions == 1);
  });
}
TEST_CASE(
    "NCU 2.11.2: the ideal sectors of a request are 4, 8 and 16 for 32, 64 and 128 bits; inferred: 1, 2, and 32 for "
    "256") {
  COALESCE_CHECK(cuda::cc90::load<8>::ideal_transactions == 1);
  COALESCE_CHECK(cuda::cc90::load<16>::ideal_transactions == 2);
  COALESCE_CHECK(cuda::cc90::load<32>::ideal_transactions == 4);
  COALESCE_CHECK(cuda::cc61::load<64>::ideal_transactions == 8);
  COALESCE_CHECK(cuda::cc90::store<128>::ideal_transactions == 16);
  COALESCE_CHECK(cuda::cc100::load<256>::ideal_transactions == 32);
  COALESCE_CHECK(co::footprint<32, 32>(co::linear{.stride = 16}, 16) == 32 * cuda::cc90::load<128>::ideal_transactions);
}
TEST_CASE("cold footprints of the strided SAXPY warp at 32, 64 and 128 bytes (facts 6.3: no default is documented)") {
  constexpr co::linear strided{.stride = 65536};
  COALESCE_CHECK(co::footprint<32, 32>(strided, 16) == 1024);
  COALESCE_CHECK(co::footprint<64, 32>(strided, 16) == 2048);
  COALESCE_CHECK(co::footprint<128, 32>(strided, 16) == 4096);
  COALESCE_CHECK(co::footprint<64, cuda::cc89::load<128>>(strided) == 2048);
  COALESCE_CHECK(co::footprint<32, cuda::cc89::load<128>>(strided, 0xffff) == 512);
}
TEST_CASE("BPG13, offsetCopy on V100: 4 sectors where the offset is a multiple of 8 words, else 5") {
  for (std::uint64_t offset = 0; offset != 33; ++offset)
    CHECK(count<cuda::cc70::load<32>>(co::linear{4 * offset, 4}) == (offset % 8 == 0 ? 4 : 5));
}
TEST_CASE("CC 10.0 and later: 32 sectors are the ideal of 256-bit accesses, at any stride") {
  with_256_bits::each([]<class Device>() {
    using load = typename Device::template load<256>;
    COALESCE_CHECK(co::cost<load>(co::linear{0, 32}).transactions == 32);
    COALESCE_CHECK(co::cost<load>(co::linear{0, 32}).lines == 8);
    COALESCE_CHECK(co::cost<load>(co::linear{0, 32}).data_wavefronts == 8);
    COALESCE_CHECK(co::cost<load>(co::linear{0, 4096}).bytes_used == co::cost<load>(co::linear{0, 4096}).bytes_moved);
    COALESCE_CHECK(co::cost<typename Device::template store<256>>(co::linear{0, 4096}).partial_sectors == 0);
    COALESCE_CHECK(load::sources.transactions.evidence == co::evidence::inferred);
  });
}
TEST_CASE("one request for the warp; 0 of everything where no lane is active (forum 312884)") {
  volta_on::each([]<class Device>() {
    using load = typename Device::template load<128>;
    COALESCE_CHECK(co::cost<load>(co::linear{0, 16}).requests == 1);
    COALESCE_CHECK(co::cost<load>(co::linear{0, 16}, 0) == cuda::volta_load_cost<>{});
    COALESCE_CHECK(co::cost<typename Device::template store<32>>(co::linear{0, 4}, 0) == cuda::volta_store_cost<>{});
    COALESCE_CHECK(co::cost<load>(co::linear{0, 128}, 1).transactions == 1);
    COALESCE_CHECK(co::cost<load>(co::linear{0, 128}).transactions == 32);
  });
}
TEST_CASE("L1 wavefronts: the data stage has shared memory's banks, the tag stage four lines a cycle") {
  using load = cuda::cc90::load<32>;
  COALESCE_CHECK(co::cost<load>(co::linear{0, 4}).data_wavefronts == 1);
  COALESCE_CHECK(co::cost<load>(co::linear{0, 4}).tag_wavefronts_at_least == 1);
  COALESCE_CHECK(co::cost<load>(co::linear{0, 128}).data_wavefronts == 32);
  COALESCE_CHECK(co::cost<load>(co::linear{0, 128}).tag_wavefronts_at_least == 8);
  COALESCE_CHECK(co::cost<load>(co::linear{0, 8}).data_wavefronts == 2);
  COALESCE_CHECK(co::cost<load>(co::broadcast{}).data_wavefronts == 1);
  COALESCE_CHECK(co::cost<cuda::cc90::load<64>>(co::linear{0, 8}).data_wavefronts == 2);
  COALESCE_CHECK(co::cost<cuda::cc90::load<64>>(co::broadcast{}).data_wavefronts == 2);  // no merging (gpu-benches)
  COALESCE_CHECK(co::cost<cuda::cc90::load<128>>(co::linear{0, 16}).data_wavefronts == 4);
  COALESCE_CHECK(co::cost<cuda::cc90::load<128>>(co::linear{0, 65536}).data_wavefronts == 32);
  COALESCE_CHECK(co::cost<cuda::cc90::load<128>>(co::linear{0, 65536}).tag_wavefronts_at_least == 8);
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
  COALESCE_CHECK(cuda::cc120::load<32>::sources.transactions.evidence == co::evidence::documented);
  COALESCE_CHECK(cuda::cc121::load<32>::sources.transactions.evidence == co::evidence::inferred);
}

// ---- Stores, atomics, constants ----

TEST_CASE("NCU 2.11.3: sectors that a store covers only in part") {
  using store = cuda::cc90::store<32>;
  COALESCE_CHECK(co::cost<store>(at_128).partial_sectors == 0);
  COALESCE_CHECK(co::cost<store>(at_132).partial_sectors == 2);
  COALESCE_CHECK(co::cost<store>(at_128, 0x7fff'ffff).partial_sectors == 1);
  COALESCE_CHECK(co::cost<store>(co::linear{0, 8}).partial_sectors == 8);
  COALESCE_CHECK(co::cost<store>([](unsigned lane) { return 4 * (lane ^ 5); }).partial_sectors == 0);
  COALESCE_CHECK(co::cost<store>(co::broadcast{}).partial_sectors == 1);
  COALESCE_CHECK(co::cost<cuda::cc90::store<128>>(co::linear{0, 32}).partial_sectors == 32);
  COALESCE_CHECK(co::cost<cuda::cc20::store<32>>(at_132).partial_sectors == 2);
}
TEST_CASE("PG3.2 G.4.2: of lanes that write one location, one writes") {
  COALESCE_CHECK(co::cost<cuda::cc20::store<32>>(co::broadcast{}).operations == 1);
  COALESCE_CHECK(co::cost<cuda::cc90::store<32>>([](unsigned lane) { return lane / 4 * 4; }).operations == 8);
  COALESCE_CHECK(co::cost<cuda::cc61::store<64>>(co::linear{0, 8}).operations == 32);
}
TEST_CASE("atomics: sectors, one operation for each lane, and the most on one address") {
  using atomic = cuda::cc90::atomic<32>;
  COALESCE_CHECK(
      co::cost<atomic>(co::linear{0, 4}) ==
      cuda::atomic_cost<>{
          .transactions = 4, .bytes_moved = 128, .bytes_used = 128, .operations = 32, .lanes_on_one_address = 1});
  COALESCE_CHECK(co::cost<atomic>(co::broadcast{}).transactions == 1);
  COALESCE_CHECK(co::cost<atomic>(co::broadcast{}).operations == 32);
  COALESCE_CHECK(co::cost<atomic>(co::broadcast{}).lanes_on_one_address == 32);
  COALESCE_CHECK(co::cost<atomic>([](unsigned lane) { return lane % 5 * 4; }).lanes_on_one_address == 7);
  COALESCE_CHECK(co::cost<cuda::cc20::atomic<64>>(co::linear{0, 8}).transactions == 8);
  COALESCE_CHECK(co::cost<atomic>(co::broadcast{}, 0) == cuda::atomic_cost<>{});
}
TEST_CASE("PG5.5 5.3.2: a constant load is as many requests as different addresses; CC 1.x by half-warps") {
  COALESCE_CHECK(co::cost<cuda::cc90::constant_load<32>>(co::broadcast{}).requests == 1);
  COALESCE_CHECK(co::cost<cuda::cc90::constant_load<32>>(co::linear{0, 4}).requests == 32);
  COALESCE_CHECK(co::cost<cuda::cc20::constant_load<32>>([](unsigned lane) { return lane / 16 * 4; }).requests == 2);
  COALESCE_CHECK(co::cost<cuda::cc10::constant_load<32>>(co::broadcast{}).requests == 2);
  COALESCE_CHECK(co::cost<cuda::cc13::constant_load<64>>(co::broadcast{}, half).requests == 1);
  COALESCE_CHECK(co::cost<cuda::cc90::constant_load<32>>(co::broadcast{}, 0).requests == 0);
}

// ---- Seed 004: the two SAXPY kernels ----

TEST_CASE("seed 004: the first warps of the kernels make 16 and 32 sectors a request on every CC from 5.0 on") {
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
TEST_CASE("seed 004, TL;DR: scalar loads take four times the requests for the same sectors (CC 7.0 and later)") {
  volta_on::each([]<class Device>() {
    constexpr auto vector = co::cost<typename Device::template load<128>>(co::linear{.stride = 16});
    constexpr auto scalar = co::cost<typename Device::template load<32>>(co::linear{.stride = 4}) * 4;
    COALESCE_CHECK(scalar.requests == 4 * vector.requests);
    COALESCE_CHECK(scalar.transactions == vector.transactions);
    COALESCE_CHECK(scalar.bytes_used == vector.bytes_used);
  });
}
TEST_CASE("seed 004's TL;DR does not hold on CC 5.x and 6.x, which split a float4 warp into 16 requests") {
  COALESCE_CHECK((co::cost<cuda::cc61::load<32>>(co::linear{.stride = 4}) * 4).requests ==
                 co::cost<cuda::cc61::load<128>>(co::linear{.stride = 16}).requests);
}

#ifdef __cpp_exceptions
TEST_CASE("words that are not naturally aligned are refused on every machine; bytes always are") {
  auto const check = []<class Device>() {
    CHECK_THROWS_AS(static_cast<void>(co::cost<typename Device::template load<16>>(co::linear{1, 2})), co::misuse);
    CHECK_THROWS_AS(static_cast<void>(co::cost<typename Device::template load<32>>(co::linear{2, 4})), co::misuse);
    CHECK_THROWS_AS(static_cast<void>(co::cost<typename Device::template load<64>>(co::linear{4, 8})), co::misuse);
    CHECK_THROWS_AS(static_cast<void>(co::cost<typename Device::template store<128>>(co::linear{8, 16})), co::misuse);
    CHECK_NOTHROW(static_cast<void>(co::cost<typename Device::template load<8>>(co::linear{1, 1})));
  };
  tesla::each(check), fermi_and_kepler::each(check), maxwell_and_pascal::each(check), volta_on::each(check);
  CHECK_THROWS_AS(static_cast<void>(co::cost<cuda::cc100::load<256>>(co::linear{16, 32})), co::misuse);
}
TEST_CASE("a warp has 32 lanes: a mask with others is refused, all_lanes and -1 are not") {
  CHECK_THROWS_AS(static_cast<void>(co::cost<cuda::cc90::load<32>>(co::linear{}, 0x1'0000'0000)), co::misuse);
  CHECK(co::cost<cuda::cc90::load<32>>(co::linear{0, 4}, -1).bytes_used == 128);
  CHECK(co::cost<cuda::cc90::load<32>>(co::linear{0, 4}, 0xffff'ffff).bytes_used == 128);
}
#endif

// ---- Against the oracle ----

namespace {

template <class Instruction>
std::vector<std::vector<piece>> listed(random_access const& made, std::vector<std::size_t> const& sizes) {
  auto const list = co::transactions<Instruction>(made.address, made.active);
  std::vector<std::vector<piece>> groups;
  std::uint64_t at = 0;
  for (auto const size : sizes) {
    groups.emplace_back();
    for (std::size_t n = 0; n != size && at != list.size(); ++n, ++at)
      groups.back().push_back({list[at].address, list[at].bytes, list[at].lanes});
  }
  if (at != list.size()) groups.emplace_back();
  return groups;
}

/// The list is the oracle's groups, in order, ascending within each; the cost counts them.
template <class Instruction>
bool agrees(random_access const& made, std::vector<std::vector<piece>> groups, std::uint64_t requests) {
  std::vector<std::size_t> sizes;
  std::uint64_t count = 0, moved = 0;
  for (auto& group : groups) {
    std::sort(group.begin(), group.end());
    sizes.push_back(group.size());
    for (auto const& one : group) ++count, moved += one.bytes;
  }
  auto found = listed<Instruction>(made, sizes);
  for (auto& group : found) {
    if (!std::is_sorted(group.begin(), group.end(), [](auto const& a, auto const& b) { return a.address < b.address; }))
      return false;
    std::sort(group.begin(), group.end());
  }
  auto const cost = co::cost<Instruction>(made.address, made.active);
  bool same = found == groups && cost.transactions == count && cost.bytes_moved == moved &&
              cost.bytes_used == touched_bytes(made, Instruction::bytes).size();
  if constexpr (requires { cost.requests; }) same = same && cost.requests == requests;
  if constexpr (requires { cost.partial_sectors; })
    same = same && cost.partial_sectors == sectors_in_part(made, Instruction::bytes) &&
           cost.operations == lanes_of_address(made).size();
  return same;
}

template <class Instruction, class Oracle>
unsigned disagreements(unsigned count, Oracle const& oracle) {
  unsigned found = 0;
  warp_accesses accesses(Instruction::bytes, Instruction::bytes + count);
  for (unsigned n = 0; n != count; ++n) {
    auto const made = accesses.next();
    auto const [groups, requests] = oracle(made, Instruction::bytes);
    found += !agrees<Instruction>(made, groups, requests);
  }
  return found;
}
using answer = std::pair<std::vector<std::vector<piece>>, std::uint64_t>;

auto const in_order_words = [](random_access const& made, unsigned bytes) {
  return answer{{in_order_half(made, 0, bytes), in_order_half(made, 16, bytes)}, parts_with_a_lane(made, 16)};
};
auto const segment_protocol = [](random_access const& made, unsigned bytes) {
  return answer{{protocol_half(made, 0, bytes), protocol_half(made, 16, bytes)}, parts_with_a_lane(made, 16)};
};
template <std::uint64_t Piece>
auto const requests_of = [](random_access const& made, unsigned bytes) {
  unsigned const lanes = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
  return answer{pieces_of_parts(made, bytes, lanes, Piece), parts_with_a_lane(made, lanes)};
};
auto const split_sectors = [](random_access const& made, unsigned bytes) {
  return answer{pieces_of_parts(made, bytes, 32, 32), parts_with_a_lane(made, bytes <= 4 ? 8 : bytes == 8 ? 4 : 2)};
};
auto const whole_sectors = [](random_access const& made, unsigned bytes) {
  return answer{pieces_of_parts(made, bytes, 32, 32), made.active != 0};
};

template <template <unsigned> class Instruction, class Oracle>
unsigned at_every_width(unsigned count, Oracle const& oracle) {
  return disagreements<Instruction<8>>(count, oracle) + disagreements<Instruction<16>>(count, oracle) +
         disagreements<Instruction<32>>(count, oracle) + disagreements<Instruction<64>>(count, oracle) +
         disagreements<Instruction<128>>(count, oracle);
}
template <unsigned Bits>
using load_10 = cuda::cc10::load<Bits>;
template <unsigned Bits>
using store_11 = cuda::cc11::store<Bits>;
template <unsigned Bits>
using load_12 = cuda::cc12::load<Bits>;
template <unsigned Bits>
using store_13 = cuda::cc13::store<Bits>;
template <unsigned Bits>
using load_20 = cuda::cc20::load<Bits>;
template <unsigned Bits>
using load_20_l2 = cuda::cc20::load<Bits, caching::l2>;
template <unsigned Bits>
using store_20 = cuda::cc20::store<Bits>;
template <unsigned Bits>
using load_35 = cuda::cc35::load<Bits>;
template <unsigned Bits>
using load_37_l1 = cuda::cc37::load<Bits, caching::l1>;
template <unsigned Bits>
using load_52 = cuda::cc52::load<Bits>;
template <unsigned Bits>
using store_61 = cuda::cc61::store<Bits>;
template <unsigned Bits>
using load_75 = cuda::cc75::load<Bits>;
template <unsigned Bits>
using load_90 = cuda::cc90::load<Bits>;
template <unsigned Bits>
using store_90 = cuda::cc90::store<Bits>;

}  // namespace

TEST_CASE("CC 1.0 and 1.1 agree with the oracle on 100,000 random accesses") {
  CHECK(at_every_width<load_10>(share(10'000), in_order_words) == 0);
  CHECK(at_every_width<store_11>(share(10'000), in_order_words) == 0);
}
TEST_CASE("CC 1.2 and 1.3 agree with the oracle on 100,000 random accesses") {
  CHECK(at_every_width<load_12>(share(10'000), segment_protocol) == 0);
  CHECK(at_every_width<store_13>(share(10'000), segment_protocol) == 0);
}
TEST_CASE("CC 2.x and 3.x agree with the oracle on 100,000 random accesses") {
  CHECK(at_every_width<load_20>(share(4'000), requests_of<128>) == 0);
  CHECK(at_every_width<load_20_l2>(share(4'000), requests_of<32>) == 0);
  CHECK(at_every_width<store_20>(share(4'000), requests_of<32>) == 0);
  CHECK(at_every_width<load_35>(share(4'000), requests_of<32>) == 0);
  CHECK(at_every_width<load_37_l1>(share(4'000), requests_of<128>) == 0);
}
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
TEST_CASE("atomics agree with the oracle, on both widths of two machines") {
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
  devices<cuda::cc20::atomic<32>, cuda::cc20::atomic<64>, cuda::cc90::atomic<32>, cuda::cc90::atomic<64>>::each(
      atomics);
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
TEST_CASE("levels: CC 1.x counts at DRAM, CC 6.x loads at L1 and its stores at L2") {
  COALESCE_CHECK(cuda::cc13::load<32>::level == co::level::dram);
  COALESCE_CHECK(cuda::cc52::load<32>::level == co::level::l2);
  COALESCE_CHECK(cuda::cc60::load<32>::level == co::level::l1);
  COALESCE_CHECK(cuda::cc60::store<32>::level == co::level::l2);
  COALESCE_CHECK(cuda::cc70::store<32>::level == co::level::l1);
  COALESCE_CHECK(cuda::cc90::atomic<32>::level == co::level::l2);
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
