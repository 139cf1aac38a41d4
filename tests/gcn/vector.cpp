// SPDX-License-Identifier: BSL-1.0
#include <coalesce/gcn.hpp>

#include "machinery/check.hpp"
#include "truth/oracle/gcn.hpp"

#include <utility>
#include <vector>

namespace co = coalescing;
namespace gcn = co::gcn;
using namespace coalescing_tests;
using dword = gcn::buffer_load<32>;

namespace {

constexpr std::uint64_t B = 0x1000;  // a base aligned to 256 bytes

constexpr gcn::load_cost<> loads(std::uint64_t clocks, std::uint64_t lines, std::uint64_t used) {
  return {.clocks = clocks, .transactions = lines, .bytes_moved = 64 * lines, .bytes_used = used};
}

}  // namespace

// ---- L2: the whole wave, 64-byte aligned 64-byte requests ----

TEST_CASE("post, L2: all accesses to one aligned 64-byte line become one request") {
  COALESCE_CHECK(co::cost<dword>(co::broadcast{B}).transactions == 1);
  COALESCE_CHECK(co::cost<dword>([](unsigned lane) { return B + 4 * (lane * 3 % 16); }).transactions == 1);
}
TEST_CASE("post, L2: it is the wave that is grouped, not each 16 lanes") {
  // 64 shorts in 2 lines; lanes 0-15 and 48-63 on the same line
  COALESCE_CHECK(co::cost<gcn::buffer_load<16>>(co::linear{.base = B, .stride = 2}).transactions == 2);
  COALESCE_CHECK(co::cost<dword>([](unsigned lane) { return B + 4 * (lane % 16); }).transactions == 1);
}
TEST_CASE("post, L2: lines are aligned: the same dwords one element late take one more") {
  COALESCE_CHECK(co::cost<dword>(co::linear{.base = B, .stride = 4}).transactions == 4);
  COALESCE_CHECK(co::cost<dword>(co::linear{.base = B + 4, .stride = 4}).transactions == 5);
  COALESCE_CHECK(co::cost<dword>(co::linear{.base = B + 64, .stride = 4}).transactions == 4);
}
TEST_CASE("RCP, counters of MI100 and MI200: a double copy, 64 lanes x 8 bytes, is 8 requests") {
  COALESCE_CHECK(co::cost<gcn::buffer_load<64>>(co::linear{.base = B, .stride = 8}).transactions == 8);
  COALESCE_CHECK(co::cost<gcn::buffer_store<64>>(co::linear{.base = B, .stride = 8}).transactions == 8);
}
TEST_CASE("the lines of inactive lanes are not requested") {
  COALESCE_CHECK(co::cost<dword>(co::linear{.base = B, .stride = 64}, 0x8000'0000'0000'0001).transactions == 2);
  COALESCE_CHECK(co::cost<dword>(co::linear{.base = B, .stride = 64}, 0) == loads(0, 0, 0));
}

// ---- L1, buffers: the cases of the post, each with one that just misses it ----

TEST_CASE("post, L1 case 1: all invocations access the same address") {
  COALESCE_CHECK(co::cost<dword>(co::broadcast{B}) == loads(4, 1, 4));
  COALESCE_CHECK(co::cost<dword>([](unsigned lane) { return lane == 5 ? B + 16 : B; }).clocks == 1 + 1 + 1 + 4);
}
TEST_CASE("post, L1 case 2: all invocations in each aligned group of 4 access the same address") {
  COALESCE_CHECK(co::cost<dword>([](unsigned lane) { return B + 4 * (lane / 4); }) == loads(4, 1, 64));
  COALESCE_CHECK(co::cost<dword>([](unsigned lane) { return B + 4096 * (lane / 4); }).clocks == 4);
  COALESCE_CHECK(co::cost<dword>([](unsigned lane) { return B + 4096 * ((lane + 1) / 4); }).clocks ==
                 16);  // not aligned
}
TEST_CASE("post, L1 case 3: each aligned group of 4 accesses a block of 4 consecutive addresses") {
  COALESCE_CHECK(co::cost<dword>(co::linear{.base = B, .stride = 4}) == loads(4, 4, 256));
  COALESCE_CHECK(co::cost<dword>(co::linear{.base = B, .stride = 8}) == loads(16, 8, 256));
  COALESCE_CHECK(co::cost<dword>([](unsigned lane) { return B + 4096 * (lane / 4) + 4 * (lane % 4); }).clocks == 4);
}
TEST_CASE("post, L1 case 3: ordering in the 4 does not matter") {
  COALESCE_CHECK(co::cost<dword>([](unsigned lane) { return B + 4 * (lane ^ 1); }).clocks == 4);
  COALESCE_CHECK(co::cost<dword>([](unsigned lane) { return B + 4 * (lane ^ 3); }).clocks == 4);
  COALESCE_CHECK(co::cost<dword>([](unsigned lane) { return B + 4 * (63 - lane); }) == loads(4, 4, 256));
  COALESCE_CHECK(co::cost<dword>([](unsigned lane) { return B + 4 * (lane ^ 4); }).clocks == 4);  // whole quads move
  COALESCE_CHECK(co::cost<dword>([](unsigned lane) { return B + 4 * ((lane + 1) % 64); }).clocks ==
                 3 + 4);  // the last wraps
}
TEST_CASE("post: groups of 16 are decided one by one, and cost 1, or 1 for each of their quads") {
  COALESCE_CHECK(co::cost<dword>([](unsigned lane) { return B + (lane < 16 ? 8 : 4) * lane; }).clocks == 4 + 3);
  COALESCE_CHECK(co::cost<dword>([](unsigned lane) { return lane == 17 ? B : B + 4 * lane; }).clocks == 4 + 3);
}
TEST_CASE("post, L1: wider than 32 bits, or several channels: as images, 16 clocks") {
  COALESCE_CHECK(co::cost<gcn::buffer_load<64>>(co::linear{.base = B, .stride = 8}) == loads(16, 8, 512));
  COALESCE_CHECK(co::cost<gcn::buffer_load<32, 2>>(co::linear{.base = B, .stride = 8}) == loads(16, 8, 512));
  COALESCE_CHECK(co::cost<gcn::buffer_load<32, 3>>(co::linear{.base = B, .stride = 12}) == loads(16, 12, 768));
  COALESCE_CHECK(co::cost<gcn::buffer_load<96>>(co::linear{.base = B, .stride = 12}) == loads(16, 12, 768));
  COALESCE_CHECK(co::cost<gcn::buffer_load<32, 4>>(co::linear{.base = B, .stride = 16}) == loads(16, 16, 1024));
  COALESCE_CHECK(co::cost<gcn::buffer_load<128>>(co::linear{.base = B, .stride = 16}) == loads(16, 16, 1024));
  COALESCE_CHECK(co::cost<gcn::buffer_load<32, 4>>(co::broadcast{B}) == loads(16, 1, 16));
}
TEST_CASE("perftest M5: several channels never coalesce, not even RG8 at two bytes a lane") {
  COALESCE_CHECK(co::cost<gcn::buffer_load<8, 2>>(co::linear{.base = B, .stride = 2}) == loads(16, 2, 128));
  COALESCE_CHECK(co::cost<gcn::buffer_load<16>>(co::linear{.base = B, .stride = 2}) == loads(4, 2, 128));
}
TEST_CASE("perftest M1: the run of 4 may start anywhere and cross a line") {
  COALESCE_CHECK(co::cost<dword>(co::linear{.base = B + 4, .stride = 4}) == loads(4, 5, 256));
  COALESCE_CHECK(co::cost<dword>(co::linear{.base = B + 8, .stride = 4}).clocks == 4);
  COALESCE_CHECK(co::cost<dword>(co::linear{.base = B + 60, .stride = 4}).clocks == 4);
}
TEST_CASE("perftest M2: consecutive means the element's own size, from any start") {
  COALESCE_CHECK(co::cost<gcn::buffer_load<8>>(co::linear{.base = B, .stride = 1}) == loads(4, 1, 64));
  COALESCE_CHECK(co::cost<gcn::buffer_load<8>>(co::linear{.base = B + 3, .stride = 1}) == loads(4, 2, 64));
  COALESCE_CHECK(co::cost<gcn::buffer_load<16>>(co::linear{.base = B + 2, .stride = 2}) == loads(4, 3, 128));
  COALESCE_CHECK(co::cost<gcn::buffer_load<8>>(co::linear{.base = B, .stride = 2}).clocks == 16);
  COALESCE_CHECK(co::cost<gcn::buffer_load<8>>(co::linear{.base = B, .stride = 4}).clocks == 16);
}
TEST_CASE("perftest M3: 16 consecutive elements permuted across quads run at the quad rate") {
  COALESCE_CHECK(co::cost<dword>([](unsigned lane) { return B + 4 * (3 * lane % 16); }) == loads(16, 1, 64));
}
TEST_CASE("perftest M4: all lanes on one address of a typed buffer is fast") {
  COALESCE_CHECK(co::cost<gcn::buffer_load<8>>(co::broadcast{B}).clocks == 4);
}
TEST_CASE("inferred: repeats within a run are allowed; five elements are not a run") {
  COALESCE_CHECK(co::cost<dword>([](unsigned lane) { return B + 4 * (lane % 4 / 2 * 3); }).clocks == 4);   // 0 0 3 3
  COALESCE_CHECK(co::cost<dword>([](unsigned lane) { return B + 4 * (lane % 4 / 2 * 4); }).clocks == 16);  // 0 0 4 4
}
TEST_CASE("lanes far apart are no run, however far: 61 elements up, and a power of two down") {
  COALESCE_CHECK(co::cost<dword>([](unsigned lane) { return B + (lane % 4 == 1 ? 4 * 61 : 0); }).clocks == 16);
  COALESCE_CHECK(co::cost<dword>([](unsigned lane) { return lane % 4 == 1 ? 0 : std::uint64_t{1} << 40; }).clocks ==
                 16);
}
TEST_CASE("inferred: quads of different cases mix in a group") {
  COALESCE_CHECK(co::cost<dword>([](unsigned lane) { return lane / 4 % 2 == 0 ? B : B + 4 * lane; }).clocks == 4);
}
TEST_CASE("inferred: inactive lanes match anything; an empty quad or group costs nothing") {
  COALESCE_CHECK(co::cost<dword>(co::linear{.base = B, .stride = 4}, 0xffff) == loads(1, 1, 64));
  COALESCE_CHECK(co::cost<dword>(co::linear{.base = B, .stride = 4}, 0x5555'5555'5555'5555).clocks == 4);
  COALESCE_CHECK(co::cost<dword>(co::linear{.base = B, .stride = 8}, 0x3333'3333'3333'3333).clocks ==
                 4);  // two lanes, 0 and 8: 3 elements apart
  COALESCE_CHECK(co::cost<dword>(co::linear{.base = B, .stride = 8}, 0x000f).clocks == 1);
  COALESCE_CHECK(co::cost<dword>(co::linear{.base = B, .stride = 8}, 0xf00f).clocks == 2);
  COALESCE_CHECK(co::cost<gcn::buffer_load<64>>(co::linear{.base = B, .stride = 8}, 0x0001'0000'0000'0001).clocks == 2);
}

// ---- The patterns of the post and perftest, worked by hand ----

TEST_CASE("worked by hand: dword, short and byte loads") {
  COALESCE_CHECK(co::cost<dword>(co::linear{.base = B, .stride = 4}) == loads(4, 4, 256));                     // A
  COALESCE_CHECK(co::cost<dword>(co::linear{.base = B + 4, .stride = 4}) == loads(4, 5, 256));                 // B
  COALESCE_CHECK(co::cost<dword>([](unsigned lane) { return B + 4 * (63 - lane); }) == loads(4, 4, 256));      // C
  COALESCE_CHECK(co::cost<dword>(co::broadcast{B}) == loads(4, 1, 4));                                         // D
  COALESCE_CHECK(co::cost<dword>([](unsigned lane) { return B + 4 * (lane / 4); }) == loads(4, 1, 64));        // E
  COALESCE_CHECK(co::cost<dword>(co::linear{.base = B, .stride = 8}) == loads(16, 8, 256));                    // F
  COALESCE_CHECK(co::cost<dword>(co::linear{.base = B, .stride = 64}) == loads(16, 64, 256));                  // G
  COALESCE_CHECK(co::cost<dword>([](unsigned lane) { return B + 4 * (3 * lane % 16); }) == loads(16, 1, 64));  // I
  COALESCE_CHECK(co::cost<dword>([](unsigned lane) { return B + 4 * (lane ^ 1); }) == loads(4, 4, 256));       // K
  COALESCE_CHECK(co::cost<gcn::buffer_load<8>>(co::linear{.base = B, .stride = 1}) == loads(4, 1, 64));        // M
  COALESCE_CHECK(co::cost<gcn::buffer_load<16>>(co::linear{.base = B, .stride = 2}) == loads(4, 2, 128));      // N
  COALESCE_CHECK(co::cost<dword>(co::linear{.base = B, .stride = 4}, 0xffff) == loads(1, 1, 64));              // P
}
TEST_CASE("worked by hand: wide loads") {
  using x4 = gcn::buffer_load<32, 4>;
  COALESCE_CHECK(co::cost<gcn::buffer_load<32, 2>>(co::linear{.base = B, .stride = 8}) == loads(16, 8, 512));
  COALESCE_CHECK(co::cost<gcn::buffer_load<32, 3>>(co::linear{.base = B, .stride = 12}) == loads(16, 12, 768));
  COALESCE_CHECK(co::cost<x4>(co::linear{.base = B, .stride = 16}) == loads(16, 16, 1024));
  COALESCE_CHECK(co::cost<x4>(co::linear{.base = B + 4, .stride = 16}) == loads(16, 17, 1024));
  COALESCE_CHECK(co::cost<x4>(co::linear{.base = B, .stride = 64}) == loads(16, 64, 1024));
  COALESCE_CHECK(co::cost<x4>(co::broadcast{B}) == loads(16, 1, 16));
}

// ---- Images ----

TEST_CASE("post: point-sampled texels of up to 128 bits take 16 clocks, whatever the addresses") {
  COALESCE_CHECK(co::cost<gcn::image_load<8>>(co::linear{.base = B, .stride = 1}) == loads(16, 1, 64));
  COALESCE_CHECK(co::cost<gcn::image_load<32>>(co::linear{.base = B, .stride = 4}) == loads(16, 4, 256));
  COALESCE_CHECK(co::cost<gcn::image_load<32>>(co::broadcast{B}) == loads(16, 1, 4));
  COALESCE_CHECK(co::cost<gcn::image_load<128>>(co::linear{.base = B, .stride = 16}) == loads(16, 16, 1024));
}
TEST_CASE("post: filtered texels take 16, 32 or 64 clocks by size") {
  COALESCE_CHECK(co::cost<gcn::image_sample<8>>(co::linear{.base = B, .stride = 1}).clocks == 16);
  COALESCE_CHECK(co::cost<gcn::image_sample<16>>(co::linear{.base = B, .stride = 2}).clocks == 16);
  COALESCE_CHECK(co::cost<gcn::image_sample<32>>(co::linear{.base = B, .stride = 4}).clocks == 16);
  COALESCE_CHECK(co::cost<gcn::image_sample<64>>(co::linear{.base = B, .stride = 8}).clocks == 32);
  COALESCE_CHECK(co::cost<gcn::image_sample<128>>(co::linear{.base = B, .stride = 16}).clocks == 64);
}
TEST_CASE("images are served in aligned groups of 4 lanes: a quad without an active lane takes no clock") {
  COALESCE_CHECK(co::cost<gcn::image_load<32>>(co::linear{.base = B, .stride = 4}, 0xf).clocks == 1);
  COALESCE_CHECK(co::cost<gcn::image_load<32>>(co::linear{.base = B, .stride = 4}, 0b110000).clocks == 1);
  COALESCE_CHECK(co::cost<gcn::image_load<32>>(co::linear{.base = B, .stride = 4}, 0b1'1000).clocks ==
                 2);  // lanes 3 and 4
  COALESCE_CHECK(co::cost<gcn::image_sample<128>>(co::linear{.base = B, .stride = 16}, 1).clocks == 4);
}

// ---- Stores and atomics ----

TEST_CASE("post: stores of several lanes to one address collapse into one write") {
  COALESCE_CHECK(co::cost<gcn::buffer_store<32>>(co::broadcast{B}).operations == 1);
  COALESCE_CHECK(co::cost<gcn::buffer_store<32>>(co::broadcast{B}).transactions == 1);
  COALESCE_CHECK(co::cost<gcn::buffer_store<32>>([](unsigned lane) { return B + 4 * (lane / 2); }).operations == 32);
  COALESCE_CHECK(co::cost<gcn::buffer_store<32>>(co::linear{.base = B, .stride = 4}).operations == 64);
  COALESCE_CHECK(co::cost<gcn::image_store<32>>(co::broadcast{B}).operations == 1);
  COALESCE_CHECK(co::cost<gcn::buffer_store<32>>(co::broadcast{B}, 0).operations == 0);
}
TEST_CASE("stores that overlap at different addresses do not collapse") {
  COALESCE_CHECK(co::cost<gcn::buffer_store<32, 4>>(co::linear{.base = B, .stride = 4}).operations == 64);
  COALESCE_CHECK(co::cost<gcn::buffer_store<32, 4>>(co::linear{.base = B, .stride = 4}).bytes_used == 63 * 4 + 16);
}
TEST_CASE("post: atomics never collapse: one operation for each active lane, whatever the address") {
  COALESCE_CHECK(co::cost<gcn::buffer_atomic<32>>(co::broadcast{B}).operations == 64);
  COALESCE_CHECK(co::cost<gcn::buffer_atomic<32>>(co::broadcast{B}).transactions == 1);
  COALESCE_CHECK(co::cost<gcn::buffer_atomic<64>>(co::linear{.base = B, .stride = 8}).operations == 64);
  COALESCE_CHECK(co::cost<gcn::buffer_atomic<32>>(co::broadcast{B}, 0b1011).operations == 3);
}
TEST_CASE("stores and atomics never take the 16-lane path (POST lists loads only; CLRX times 16 clocks)") {
  COALESCE_CHECK(co::cost<gcn::buffer_store<32>>(co::linear{.base = B, .stride = 4}).clocks == 16);
  COALESCE_CHECK(co::cost<gcn::buffer_store<8>>(co::broadcast{B}).clocks == 16);
  COALESCE_CHECK(co::cost<gcn::buffer_atomic<32>>(co::linear{.base = B, .stride = 4}).clocks == 16);
  COALESCE_CHECK(co::cost<gcn::image_store<128>>(co::linear{.base = B, .stride = 16}).clocks == 16);
}

// ---- What an instruction says of itself ----

TEST_CASE("an instruction states its lanes, bytes, level, unit and period") {
  COALESCE_CHECK(dword::lanes == 64);
  COALESCE_CHECK(dword::bytes == 4);
  COALESCE_CHECK(gcn::buffer_load<8, 4>::bytes == 4);
  COALESCE_CHECK(dword::unit == 64);
  COALESCE_CHECK(dword::period == 64);
  COALESCE_CHECK(dword::level == co::level::l2);
  COALESCE_CHECK(gcn::buffer_load<16>::alignment == 1);
  COALESCE_CHECK(gcn::buffer_load<8, 4>::alignment == 4);
}
TEST_CASE("every number says how it is known") {
  COALESCE_CHECK(dword::sources.clocks.evidence == co::evidence::measured);
  COALESCE_CHECK(dword::sources.transactions.evidence == co::evidence::documented);
  COALESCE_CHECK(gcn::buffer_load<64>::sources.clocks.evidence == co::evidence::documented);
  COALESCE_CHECK(gcn::buffer_store<32>::sources.clocks.evidence == co::evidence::inferred);
  COALESCE_CHECK(gcn::buffer_store<32>::sources.operations.evidence == co::evidence::documented);
  COALESCE_CHECK(gcn::image_store<32>::sources.clocks.evidence == co::evidence::inferred);
  COALESCE_CHECK(gcn::image_sample<32>::sources.transactions.evidence == co::evidence::inferred);
  // The number also rests on an assumption, which stands apart from what was measured.
  CHECK(std::string(dword::sources.clocks.document) == "sebbbi/perftest");
  CHECK(std::string(dword::sources.clocks.assumes).find("inactive lanes") != std::string::npos);
  CHECK(std::string(dword::sources.transactions.assumes).empty());
}
namespace {

/// Of 0 to 129 bits those that exist, in order: of buffers with so many channels, of texels.
template <unsigned... Bits>
std::vector<unsigned> formats(unsigned channels, std::integer_sequence<unsigned, Bits...>) {
  std::vector<unsigned> found;
  auto const note = [&](unsigned bits, bool exists) {
    if (exists) found.push_back(bits);
  };
  switch (channels) {
    case 1:
      (note(Bits, gcn::buffer_format<Bits, 1>), ...);
      break;
    case 2:
      (note(Bits, gcn::buffer_format<Bits, 2>), ...);
      break;
    case 3:
      (note(Bits, gcn::buffer_format<Bits, 3>), ...);
      break;
    case 4:
      (note(Bits, gcn::buffer_format<Bits, 4>), ...);
      break;
    default:
      (note(Bits, gcn::buffer_format<Bits, 0> || gcn::buffer_format<Bits, 5>), ...);
  }
  return found;
}
template <unsigned... Bits>
std::vector<unsigned> texels(std::integer_sequence<unsigned, Bits...>) {
  std::vector<unsigned> found;
  ((gcn::texel_size<Bits> ? found.push_back(Bits) : void()), ...);
  return found;
}

}  // namespace

TEST_CASE("GCN3ISA 8.1: the formats of buffers, by channels, and the sizes of texels: these and no others") {
  constexpr auto all = std::make_integer_sequence<unsigned, 130>{};
  using list = std::vector<unsigned>;
  CHECK(formats(1, all) == list{8, 16, 32, 64, 96, 128});
  CHECK(formats(2, all) == list{8, 16, 32});
  CHECK(formats(3, all) == list{32});
  CHECK(formats(4, all) == list{8, 16, 32});
  CHECK(formats(0, all).empty());  // none and five
  CHECK(texels(all) == list{8, 16, 32, 64, 128});
}

#ifdef __cpp_exceptions
TEST_CASE("GCN3ISA 8.1.6: a dword or wider access that is not dword-aligned is refused, a narrower one is not") {
  CHECK_THROWS_AS(static_cast<void>(co::cost<dword>(co::linear{.base = B + 2, .stride = 4})), co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<gcn::buffer_load<8, 4>>(co::linear{.base = B + 1, .stride = 4})),
                  co::misuse);
  CHECK_THROWS_AS(static_cast<void>(co::cost<gcn::buffer_store<32, 4>>(co::linear{.base = B + 2, .stride = 16})),
                  co::misuse);
  CHECK_NOTHROW(static_cast<void>(co::cost<gcn::buffer_load<32, 4>>(co::linear{.base = B + 4, .stride = 16})));
  CHECK_NOTHROW(static_cast<void>(co::cost<gcn::buffer_load<16>>(co::linear{.base = B + 1, .stride = 2})));
  CHECK_NOTHROW(static_cast<void>(co::cost<gcn::buffer_load<8>>(co::linear{.base = B + 1, .stride = 1})));
}
#endif

// ---- The post's summary ----

TEST_CASE("post: summary of peak throughput per wave") {
  COALESCE_CHECK(gcn::peak_clocks<gcn::buffer_load<32>> == 4);
  COALESCE_CHECK(gcn::peak_clocks<gcn::buffer_load<8>> == 4);
  COALESCE_CHECK(gcn::peak_clocks<gcn::buffer_load<8, 2>> == 16);
  COALESCE_CHECK(gcn::peak_clocks<gcn::buffer_load<32, 4>> == 16);
  COALESCE_CHECK(gcn::peak_clocks<gcn::buffer_load<64>> == 16);
  COALESCE_CHECK(gcn::peak_clocks<gcn::image_load<128>> == 16);
  COALESCE_CHECK(gcn::peak_clocks<gcn::image_sample<32>> == 16);
  COALESCE_CHECK(gcn::peak_clocks<gcn::image_sample<64>> == 32);
  COALESCE_CHECK(gcn::peak_clocks<gcn::image_sample<128>> == 64);
}

namespace {

/// A full wave never costs less than the post's peak, and some wave reaches it.
template <class Instruction>
void never_beats_the_peak() {
  random_accesses accesses(Instruction::bytes, Instruction::alignment, 3);
  std::uint64_t least = ~std::uint64_t{0};
  for (unsigned n = 0; n != 3'000; ++n) least = std::min(least, co::cost<Instruction>(accesses.next().address).clocks);
  CHECK(least == gcn::peak_clocks<Instruction>);
}

}  // namespace

TEST_CASE("the cost of a full wave never goes below the post's peak, and reaches it") {
  never_beats_the_peak<gcn::buffer_load<8>>();
  never_beats_the_peak<gcn::buffer_load<16>>();
  never_beats_the_peak<gcn::buffer_load<32>>();
  never_beats_the_peak<gcn::buffer_load<64>>();
  never_beats_the_peak<gcn::buffer_load<8, 2>>();
  never_beats_the_peak<gcn::buffer_load<32, 4>>();
  never_beats_the_peak<gcn::image_load<32>>();
  never_beats_the_peak<gcn::image_load<128>>();
  never_beats_the_peak<gcn::image_sample<32>>();
  never_beats_the_peak<gcn::image_sample<64>>();
  never_beats_the_peak<gcn::image_sample<128>>();
}

// ---- Against the oracle ----

namespace {

/// A load by the words of the post, on sets of bytes.
template <class Instruction>
gcn::load_cost<> slow_load(random_access const& made, std::uint64_t clocks) {
  auto const bytes = touched_bytes(made, Instruction::bytes);
  auto const lines = touched_pieces(bytes, 64).size();
  return {.clocks = clocks, .transactions = lines, .bytes_moved = lines * 64, .bytes_used = bytes.size()};
}

template <class Instruction>
bool lists_its_lines(random_access const& made) {
  auto const list = co::transactions<Instruction>(made.address, made.active);
  auto const served = served_lanes(made, Instruction::bytes, 64);
  if (list.size() != served.size() || list.size() != co::cost<Instruction>(made.address, made.active).transactions)
    return false;
  return std::equal(list.begin(), list.end(), served.begin(), [](auto const& piece, auto const& line) {
    return piece.address == line.first && piece.bytes == 64 && piece.lanes == line.second;
  });
}

template <class Instruction>
unsigned disagreements_of_a_load(unsigned count, std::uint64_t clocks_per_quad, gcn_reading how = gcn_reading::ours) {
  unsigned disagreements = 0;
  random_accesses accesses(Instruction::bytes, Instruction::alignment, Instruction::bytes);
  for (unsigned n = 0; n != count; ++n) {
    auto const made = accesses.next();
    auto const clocks = clocks_per_quad == 0 ? coalesced_clocks(made, Instruction::bytes, how)
                                             : clocks_per_quad * coalescing_tests::quads(made);
    disagreements += co::cost<Instruction>(made.address, made.active) != slow_load<Instruction>(made, clocks) ||
                     !lists_its_lines<Instruction>(made);
  }
  return disagreements;
}

template <class Instruction>
unsigned disagreements_of_a_write(unsigned count, bool atomic) {
  unsigned disagreements = 0;
  random_accesses accesses(Instruction::bytes, Instruction::alignment, 17 * Instruction::bytes);
  for (unsigned n = 0; n != count; ++n) {
    auto const made = accesses.next();
    auto const load = slow_load<Instruction>(made, coalescing_tests::quads(made));
    std::set<std::uint64_t> addresses;
    std::uint64_t lanes = 0;
    for (unsigned lane = 0; lane != max_lanes; ++lane)
      if (is_active(made, lane)) addresses.insert(made.address[lane]), ++lanes;
    gcn::write_cost<> const expected{.clocks = load.clocks,
                                     .transactions = load.transactions,
                                     .bytes_moved = load.bytes_moved,
                                     .bytes_used = load.bytes_used,
                                     .operations = atomic ? lanes : addresses.size()};
    disagreements +=
        co::cost<Instruction>(made.address, made.active) != expected || !lists_its_lines<Instruction>(made);
  }
  return disagreements;
}

}  // namespace

TEST_CASE("loads agree with the oracle on 96,000 random accesses") {
  CHECK(disagreements_of_a_load<gcn::buffer_load<8>>(share(16'000), 0) == 0);
  CHECK(disagreements_of_a_load<gcn::buffer_load<16>>(share(16'000), 0) == 0);
  CHECK(disagreements_of_a_load<gcn::buffer_load<32>>(share(20'000), 0) == 0);
  CHECK(disagreements_of_a_load<gcn::buffer_load<8, 2>>(share(4'000), 1) == 0);
  CHECK(disagreements_of_a_load<gcn::buffer_load<8, 4>>(share(4'000), 1) == 0);
  CHECK(disagreements_of_a_load<gcn::buffer_load<64>>(share(4'000), 1) == 0);
  CHECK(disagreements_of_a_load<gcn::buffer_load<32, 3>>(share(4'000), 1) == 0);
  CHECK(disagreements_of_a_load<gcn::buffer_load<32, 4>>(share(4'000), 1) == 0);
  CHECK(disagreements_of_a_load<gcn::buffer_load<128>>(share(4'000), 1) == 0);
  CHECK(disagreements_of_a_load<gcn::image_load<8>>(share(4'000), 1) == 0);
  CHECK(disagreements_of_a_load<gcn::image_load<128>>(share(4'000), 1) == 0);
  CHECK(disagreements_of_a_load<gcn::image_sample<32>>(share(4'000), 1) == 0);
  CHECK(disagreements_of_a_load<gcn::image_sample<64>>(share(4'000), 2) == 0);
  CHECK(disagreements_of_a_load<gcn::image_sample<128>>(share(4'000), 4) == 0);
}
TEST_CASE("stores and atomics agree with the oracle on 24,000 random accesses") {
  CHECK(disagreements_of_a_write<gcn::buffer_store<8>>(share(4'000), false) == 0);
  CHECK(disagreements_of_a_write<gcn::buffer_store<32>>(share(4'000), false) == 0);
  CHECK(disagreements_of_a_write<gcn::buffer_store<32, 4>>(share(4'000), false) == 0);
  CHECK(disagreements_of_a_write<gcn::image_store<64>>(share(4'000), false) == 0);
  CHECK(disagreements_of_a_write<gcn::buffer_atomic<32>>(share(4'000), true) == 0);
  CHECK(disagreements_of_a_write<gcn::buffer_atomic<64>>(share(4'000), true) == 0);
}
TEST_CASE("control: the accesses tell our reading of the post from every other one") {
  for (auto const other : {gcn_reading::aligned_block, gcn_reading::no_repeats, gcn_reading::no_mixing,
                           gcn_reading::lanes_required, gcn_reading::order_matters, gcn_reading::whole_line})
    CHECK(disagreements_of_a_load<gcn::buffer_load<32>>(2'000, 0, other) > 10);
  CHECK(disagreements_of_a_load<gcn::buffer_load<16>>(2'000, 0, gcn_reading::dword_elements) > 10);
  CHECK(disagreements_of_a_load<gcn::image_load<32>>(2'000, 2) > 10);
  CHECK(disagreements_of_a_write<gcn::buffer_store<32>>(2'000, true) > 10);
  CHECK(disagreements_of_a_write<gcn::buffer_atomic<32>>(2'000, false) > 10);
}

// ---- Properties ----

TEST_CASE("shifting every address by the period changes nothing, across the top of the address space too") {
  random_accesses accesses(4, 4, 9);
  for (unsigned n = 0; n != 5'000; ++n) {
    auto const made = accesses.next();
    auto shifted = made;
    for (auto& address : shifted.address) address += dword::period;
    CHECK(co::cost<dword>(made.address, made.active) == co::cost<dword>(shifted.address, made.active));
  }
}
TEST_CASE("fewer lanes never cost more, and lines do not depend on the order of the lanes") {
  random_accesses accesses(4, 4, 10);
  std::mt19937_64 engine(10);
  for (unsigned n = 0; n != 5'000; ++n) {
    auto made = accesses.next();
    auto const all = co::cost<dword>(made.address, made.active),
               some = co::cost<dword>(made.address, made.active & engine());
    CHECK(some.clocks <= all.clocks);
    CHECK(some.transactions <= all.transactions);
    CHECK(some.bytes_used <= all.bytes_used);
    made.active = ~std::uint64_t{0};
    auto shuffled = made;
    std::shuffle(shuffled.address.begin(), shuffled.address.end(), engine);
    CHECK(co::cost<dword>(made.address).transactions == co::cost<dword>(shuffled.address).transactions);
    CHECK(co::cost<dword>(made.address).bytes_used == co::cost<dword>(shuffled.address).bytes_used);
  }
}
